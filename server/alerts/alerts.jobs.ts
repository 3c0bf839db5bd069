import { z } from 'zod';
import type { Ctx } from '../platform/context.ts';
import { defineJob, type JobDefinition, jobKind } from '../platform/jobs/define.ts';
import { laneName } from '../platform/jobs/lanes.ts';
import { hasAlerts } from './alerts.store.ts';
import { deleteOldEvaluations } from './evaluations.store.ts';
import { checkAlertsOfQuery } from './query-alerts.ts';

const checkAlerts = jobKind({
  name: 'alerts.check',
  queue: 'default',
  payload: z.object({ query_id: z.int(), result_id: z.int(), metadata: z.record(z.string(), z.unknown()).default({}) }),
  retries: 20,
  onLost: 'retry',
  timeLimitMs: 5 * 60_000,
  // The results of one query are checked one after the other.
  lanes: ({ query_id }) => [laneName(`alerts of query ${query_id}`, 1)],
});

/** Handles `resultStored` in its transaction: the result and its evaluation are committed together. */
export async function queueCheck(tx: Ctx, told: z.output<typeof checkAlerts.payload>): Promise<void> {
  if (await hasAlerts(tx.db, told.query_id)) await tx.enqueue(checkAlerts, told, { meta: { query_id: told.query_id } });
}

export const alertJobs: JobDefinition[] = [defineJob({ ...checkAlerts, run: checkAlertsOfQuery }) as JobDefinition];

export const forgetOldEvaluations = (ctx: Ctx) => deleteOldEvaluations(ctx.db);
