import { nobody } from '@telltale/domain/access/identity.ts';
import { z } from 'zod';
import { recordEvent } from '../events/events.ts';
import { createCtx, type Services } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { parseBody } from '../platform/http/parse.ts';
import { findTargets } from './commands.store.ts';
import { getCommandRow } from './commands.ts';
import { fire, prepare } from './executions.ts';

const Call = z.object({
  type: z.enum(['o', 'r', 'e']),
  /** The due time: ISO text, `YYYY-MM-DD HH:mm:ss` in UTC, or milliseconds since 1970. */
  time: z.union([z.number().min(0).max(8.64e15), z.string().max(40)]).transform((given, issues) => {
    const text = typeof given === 'string' && /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(given) ? `${given.replace(' ', 'T')}Z` : given;
    const at = new Date(text);
    if (Number.isNaN(at.getTime())) issues.addIssue('time is a moment such as 2026-01-31T08:30:00Z');
    return at;
  }),
});

/**
 * design 8.1: handles `POST /command/{id}` on the private listener, for an external scheduler. A repeated call for the same time sends only
 * once.
 */
export const schedulerCall =
  (services: Services) =>
  async (id: number, body: unknown): Promise<{ status: number; body: object }> => {
    const ctx = createCtx(services, nobody);
    try {
      const { type, time } = parseBody(Call, body);
      const command = await getCommandRow(ctx, id);
      const devices = await findTargets(ctx.db, command.channel_pk, command.device_ids);
      if (devices.length === 0) throw new AppError(409, 'conflict', 'The devices of this command have been deleted.');
      // Before the transaction: an encoder may take seconds, in which no connection is held.
      const encoded = await prepare(ctx, command, devices);
      return await ctx.transaction(async (tx) => {
        const dedupe_key = `scheduler ${id} ${type} ${time.toISOString()}`;
        const fired = await fire(tx, command, { source: 'schedule', devices, encoded, due_at: time, dedupe_key });
        if (fired)
          await recordEvent(tx, 'send', 'command', id, { execution_id: fired.execution_id, devices: devices.length, by: 'scheduler' });
        return { status: 200, body: { execution_id: fired?.execution_id ?? null } };
      });
    } catch (error) {
      if (error instanceof AppError) return { status: error.status, body: { message: error.message } };
      throw error;
    }
  };
