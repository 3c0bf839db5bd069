import { type Kysely, sql } from 'kysely';
import type { DB } from '../../platform/database-types.ts';
import { silentAfterMs } from '../../platform/process-registry.ts';

/** Ingest processes that are alive: the connections are divided between them. */
export async function countIngestProcesses(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from processes
    where role = 'ingest' and heartbeat_at > now() - make_interval(secs => ${silentAfterMs / 1000})`.execute(db);
  return rows[0]?.n ?? 1;
}
