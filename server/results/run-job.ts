import { z } from 'zod';
import { type JobKind, jobKind } from '../platform/jobs/define.ts';
import { laneName } from '../platform/jobs/lanes.ts';

/** No source gets more of a worker than this, so that one slow database does not hold up all others. */
export const sourceLane = ({ data_source_id }: { data_source_id: number }) => laneName(`source-${data_source_id}`, 6);
/** W12: nobody gets all places of a source, or all of a worker; whoever has no account shares theirs with all others who have none. */
const askerLane = ({ user_id }: { user_id: number | null }) => laneName(user_id === null ? 'guests' : `user-${user_id}`, 4);

/** server-behaviour 23.2: the name by which job screens recognise queries. */
export const runQuery = jobKind({
  name: 'redash.tasks.queries.execution.execute_query',
  queue: 'queries',
  onLost: 'fail',
  isDirect: true,
  lanes: (run) => [sourceLane(run), askerLane(run)],
  // Its own limit is a setting of at most a day, and begins when it has an executor.
  timeLimitMs: 48 * 3600_000,
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
    /** Whoever asks may not write, though the source allows it (W17). */
    only_reads: z.boolean().default(false),
    scheduled: z.boolean().optional(),
  }),
});

/** server-behaviour 8.4: equal runs share one job, for any user, scheduled or ad hoc; one that may write is not equal to one that may not. */
export const runKey = ({
  data_source_id,
  query_hash,
  only_reads,
}: Pick<RunQuery, 'data_source_id' | 'query_hash' | 'only_reads'>): string =>
  `query ${data_source_id} ${query_hash}${only_reads ? ' reads' : ''}`;

/** For which saved query somebody runs a text: what comes out is that one's latest result. */
const RunWish = z.object({ query_id: z.int(), text_version: z.int().nullable(), scheduled: z.boolean() });
export type RunWish = z.output<typeof RunWish>;

/** That of whoever asked for it first. */
export const ownWishes = ({ links, query_id, text_version = null, scheduled = false }: RunQuery): RunWish[] =>
  links && query_id !== null ? [{ query_id, text_version, scheduled }] : [];

/** The first one's and those of everybody who joined, each query once. Always in one order, or two runs could wait for each other. */
export function allWishes(run: RunQuery, joined: unknown): RunWish[] {
  const byQuery = new Map<number, RunWish>();
  for (const wish of [...ownWishes(run), ...z.array(RunWish).parse(joined ?? [])]) {
    const isScheduled = wish.scheduled || byQuery.get(wish.query_id)?.scheduled === true;
    byQuery.set(wish.query_id, { ...wish, scheduled: isScheduled });
  }
  return [...byQuery.values()].sort((a, b) => a.query_id - b.query_id);
}

export type RunQuery = z.output<typeof runQuery.payload>;

/** The same work when nobody waits for it: it has places of its own, fewer than a worker has executors. */
export const runScheduledQuery: JobKind<RunQuery> = {
  ...runQuery,
  queue: 'scheduled_queries',
  task: `scheduled ${runQuery.name}`,
  lanes: (run) => [sourceLane(run)],
  isDirect: false,
};
