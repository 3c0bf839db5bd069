import { z } from 'zod';
import { type JobKind, jobKind } from '../platform/jobs/define.ts';

/** No source gets more of a worker than this, so that one slow database does not hold up all others. */
const placesPerSource = 6;
export const laneOf = ({ data_source_id }: { data_source_id: number }) => ({ name: `source-${data_source_id}`, places: placesPerSource });

/** server-behaviour 23.2: the name by which job screens recognise queries. */
export const runQuery = jobKind({
  name: 'redash.tasks.queries.execution.execute_query',
  queue: 'queries',
  onLost: 'fail',
  isDirect: true,
  lane: { of: (run) => laneOf(run).name, places: placesPerSource },
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
    /** Which version of the query's text this is; its result counts only while that is still the one. */
    text_version: z.int().nullish(),
    user_id: z.int().nullable(),
    /** Who must be allowed to read what it joins: all of them (W10). */
    in_name_of: z.array(z.int()).default([]),
    scheduled: z.boolean().optional(),
  }),
});

export type RunQuery = z.output<typeof runQuery.payload>;

/** The same work when nobody waits for it: it never takes the place of what people run. */
export const runScheduledQuery: JobKind<RunQuery> = { ...runQuery, queue: 'scheduled_queries', isDirect: false };
