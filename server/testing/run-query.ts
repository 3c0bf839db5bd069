import { setTimeout as delay } from 'node:timers/promises';
import { Job } from '@telltale/domain/jobs/contract.ts';
import { QueryResultReply, type ResultRow } from '@telltale/domain/results/contract.ts';
import { z } from 'zod';
import type { TestClient } from './client.ts';

const Answer = z.object({
  message: z.string().optional(),
  job: z.union([Job, z.object({ status: z.literal(4), error: z.string() })]).optional(),
  query_result: QueryResultReply.shape.query_result.optional(),
});
type Answer = z.output<typeof Answer>;

export interface Ran extends Answer {
  /** The status of the first answer. */
  status: number;
  /** Members of the first answer, which distinguish a cache hit, a quick run and a slow run. */
  shape: string[];
  error: unknown;
  rows: ResultRow[] | undefined;
}

export const jobIdOf = ({ job }: Pick<Answer, 'job'>): string => (job && 'id' in job ? job.id : '');

/** Posts, polls and fetches like a script written for the API. */
export async function runQuery(client: TestClient, path: string, body: object, polling = '/api/jobs'): Promise<Ran> {
  // Our pages send the same header, so that a quick run needs no second request.
  const response = await client.json('POST', path, body, { prefer: 'wait=0.3' });
  const text = await response.text();
  const first = Answer.parse(JSON.parse(text));
  const shape = Object.keys(JSON.parse(text) as object).toSorted();
  let { job, query_result } = first;
  while (job && 'id' in job && job.status < 3) {
    await delay(20);
    const polled = await client.json('GET', `${polling}/${job.id}`);
    job = Answer.parse(await polled.json()).job;
  }
  if (job && 'id' in job && job.status === 3 && !query_result) {
    const address = path.replace(/\?.*$/, '');
    const found = await client.json('GET', `${address}/${job.query_result_id}${address.includes('/queries/') ? '.json' : ''}`);
    query_result = Answer.parse(await found.json()).query_result;
  }
  const error = job && job.status === 4 ? job.error : response.ok ? '' : first.message;
  return { ...first, job, query_result, status: response.status, shape, error, rows: query_result?.data.rows };
}

export const runAdHoc = (client: TestClient, body: { data_source_id?: unknown; query?: unknown; [key: string]: unknown }): Promise<Ran> =>
  runQuery(client, '/api/query_results', { max_age: 0, ...body });

export const runSaved = (client: TestClient, id: number, body: object = {}, query = ''): Promise<Ran> =>
  runQuery(client, `/api/queries/${id}/results${query}`, { max_age: 0, ...body }, `/api/queries/${id}/jobs`);
