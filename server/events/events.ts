import type { StoredEvent, UsageEvent } from '@telltale/domain/events/contract.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { sql } from 'kysely';
import type { Ctx, ReaderCtx, UserCtx } from '../platform/context.ts';
import { listPage } from '../platform/lists.ts';

/** What the server itself noticed: who did what to which object. Never texts, parameters or secrets (W44). */
export async function recordEvent(
  ctx: Ctx,
  action: string,
  object_type: string,
  object_id?: number | string,
  properties: Record<string, string | number | boolean | null> = {},
): Promise<void> {
  const { identity } = ctx;
  const userId = identity.kind === 'user' ? identity.id : null;
  const all = { ...properties, user_agent: ctx.request.userAgent, ip: ctx.request.address };
  await sql`
    insert into events (org_id, user_id, action, object_type, object_id, properties)
    select id, ${userId}, ${action}, ${object_type}, ${object_id === undefined ? null : String(object_id)}, ${JSON.stringify(all)}::jsonb
    from organizations limit 1`.execute(ctx.db);
}

/** Q7: a batch of usage events from the browser, in one statement. */
export async function recordUsage(ctx: ReaderCtx, events: UsageEvent[]): Promise<null> {
  if (events.length === 0) return null;
  const userId = ctx.identity.kind === 'user' ? ctx.identity.id : null;
  const by = ctx.identity.kind === 'user' ? {} : { api_key: ctx.identity.name };
  const rows = events.map(({ action, object_type, object_id, timestamp, ...rest }) => ({
    action,
    object_type,
    object_id: object_id == null ? null : String(object_id),
    at: new Date(believed(timestamp, ctx.now)).toISOString(),
    properties: { ...rest, ...by, user_agent: ctx.request.userAgent, ip: ctx.request.address },
  }));
  await sql`
    insert into events (org_id, user_id, action, object_type, object_id, properties, created_at)
    select ${ctx.identity.org_id}, ${userId}::int, action, object_type, object_id, properties, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(action text, object_type text, object_id text, properties jsonb, at timestamptz)`.execute(
    ctx.db,
  );
  return null;
}

/** A browser may send an event late, but it cannot date one into the future or into the long past. */
function believed(timestamp: number | undefined, now: Date): number {
  const at = timestamp === undefined ? now.getTime() : timestamp * 1000;
  return at > now.getTime() - 86_400_000 && at <= now.getTime() ? at : now.getTime();
}

export function listEvents(ctx: UserCtx, params: ListParams): Promise<Page<StoredEvent>> {
  return listPage<StoredEvent>(ctx.db, params, {
    fields: sql`events.org_id, events.user_id, users.name as user_name, action, object_type, object_id, events.created_at,
      properties->>'user_agent' as browser, properties->>'ip' as location, properties - 'user_agent' - 'ip' as details`,
    from: sql`events left join users on users.id = events.user_id`,
    where: sql`true`,
    order: sql`events.created_at desc, events.id desc`,
  });
}

/** Usage is kept for a year. */
export const forgetOldEvents = (ctx: Ctx) => sql`delete from events where created_at < now() - interval '365 days'`.execute(ctx.db);
