import type { SystemStatus } from '@telltale/domain/admin/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { queues } from '../platform/jobs/define.ts';
import { lastScan } from '../queries/runs.ts';
import { resultUsage } from '../results/quota.ts';
import { brokerStatus } from '../uplinks/brokers.ts';
import { uplinkFigures } from '../uplinks/gone-writers.ts';
import { version } from '../version.ts';
import { countQueuedJobs } from './job-status.store.ts';
import { countEverything, listPeriodicTasks, listStorage } from './system-status.store.ts';

const seconds = (time: string) => String(Date.parse(time) / 1000);

/** server-behaviour 23.1. There is no Redis here: its fields are empty. */
export async function systemStatus(ctx: UserCtx): Promise<SystemStatus> {
  const [counts, queued, scan, uplinks, stored_results, broker, storage, periodic] = await Promise.all([
    countEverything(ctx.db),
    countQueuedJobs(ctx.db),
    lastScan(ctx),
    uplinkFigures(ctx.db),
    resultUsage(ctx),
    brokerStatus(ctx.db),
    listStorage(ctx.db),
    listPeriodicTasks(ctx.db),
  ]);
  const { results_bytes, database_bytes, ...numbers } = counts;
  const sizes = queues.map((name) => [name, { size: queued.find(({ queue }) => queue === name)?.count ?? 0 }]);
  return {
    version,
    workers: [],
    redis_used_memory: 0,
    redis_used_memory_human: '0B',
    ...numbers,
    manager: {
      ...(scan && {
        started_at: seconds(scan.started_at),
        last_refresh_at: seconds(scan.last_refresh_at),
        outdated_queries_count: String(scan.query_ids.length),
        query_ids: JSON.stringify(scan.query_ids),
      }),
      queues: Object.fromEntries(sizes),
    },
    database_metrics: {
      metrics: [
        ['Query Results Size', results_bytes],
        ['Telltale DB Size', database_bytes],
      ],
    },
    stored_results,
    uplinks,
    broker,
    storage,
    periodic,
  };
}
