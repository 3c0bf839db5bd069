import type { StoredEvent, UsageEvent } from '@telltale/domain/events/contract.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { noteSignIn } from '../audit/audit.ts';
import type { Ctx, ReaderCtx, UserCtx } from '../platform/context.ts';
import { deleteOldEvents, insertEvent, insertEvents, listEventRows } from './events.store.ts';
import { requireOwnViews, requireUsageRoom } from './usage-limits.ts';

/** Records an event that the server observed: who did what to which object. Never texts, parameters or secrets (W44). */
export async function recordEvent(
  ctx: Ctx,
  action: string,
  object_type: string,
  object_id?: number | string,
  properties: Record<string, string | number | boolean | null> = {},
): Promise<void> {
  const { identity } = ctx;
  // Every kind of sign-in also goes to the audit log.
  if (action === 'login') await noteSignIn(ctx, 'login');
  await insertEvent(ctx.db, {
    user_id: identity.kind === 'user' ? identity.id : null,
    action,
    object_type,
    object_id: object_id === undefined ? null : String(object_id),
    properties: { ...properties, user_agent: ctx.request.userAgent, ip: ctx.request.address },
  });
}

/** Q7: a batch of usage events from the browser, in one statement. */
export async function recordUsage(ctx: ReaderCtx, events: UsageEvent[]): Promise<null> {
  if (events.length === 0) return null;
  requireOwnViews(ctx, events);
  requireUsageRoom(ctx, events);
  const userId = ctx.identity.kind === 'user' ? ctx.identity.id : null;
  const by = ctx.identity.kind === 'user' ? {} : { api_key: ctx.identity.name };
  const rows = events.map(({ action, object_type, object_id, timestamp, ...rest }) => ({
    action,
    object_type,
    object_id: object_id == null ? null : String(object_id),
    at: new Date(believed(timestamp, ctx.now)).toISOString(),
    // Events reported by a browser are marked as such.
    properties: { ...rest, ...by, reported_by: 'browser', user_agent: ctx.request.userAgent, ip: ctx.request.address },
  }));
  await insertEvents(ctx.db, ctx.identity.org_id, userId, rows);
  return null;
}

/** Accepts late events from a browser, but none from the future or more than a day old. */
function believed(timestamp: number | undefined, now: Date): number {
  const at = timestamp === undefined ? now.getTime() : timestamp * 1000;
  return at > now.getTime() - 86_400_000 && at <= now.getTime() ? at : now.getTime();
}

export const listEvents = (ctx: UserCtx, params: ListParams): Promise<Page<StoredEvent>> => listEventRows(ctx.db, params);

/** Deletes usage events after a year. */
export const forgetOldEvents = (ctx: Ctx) => deleteOldEvents(ctx.db);
