import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../platform/log.ts';
import { hasCode } from './atomic-file.ts';
import { StartError } from './start-error.ts';

const oldestVersion = 15;

/** Error codes of a database that refuses us; waiting would not change them. */
const refusals = ['28P01', '28000', '3D000', '42501'];

/** Waits for the database of DATABASE_URL, which may be starting at the same time as we are. */
export async function waitForExternalPostgres(url: string, log: Logger, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let hasWarned = false; ; hasWarned = true) {
    try {
      return await checkVersion(url);
    } catch (error) {
      if (error instanceof StartError) throw error;
      const reason = describe(error);
      if (hasCode(error, ...refusals) || performance.now() > deadline) {
        throw new StartError(`The database at ${shownDatabase(url)} cannot be used: ${reason}. Check DATABASE_URL.`, { cause: error });
      }
      if (!hasWarned) log.warn({ database: shownDatabase(url), reason }, 'waiting for the database');
      await sleep(500);
    }
  }
}

/** Host, port and name; never the password. */
export function shownDatabase(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`;
}

async function checkVersion(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    const version = rows[0]?.version ?? '';
    if (Number.parseInt(version, 10) < oldestVersion) {
      throw new StartError(
        `The database at ${shownDatabase(connectionString)} is PostgreSQL ${version}; ${oldestVersion} or newer is needed.`,
      );
    }
  } finally {
    await client.end().catch(() => {});
  }
}

/** A host with several addresses fails with several errors and no message of its own. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
