import { Kysely, PostgresDialect, type Selectable, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from './database-types.ts';
import type { Logger } from './log.ts';
import { planningClient } from './planned-statements.ts';

export type Db = Kysely<DB> | Transaction<DB>;

/** Columns that are selected for what computing them does: `told` notifies, `disk` is `lazily()`. */
export interface Effects {
  told?: unknown;
  disk?: unknown;
}

/** Columns of a table as they are read, by the generated types: `sql<Columns<'users', 'id' | 'name'>>`. */
export type Columns<Table extends keyof DB, Name extends keyof Selectable<DB[Table]>> = Pick<Selectable<DB[Table]>, Name>;

/**
 * Times leave the database in the text format of answers: ISO 8601, cut to milliseconds, Z, no empty fraction (server-behaviour 1.3).
 * Connections run in UTC, so the offset is always +00.
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

/** A silent database is given up on, too. Every pool has an error handler: an idle connection that breaks is replaced, not fatal. */
export function createPool(databaseUrl: string, name: string, max: number, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(databaseUrl, name),
    Client: planningClient(),
    max,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    query_timeout: 60_000,
  });
  pool.on('error', (error) => log.warn({ err: error.message }, 'a database connection was lost'));
  // A connection can also break between two statements of a transaction; the next statement fails then.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const pools = new WeakMap<Db, pg.Pool>();

export function createDb(pool: pg.Pool): Kysely<DB> {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  pools.set(db, pool);
  return db;
}

/** The pool behind a database handle; a transaction has a connection of its own instead. */
export const poolOf = (db: Db): pg.Pool | undefined => pools.get(db);

/**
 * Selected by statements that need not be on disk when they are answered: either a later durable commit brings them there too, or nothing
 * is lost with them. It changes nothing inside a transaction, which decides for itself.
 */
export const lazily = (db: Db) => (db.isTransaction ? sql`null::text` : sql`set_config('synchronous_commit', 'off', true)`);
