import pg from 'pg';
import { connectionSettings } from './database.ts';
import type { Logger } from './log.ts';
import { hangUp } from './pg-internals.ts';

const usualTiming = { busyMs: 5000, answerWithinMs: 8000, lookEveryMs: 1000 };

/** An error with a code of PostgreSQL is an answer, even if it is a refusal. */
const isAnswer = (error: unknown) => error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code));

/** Asks on a new connection: one that is in use may only be slow. */
async function isSilent(databaseUrl: string, answerWithinMs: number): Promise<boolean> {
  const limits = { connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs };
  const client = new pg.Client({ ...connectionSettings(databaseUrl, 'silence check'), ...limits });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return false;
  } catch (error) {
    return !isAnswer(error);
  } finally {
    hangUp(client);
  }
}

/**
 * Ends the connections of a pool when the database has fallen silent, as it does behind a network that drops packets. Statements that wait
 * for it then fail at once as "not available", instead of after the time limit of the longest statement. Returns a function that stops it.
 */
export function endSilentConnections(pool: pg.Pool, databaseUrl: string, log: Logger, timing = usualTiming): () => void {
  const open = new Set<pg.PoolClient>();
  const busySince = new Map<pg.PoolClient, number>();
  let isChecking = false;

  pool.on('connect', (client) => void open.add(client));
  pool.on('acquire', (client) => {
    open.add(client); // It may be older than this check.
    busySince.set(client, Date.now());
  });
  pool.on('release', (_error, client) => void busySince.delete(client));
  pool.on('remove', (client) => {
    open.delete(client);
    busySince.delete(client);
  });

  const look = async () => {
    const isAnyLong = [...busySince.values()].some((since) => Date.now() - since > timing.busyMs);
    if (isChecking || !isAnyLong) return;
    isChecking = true;
    const isGone = await isSilent(databaseUrl, timing.answerWithinMs);
    isChecking = false;
    if (isGone) {
      log.warn({ connections: open.size }, 'the database does not answer, its connections are ended');
      for (const client of open) hangUp(client);
    } else {
      // The statement is only slow; the next check waits as long as the first one.
      for (const client of busySince.keys()) busySince.set(client, Date.now());
    }
  };
  const timer = setInterval(() => void look(), timing.lookEveryMs).unref();
  return () => clearInterval(timer);
}
