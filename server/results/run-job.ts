import { z } from 'zod';
import { jobKind } from '../platform/jobs/define.ts';

/** server-behaviour 23.2: the name by which job screens recognise queries. */
export const runQuery = jobKind({
  name: 'redash.tasks.queries.execution.execute_query',
  queue: 'queries',
  onLost: 'fail',
  isDirect: true,
  timeLimitMs: 24 * 3600_000,
  payload: z.object({
    data_source_id: z.int(),
    /** Final text. */
    query: z.string(),
    query_hash: z.string(),
    database: z.string().nullable(),
    /** The saved query it runs for; its latest result when `links`. */
    query_id: z.int().nullable(),
    links: z.boolean(),
    user_id: z.int().nullable(),
  }),
});
export type RunQuery = z.output<typeof runQuery.payload>;
