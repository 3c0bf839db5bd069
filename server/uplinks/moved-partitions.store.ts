import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** Partitions that `npm run move-history` has copied to the end; what was written later went to ClickHouse by the outbox. */
export async function listMovedPartitions(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ part: string }>`
    select part from telemetry.history_moves where done_at is not null and part like 'metric_point%'`.execute(db);
  return new Set(rows.map(({ part }) => part));
}
