import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from './database-types.ts';
import type { Logger } from './log.ts';
import { PlanningClient } from './planned-statements.ts';

export type Db = Kysely<DB> | Transaction<DB>;

/**
 * Times leave the database as the text that crosses the wire: ISO 8601, cut to milliseconds, Z, no empty fraction
 * (server-behaviour 1.3). Connections run in UTC, so the offset is always +00.
 */
function wireTime(text: string): string {
  const [, date, time, fraction] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(text) ?? [];
  if (!date) return text;
  const ms = (fraction ?? '').slice(0, 3).padEnd(3, '0');
  return `${date}T${time}${ms === '000' ? '' : `.${ms}`}Z`;
}

const { builtins } = pg.types;
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, wireTime],
  [builtins.DATE, (text) => text],
  [builtins.INT8, Number],
]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    const own = format === 'binary' ? undefined : parsers.get(oid as number);
    return own ?? pg.types.getTypeParser(oid, format);
  },
};

export const connectionSettings = (databaseUrl: string, name: string): pg.PoolConfig => ({
  connectionString: databaseUrl,
  application_name: `telltale ${name}`,
  options: '-c timezone=UTC -c search_path=console,pg_catalog',
  types,
});

/** A database that is silent is given up on, too. Every pool has an error handler: an idle connection that breaks is replaced, not fatal. */
export function createPool(databaseUrl: string, name: string, max: number, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(databaseUrl, name),
    Client: PlanningClient,
    max,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    query_timeout: 60_000,
  });
  pool.on('error', (error) => log.warn({ err: error.message }, 'a database connection was lost'));
  // graphile-worker asks for one on every connection as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const pools = new WeakMap<Db, pg.Pool>();

export function createDb(pool: pg.Pool): Kysely<DB> {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  pools.set(db, pool);
  return db;
}

/** Where its connections come from; a transaction has one of its own. */
export const poolOf = (db: Db): pg.Pool | undefined => pools.get(db);

/**
 * To be selected by a statement that need not be on the disk when it is answered: a later commit that must be brings it
 * there too, or nothing is lost with it. Inside a transaction it changes nothing: that one decides for itself.
 */
export const lazily = (db: Db) => (db.isTransaction ? sql`null::text` : sql`set_config('synchronous_commit', 'off', true)`);
