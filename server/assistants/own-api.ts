import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A refusal by the API; its message is shown to the assistant. */
export class ApiRefusal extends Error {}

const longestRunMs = 120_000;
const pollMs = 100;
const mostRows = 1000;
/** An answer is held in memory as text and as objects, so it is bounded. */
const mostBytes = 16 * 1024 ** 2;

export interface Table {
  columns: { name: string; type: string | null }[];
  rows: Record<string, unknown>[];
  row_count: number;
  is_cut: boolean;
  retrieved_at: string;
}

interface Answer {
  job?: { id?: string; status: number; error?: unknown; query_result_id?: unknown; result?: unknown };
  query_result?: { id: number; retrieved_at: string; data: { columns: Table['columns']; rows: Table['rows'] } };
}

/**
 * Calls our own API on behalf of the person whose key an assistant uses. Tools use it like any other client, so they have exactly that
 * person's permissions.
 */
export class OwnApi {
  readonly #server: FastifyInstance;
  readonly #request: FastifyRequest;

  constructor(server: FastifyInstance, request: FastifyRequest) {
    this.#server = server;
    this.#request = request;
  }

  async call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const { authorization = '', 'user-agent': agent = '' } = this.#request.headers;
    const { api_key } = this.#request.query as { api_key?: unknown };
    const answer = await this.#server.inject({
      payloadAsStream: true,
      method,
      url: path,
      remoteAddress: this.#request.ip,
      headers: {
        authorization: api_key === undefined ? authorization : `Key ${String(api_key)}`,
        'user-agent': agent,
        host: this.#request.host,
        prefer: 'wait=10',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { payload: body } : {}),
    });
    const text = await readBounded(answer.stream());
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    if (answer.statusCode >= 400) throw new ApiRefusal(refusalOf(parsed) ?? `The API answered ${answer.statusCode}.`);
    return parsed as T;
  }

  /** Runs a query and waits up to two minutes for its rows; a longer run goes on without the assistant. */
  async run(path: string, body: object, limit: number): Promise<Table> {
    let { job, query_result } = await this.call<Answer>('POST', path, { ...body, read_only: true });
    if (!query_result) {
      const resultId = (await this.#ended(job)).query_result_id;
      ({ query_result } = await this.call<Answer>('GET', `/api/query_results/${Number(resultId)}.json`));
    }
    if (!query_result) throw new ApiRefusal('The result is gone. Run it again.');
    const { columns, rows } = query_result.data;
    const shown = Math.min(limit, mostRows);
    return {
      columns: columns.map(({ name, type }) => ({ name, type })),
      rows: rows.slice(0, shown),
      row_count: rows.length,
      is_cut: rows.length > shown,
      retrieved_at: query_result.retrieved_at,
    };
  }

  /** Waits for a job and returns its result. */
  async job<T>(first: Answer['job']): Promise<T> {
    return (await this.#ended(first)).result as T;
  }

  async #ended(first: Answer['job']): Promise<NonNullable<Answer['job']>> {
    const until = Date.now() + longestRunMs;
    let job = first;
    while (job?.id && job.status < 3) {
      if (Date.now() > until) throw new ApiRefusal('This takes longer than two minutes. Ask for less, or look at it in the console.');
      await delay(pollMs);
      ({ job } = await this.call<Answer>('GET', `/api/jobs/${job.id}`));
    }
    if (job?.status !== 3) throw new ApiRefusal(textOf(job?.error) || 'The run failed.');
    return job;
  }
}

async function readBounded(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the stream, and with it the reading of the result.
    if (size > mostBytes)
      throw new ApiRefusal('The answer is larger than 16 MB. Ask for fewer rows or columns, or look at it in the console.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const textOf = (error: unknown): string =>
  typeof error === 'string' ? error : typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';

function refusalOf(body: unknown): string | undefined {
  const { message, job } = (body ?? {}) as { message?: unknown; job?: { error?: unknown } };
  return textOf(message) || textOf(job?.error) || undefined;
}
