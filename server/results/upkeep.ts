import type { Ctx } from '../platform/context.ts';
import { keepQuotas } from './quota.ts';
import { deleteUnusedResults } from './results.store.ts';

export async function forgetUnusedResults(ctx: Ctx): Promise<void> {
  await deleteUnusedResults(ctx.db, ctx.config.limits.seconds);
  await keepQuotas(ctx);
}
