import { z } from 'zod';
import { endpoint, Time } from '../endpoint.ts';
import { ListedQuery } from '../queries/contract.ts';

/** server-behaviour 23.2: a running job, by the names that the job screens use. */
const StartedJob = z.object({
  id: z.uuid(),
  name: z.string(),
  origin: z.string(),
  enqueued_at: Time,
  started_at: Time.nullable(),
  meta: z.record(z.string(), z.unknown()),
});
/** Ours: a job that failed lately and can be queued again. */
const FailedJob = StartedJob.extend({ finished_at: Time.nullable(), error: z.string() });
const QueueStatus = z.object({ name: z.string(), started: z.array(StartedJob), queued: z.int() });
const Worker = z.object({
  name: z.string(),
  hostname: z.string(),
  pid: z.int(),
  /** `queries, schemas` … */
  queues: z.string(),
  state: z.enum(['started', 'busy', 'idle', 'suspended']),
  last_heartbeat: Time,
  birth_date: Time,
  /** `<id> (<name>)` */
  current_job: z.string().nullable(),
  successful_jobs: z.int(),
  failed_jobs: z.int(),
  /** Seconds. */
  total_working_time: z.number(),
});
export const JobsStatus = z.object({ queues: z.record(z.string(), QueueStatus), workers: z.array(Worker), failed: z.array(FailedJob) });
export type JobsStatus = z.infer<typeof JobsStatus>;

/** server-behaviour 23.3: unix seconds as text. */
export const OutdatedQueries = z.object({ queries: z.array(ListedQuery), updated_at: z.string() });
export type OutdatedQueries = z.infer<typeof OutdatedQueries>;

const PeriodicTask = z.object({
  name: z.string(),
  last_run_at: Time,
  next_run_at: Time,
  last_error: z.string().nullable(),
  is_late: z.boolean(),
});

/** server-behaviour 23.1; times are unix seconds as text. The figures of uplinks are ours. */
export const SystemStatus = z.object({
  version: z.string(),
  workers: z.array(z.never()),
  redis_used_memory: z.int(),
  redis_used_memory_human: z.string(),
  queries_count: z.int(),
  query_results_count: z.int(),
  unused_query_results_count: z.int(),
  dashboards_count: z.int(),
  widgets_count: z.int(),
  manager: z.object({
    started_at: z.string().optional(),
    last_refresh_at: z.string().optional(),
    outdated_queries_count: z.string().optional(),
    query_ids: z.string().optional(),
    queues: z.record(z.string(), z.object({ size: z.int() })),
  }),
  database_metrics: z.object({ metrics: z.array(z.tuple([z.string(), z.number()])) }),
  /** Ours: the size of stored results, deflated; a null quota means none. The ten users with the most, most first. */
  stored_results: z.object({
    bytes: z.number(),
    quota_bytes: z.number().nullable(),
    person_quota_bytes: z.number().nullable(),
    people: z.array(z.object({ user_id: z.int(), name: z.string(), bytes: z.number() })),
  }),
  /** `received` is always stored + duplicate + the sum of rejected. */
  uplinks: z.object({
    received: z.number(),
    stored: z.number(),
    duplicate: z.number(),
    rejected: z.record(z.string(), z.number()),
  }),
  /** Ours: open MQTT connections, refused publishes and bytes that wait for an acknowledgement, of all running brokers. */
  broker: z.object({ running: z.int(), connections: z.int(), denied: z.number(), held_bytes: z.number() }),
  /** Ours: the disk space of each channel, largest first, as last measured. */
  storage: z.array(z.object({ channel_id: z.string(), bytes: z.number(), measured_at: Time })),
  /** Ours: the last run of each periodic task; `is_late` when its scheduler seems to be stopped. */
  periodic: z.array(PeriodicTask),
});
export type SystemStatus = z.infer<typeof SystemStatus>;

export const adminApi = {
  status: endpoint('GET', '/status.json', {
    needs: 'super_admin',
    reply: SystemStatus,
    summary: 'Counts, queues, sizes, and what devices sent.',
  }),
  jobs: endpoint('GET', '/api/admin/queries/rq_status', {
    needs: 'super_admin',
    reply: JobsStatus,
    summary: 'Queues with what is under way, and the workers.',
  }),
  outdated: endpoint('GET', '/api/admin/queries/outdated', {
    needs: 'super_admin',
    reply: OutdatedQueries,
    summary: 'Queries whose schedule is due and whose run has not finished yet.',
  }),
};
