import { sql } from 'kysely';
import type { Ctx } from '../../server/platform/context.ts';

/** Bytes that a message takes with its readings, indexes included: what sizing a disk starts from. */
export async function bytesPerMessage(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ bytes: number; messages: number }>`
    select (select sum(pg_total_relation_size(inhrelid))::float8 from pg_inherits
        where inhparent in ('telemetry.uplink'::regclass, 'telemetry.metric_point'::regclass)) as bytes,
      (select count(*)::int from telemetry.uplink) as messages`.execute(ctx.db);
  return (rows[0]?.bytes ?? 0) / Math.max(1, rows[0]?.messages ?? 0);
}
