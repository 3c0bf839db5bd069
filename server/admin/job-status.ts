import type { JobsStatus, OutdatedQueries } from '@telltale/domain/admin/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { queues } from '../platform/jobs/define.ts';
import { listOutdatedQueries } from '../queries/lists.ts';
import { lastScan } from '../queries/runs.ts';
import { countQueuedJobs, listFailedJobs, listStartedJobs, listWorkers } from './job-status.store.ts';

/** server-behaviour 23.2. */
export async function jobsStatus(ctx: UserCtx): Promise<JobsStatus> {
  const { db } = ctx;
  const [started, queued, workers, failed] = await Promise.all([
    listStartedJobs(db),
    countQueuedJobs(db),
    listWorkers(db),
    listFailedJobs(db),
  ]);
  const statusOf = (name: string) => ({
    name,
    started: started.filter(({ origin }) => origin === name),
    queued: queued.find(({ queue }) => queue === name)?.count ?? 0,
  });
  return { queues: Object.fromEntries(queues.map((name) => [name, statusOf(name)])), workers, failed };
}

/** server-behaviour 23.3: `updated_at` is the time of the last scan, in seconds, as text. */
export async function outdatedQueries(ctx: UserCtx): Promise<OutdatedQueries> {
  const [queries, scan] = [await listOutdatedQueries(ctx), await lastScan(ctx)];
  const at = scan ? Date.parse(scan.last_refresh_at) : ctx.now.getTime();
  return { queries, updated_at: String(at / 1000) };
}
