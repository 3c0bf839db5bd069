import type { Ctx } from '../platform/context.ts';
import { deleteOldSessions } from './upkeep.store.ts';

export const forgetOldSessions = (ctx: Ctx): Promise<void> => deleteOldSessions(ctx.db);
