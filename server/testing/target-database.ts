import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject, onTestFinished } from 'vitest';

export interface TargetDatabase {
  url: string;
  /** The options of a data source of type `pg` for this database. */
  options: Record<string, unknown> & { host: string; port: number; dbname: string };
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
  /** Statements that run there now, without this one. */
  running(): Promise<string[]>;
  /** A gate: a statement that contains its `waits` text runs until the gate is opened, as long as the test needs. */
  gate(): Promise<Gate>;
}

interface Gate {
  waits: string;
  open(): Promise<void>;
}

/** A target database for queries: empty, on the server of the tests, dropped when the file ends. */
export async function targetDatabase(): Promise<TargetDatabase> {
  const { url, superuserUrl } = inject('postgres');
  const dbname = `target_${randomBytes(8).toString('hex')}`;
  const owner = new URL(url);
  // The connection avoids the template database: it must have no connections while it is cloned.
  const admin = new pg.Client(superuserUrl.replace(/[^/]*$/, 'postgres'));
  await admin.connect();
  await admin.query(`create database ${dbname} template template0 owner ${owner.username} strategy file_copy`);
  const own = new URL(url);
  own.pathname = `/${dbname}`;
  const client = new pg.Client(own.toString());
  client.on('error', () => {});
  await client.connect();
  afterAll(async () => {
    await client.end();
    await admin.query(`drop database if exists ${dbname} with (force)`);
    await admin.end();
  });
  let gates = 0;
  const query = async <R extends pg.QueryResultRow>(text: string, values?: unknown[]) => (await client.query<R>(text, values)).rows;
  return {
    url: own.toString(),
    options: {
      host: own.hostname,
      port: Number(own.port),
      user: decodeURIComponent(own.username),
      password: decodeURIComponent(own.password),
      dbname,
      sslmode: 'disable',
    },
    query,
    running: async () => {
      const rows = await query<{ query: string }>(
        "select query from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()",
      );
      return rows.map((row) => row.query);
    },
    gate: async () => {
      const key = ++gates;
      let isOpen = false;
      const open = async () => {
        if (!isOpen) await query(`select pg_advisory_unlock(${key})`);
        isOpen = true;
      };
      await query(`select pg_advisory_lock(${key})`);
      // A failed test opens the gate, too.
      onTestFinished(open);
      return { waits: `pg_advisory_xact_lock_shared(${key})::text`, open };
    },
  };
}
