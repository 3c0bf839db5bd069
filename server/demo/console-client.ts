import { addressOf, type CallInput, type Endpoint, type ReplyOf } from '@telltale/domain/endpoint.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';

/** Sets the demo up over HTTP, with the same calls as other clients. */
export class ConsoleClient {
  readonly #origin: string;
  readonly #key: string;

  constructor(origin: string, key: string) {
    this.#origin = origin;
    this.#key = key;
  }

  async call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ReplyOf<E>> {
    const { body, params, query } = input as { body?: unknown; params?: object; query?: object };
    const response = await fetch(`${this.#origin}${addressOf(endpoint.path, params, query)}`, {
      method: endpoint.method,
      headers: { authorization: `Key ${this.#key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${endpoint.method} ${endpoint.path}: ${response.status} ${text.slice(0, 300)}`);
    return (text === '' ? null : JSON.parse(text)) as ReplyOf<E>;
  }
}

/** Signs in and uses the API key of the account. */
export async function signedIn(origin: string, email: string, password: string): Promise<ConsoleClient> {
  const reply = await postJson(`${origin}/login`, { email, password });
  const cookie = reply.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const session = (await (await fetch(`${origin}${sessionApi.get.path}`, { headers: { cookie } })).json()) as { user: { id: number } };
  const own = (await (await fetch(`${origin}/api/users/${session.user.id}`, { headers: { cookie } })).json()) as { api_key: string };
  return new ConsoleClient(origin, own.api_key);
}

export async function postJson(address: string, body: object): Promise<Response> {
  const reply = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${new URL(address).pathname}: ${reply.status} ${(await reply.text()).slice(0, 300)}`);
  return reply;
}
