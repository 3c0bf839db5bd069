import { z } from 'zod';
import { type JobKind, jobKind } from '../platform/jobs/define.ts';
import { laneName } from '../platform/jobs/lanes.ts';

/** The limit on a source's share of a worker, so that one slow database does not hold up all others. */
export const sourceLane = ({ data_source_id }: { data_source_id: number }) => laneName(`source-${data_source_id}`, 6);
/** W12: one user never gets all places of a source or of a worker; all callers without an account share one limit. */
const userLane = ({ user_id }: { user_id: number | null }) => laneName(user_id === null ? 'guests' : `user-${user_id}`, 4);

/** Not every server notices that its client is dead: another worker ends there what a killed one has left running. */
export const stopLostRun = jobKind({
  name: 'results.stop_lost_run',
  queue: 'default',
  onLost: 'retry',
  retries: 3,
  timeLimitMs: 60_000,
  payload: z.object({ job_id: z.string(), data_source_id: z.int() }),
});

/** server-behaviour 23.2: the name by which job screens recognise queries. */
export const runQuery = jobKind({
  name: 'redash.tasks.queries.execution.execute_query',
  queue: 'queries',
  onLost: 'fail',
  isDirect: true,
  lanes: (run) => [sourceLane(run), userLane(run)],
  // The query's own limit is a setting of at most a day, and starts when it has an executor.
  timeLimitMs: 48 * 3600_000,
  afterLoss: (job_id, { data_source_id }) => ({ kind: stopLostRun as JobKind, payload: { job_id, data_source_id } }),
  payload: z.object({
    data_source_id: z.int(),
    /** Final text. */
    query: z.string(),
    query_hash: z.string(),
    database: z.string().nullable(),
    /** The time zone of sessions that follow the viewer; null means the organisation's. */
    time_zone: z.string().nullable().default(null),
    /** The saved query it runs for; its latest result when `links`. */
    query_id: z.int().nullable(),
    links: z.boolean(),
    /** The version of the query's text; the result only counts while that version is the current one. */
    text_version: z.int().nullish(),
    user_id: z.int().nullable(),
    /** Who asked, for the logs of the source and the notices of alerts; null for readers by key. */
    username: z.string().nullable().default(null),
    /** The run answers the saved query in a form that everybody who sees it may request, not a user's own text or free values. */
    is_of_query: z.boolean().default(false),
    /** Users who all must be allowed to read what it joins (W10). */
    in_name_of: z.array(z.int()).default([]),
    /** The channels that it may read on IoT data; null is all. */
    channel_pks: z.array(z.int()).nullable().default(null),
    /** The caller may not write, though the source allows it (W17). */
    only_reads: z.boolean().default(false),
    scheduled: z.boolean().optional(),
  }),
});

/** server-behaviour 8.4: equal runs share one job, for any user, scheduled or ad hoc; runs with and without write access are not equal. */
export const runKey = ({
  data_source_id,
  query_hash,
  only_reads,
}: Pick<RunQuery, 'data_source_id' | 'query_hash' | 'only_reads'>): string =>
  `query ${data_source_id} ${query_hash}${only_reads ? ' reads' : ''}`;

/** The saved query that a text runs for: the outcome becomes its latest result. */
const RunRequest = z.object({ query_id: z.int(), text_version: z.int().nullable(), scheduled: z.boolean() });
export type RunRequest = z.output<typeof RunRequest>;

/** The users and queries that give access to the result by its id later: all who see the query, or the user who ran it. */
export const originOf = ({ user_id, query_id, is_of_query }: Pick<RunQuery, 'user_id' | 'query_id' | 'is_of_query'>) => ({
  user_ids: is_of_query || user_id === null ? [] : [user_id],
  query_ids: is_of_query && query_id !== null ? [query_id] : [],
});

/** The request of the caller that queued the job. */
export const ownRequests = ({ links, query_id, text_version = null, scheduled = false }: RunQuery): RunRequest[] =>
  links && query_id !== null ? [{ query_id, text_version, scheduled }] : [];

/** The requests of the first caller and of everybody who joined, each query once. Always in one order, or two runs could deadlock. */
export function allRequests(run: RunQuery, joined: unknown): RunRequest[] {
  const byQuery = new Map<number, RunRequest>();
  for (const request of [...ownRequests(run), ...z.array(RunRequest).parse(joined ?? [])]) {
    const isScheduled = request.scheduled || byQuery.get(request.query_id)?.scheduled === true;
    byQuery.set(request.query_id, { ...request, scheduled: isScheduled });
  }
  return [...byQuery.values()].sort((a, b) => a.query_id - b.query_id);
}

export type RunQuery = z.output<typeof runQuery.payload>;

/** The same work when no user waits for it: it has places of its own, fewer than a worker has executors. */
export const runScheduledQuery: JobKind<RunQuery> = {
  ...runQuery,
  queue: 'scheduled_queries',
  lanes: (run) => [sourceLane(run)],
  isDirect: false,
};

/** server-behaviour 8.6 and 15.3: what the logs of the source and the notices of alerts say about a run. */
export const metadataOf = (jobId: string, run: RunQuery) => ({
  'Job ID': jobId,
  Username: run.username ?? 'unknown',
  query_id: run.query_id ?? 'adhoc',
  Queue: (run.scheduled ? runScheduledQuery : runQuery).queue,
  'Query Hash': run.query_hash,
  Scheduled: run.scheduled ?? false,
});

/** How the annotation begins that stands before the statement of a run: by the job, another worker finds what a killed one has left. */
export const annotationBegins = (jobId: string): string => `Job ID: ${jobId}, `;

export const annotationOf = (jobId: string, run: RunQuery): string => {
  const { 'Job ID': _, ...others } = metadataOf(jobId, run);
  return (
    annotationBegins(jobId) +
    Object.entries(others)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ')
  );
};
