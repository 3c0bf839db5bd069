import { addressOf, type CallInput, type Endpoint, type ReplyOf } from '@telltale/domain/endpoint.ts';

export interface Reply<T> {
  status: number;
  /** The answer, parsed by its contract when the call succeeded. */
  body: T;
  message: string;
  headers: Headers;
}

export interface Raw {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  redirect?: 'manual' | 'follow';
}

/** A client over real HTTP: with a key, with a session's cookies, or anonymous. */
export class TestClient {
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  readonly cookies = new Map<string, string>();

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.#origin = origin;
    this.#headers = headers;
  }

  async fetch(path: string, { headers = {}, ...options }: Raw = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#origin}${path}`, {
      redirect: 'manual',
      ...options,
      headers: { ...this.#headers, ...(cookie ? { cookie } : {}), ...headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** A JSON call as the browser makes it, CSRF header included. */
  json(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const csrf = this.cookies.get('csrf_token');
    return this.fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(csrf ? { 'x-csrf-token': csrf } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async call<E extends Endpoint>(endpoint: E, input: CallInput<E> = {} as CallInput<E>): Promise<Reply<ReplyOf<E>>> {
    const path = addressOf(endpoint.path, input.params as object | undefined, input.query as object | undefined);
    const response = await this.json(endpoint.method, path, input.body);
    const text = await response.text();
    const body: unknown = text ? JSON.parse(text) : null;
    const message = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : '';
    const parsed = response.ok && response.status !== 204 ? endpoint.reply.parse(body) : body;
    return { status: response.status, body: parsed as ReplyOf<E>, message, headers: response.headers };
  }

  /** The answer of a call that must succeed. */
  async get<E extends Endpoint>(endpoint: E, input: CallInput<E> = {} as CallInput<E>): Promise<ReplyOf<E>> {
    const reply = await this.call(endpoint, input);
    if (reply.status >= 300) throw new Error(`${endpoint.method} ${endpoint.path} answered ${reply.status}: ${reply.message}`);
    return reply.body;
  }

  async signIn(email: string, password: string, remember = false): Promise<Response> {
    return this.json('POST', '/login', { email, password, remember });
  }
}
