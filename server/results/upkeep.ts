import type { Ctx } from '../platform/context.ts';
import { deleteUnusedResults } from './results.store.ts';

export const forgetUnusedResults = (ctx: Ctx) => deleteUnusedResults(ctx.db, ctx.config.limits.seconds);
