import { randomUUID } from 'node:crypto';
import type { OutgoingHttp, OutgoingResponse } from '../../platform/outgoing.ts';
import { QueryError } from '../connector.ts';
import { ask } from '../http/ask.ts';
import { ServerFault } from './json-compact.ts';

export interface ServerOptions {
  url: string;
  user: string;
  password?: string | undefined;
  dbname: string;
  verify: boolean;
  /** Seconds; 0 for no limit. */
  timeout: number;
}

export interface Request {
  database?: string | undefined;
  settings?: Iterable<readonly [string, string]>;
  /** The query id in the server's process list. */
  id?: string;
  /** The rows of an INSERT, in the format that it names. */
  data?: Uint8Array;
}

const cancelMs = 5000;

/** ClickHouse over HTTP, with one request for each statement. */
export class ClickhouseServer {
  readonly #http: OutgoingHttp;
  readonly #options: ServerOptions;

  constructor(http: OutgoingHttp, options: ServerOptions) {
    this.#http = http;
    this.#options = options;
  }

  /** Sends a statement and returns the response; throws a ServerFault when the server refuses it. */
  async send(query: string, signal: AbortSignal, { database, settings = [], id, data }: Request = {}): Promise<OutgoingResponse> {
    const { url: written, user, password = '', dbname, verify, timeout } = this.#options;
    const url = URL.parse(written);
    if (!url) throw new QueryError('The URL of this data source is not an address.');
    const parameters = [
      ['database', database ?? dbname],
      ['default_format', 'JSONCompact'],
      ...(id ? [['query_id', id]] : []),
      ...(data ? [['query', query]] : []),
      ...settings,
    ];
    for (const [name = '', value = ''] of parameters) url.searchParams.append(name, value);
    const response = await ask(this.#http, url, {
      signal,
      method: 'POST',
      body: data ?? query,
      headers: {
        'content-type': data ? 'application/octet-stream' : 'text/plain; charset=utf-8',
        'x-clickhouse-user': user,
        'x-clickhouse-key': password,
      },
      trusted: true,
      allowInvalidCertificate: !verify,
      timeoutMs: timeout > 0 ? timeout * 1000 : Number.POSITIVE_INFINITY,
      idleMs: Number.POSITIVE_INFINITY,
      maxBytes: Number.POSITIVE_INFINITY,
    });
    if (response.status === 200) return response;
    throw new ServerFault((await response.text()) || `The server answers with ${response.status}.`);
  }

  /** Runs work with a query id; an abort first stops the statement on the server, then closes the response. */
  async stoppable<T>(signal: AbortSignal, work: (id: string, inner: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const id = randomUUID();
    const inner = new AbortController();
    let isDone = false;
    const stop = async () => {
      await this.#kill(id, () => isDone).catch(() => {});
      inner.abort(signal.reason);
    };
    const onAbort = () => void stop();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await work(id, inner.signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      isDone = true;
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Retries, because a statement that was just sent may not be in the process list yet. */
  async #kill(id: string, isDone: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(cancelMs);
    for (let tries = 0; tries < 10 && !isDone(); tries++) {
      const response = await this.send(`KILL QUERY WHERE query_id = '${id}' ASYNC FORMAT TabSeparated`, signal);
      if ((await response.text()).includes(id)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
