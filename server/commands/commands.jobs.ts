import type { Ctx } from '../platform/context.ts';
import { forgetOldDeliveries } from './deliveries.ts';
import { forgetOldRuns } from './due-schedules.ts';

/** Deletes old log entries of commands and runs of schedules. */
export async function forgetOldCommands(ctx: Ctx): Promise<void> {
  await forgetOldDeliveries(ctx);
  await forgetOldRuns(ctx);
}
