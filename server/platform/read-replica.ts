import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { createDb, createPool } from './database.ts';
import type { DB } from './database-types.ts';
import type { Logger } from './log.ts';

/** A replica that is further behind than this is not read from. */
const mostLagMs = 10_000;
/** What is known of it is believed for this long; one that is away is looked for again after the second time. */
const [believedMs, awayMs] = [1000, 5000];
const patienceMs = 1500;

export interface ReadReplica {
  url: string;
  /** Where reads that tolerate some seconds of lag go, or undefined while it is away or too far behind. */
  db(): Promise<Kysely<DB> | undefined>;
  /** Checks the replica now and ignores the cached state. */
  isWell(): Promise<boolean>;
  stop(): Promise<void>;
}

/** DATABASE_READ_URL: a streaming replica for readers. Nothing depends on it: who finds it away reads from the primary. */
export function createReadReplica(url: string, primary: Kysely<DB>, name: string, connections: number, log: Logger): ReadReplica {
  const db = createDb(createPool(url, `${name} reads`, connections, log));
  let known = { isWell: false, until: 0 };
  let looking: Promise<boolean> | undefined;

  const look = async (): Promise<boolean> => {
    const lag = await Promise.race([lagOf(db, primary), delay(patienceMs, undefined, { ref: false })]).catch(() => undefined);
    const isWell = lag !== undefined && lag <= mostLagMs;
    if (isWell !== known.isWell) log.info({ lag_ms: lag }, isWell ? 'the read replica is used' : 'the read replica is away or behind');
    known = { isWell, until: performance.now() + (isWell ? believedMs : awayMs) };
    return isWell;
  };
  const isWell = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  return {
    url,
    isWell,
    db: async () => ((performance.now() < known.until ? known.isWell : await isWell()) ? db : undefined),
    stop: () => db.destroy(),
  };
}

/** By the beats of our own processes, which come every second: a replica that lost its primary shows no newer ones. */
async function lagOf(replica: Kysely<DB>, primary: Kysely<DB>): Promise<number> {
  const [seen, now] = await Promise.all([
    sql<{ at: string | null }>`select max(heartbeat_at)::text as at from processes`.execute(replica),
    sql<{ at: string }>`select clock_timestamp()::text as at`.execute(primary),
  ]);
  const beat = Date.parse(seen.rows[0]?.at ?? '');
  return Number.isNaN(beat) ? Number.POSITIVE_INFINITY : Date.parse(now.rows[0]?.at ?? '') - beat;
}
