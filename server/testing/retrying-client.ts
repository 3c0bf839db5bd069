import { setTimeout as delay } from 'node:timers/promises';

interface Answer {
  job?: { id: string; status: number; error: unknown; query_result_id: number };
  query_result?: { data: { rows: unknown[] } };
}

/** A client of the API behind a balancer: it asks again once when a request fails, and notes those that failed twice. */
export class RetryingClient {
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  readonly failedTwice: string[] = [];

  constructor(origin: string, apiKey: string) {
    this.#origin = origin;
    this.#headers = { authorization: `Key ${apiKey}`, 'content-type': 'application/json' };
  }

  /** `isDone` is asked before a request that must not be made twice is repeated. */
  async ask(method: string, path: string, body?: unknown, isDone = async () => false): Promise<Response> {
    const first = await this.#try(method, path, body);
    if (first instanceof Response) return first;
    if (await isDone()) return new Response('{}');
    const second = await this.#try(method, path, body);
    if (second instanceof Response) return second;
    this.failedTwice.push(`${method} ${path}: ${first}; ${second}`);
    return new Response('{}');
  }

  /** The rows of a statement. A run whose worker was stopped is begun once more. */
  async run(data_source_id: number, query: string): Promise<unknown[]> {
    for (let lost = 0; ; lost++) {
      const answer = await this.#runOnce(data_source_id, query);
      if (answer.query_result) return answer.query_result.data.rows;
      if (lost > 0) {
        this.failedTwice.push(`${query}: ${JSON.stringify(answer)}`);
        return [];
      }
    }
  }

  async #runOnce(data_source_id: number, query: string): Promise<Answer> {
    const begun = await this.ask('POST', '/api/query_results', { data_source_id, query, max_age: 0 });
    let answer = (await begun.json()) as Answer;
    while (!answer.query_result && answer.job && answer.job.status < 3) {
      await delay(100);
      answer = (await (await this.ask('GET', `/api/jobs/${answer.job.id}`)).json()) as Answer;
    }
    if (answer.query_result || answer.job?.status !== 3) return answer;
    return (await (await this.ask('GET', `/api/query_results/${answer.job.query_result_id}`)).json()) as Answer;
  }

  /** What went wrong, where the server gave no answer or was at fault. */
  async #try(method: string, path: string, body: unknown): Promise<Response | string> {
    try {
      const answer = await fetch(`${this.#origin}${path}`, {
        method,
        headers: this.#headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      });
      // The whole answer counts: one that breaks off has failed.
      const whole = Buffer.from(await answer.arrayBuffer());
      return answer.status < 500 ? new Response(whole, { status: answer.status }) : `${answer.status} ${whole.toString().slice(0, 200)}`;
    } catch (error) {
      return error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error);
    }
  }
}
