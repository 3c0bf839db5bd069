import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { connectionSettings } from './database.ts';
import type { Logger } from './log.ts';

const folder = new URL('../migrations/', import.meta.url);

/** Migrates forward only: each file once, in one transaction each, under a lock that other starts wait for. */
export async function migrate(databaseUrl: string, log: Logger): Promise<void> {
  const client = new pg.Client(connectionSettings(databaseUrl, 'migrations'));
  // A connection that is lost between two statements makes the next statement fail.
  client.on('error', () => {});
  await client.connect();
  try {
    await prepareLedger(client);
    const done = new Set((await client.query<{ name: string }>('select name from console.migration')).rows.map((row) => row.name));
    const pending = (await readdir(folder)).filter((name) => name.endsWith('.sql') && !done.has(name)).sort();
    for (const name of pending) await apply(client, name, log);
  } finally {
    await client.end();
  }
}

/** Two concurrent first starts may both try to create the schema: the slower one tries again. */
async function prepareLedger(client: pg.Client): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`
        create schema if not exists console;
        create table if not exists console.migration (name text primary key, applied_at timestamptz not null default now())`);
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

async function apply(client: pg.Client, name: string, log: Logger): Promise<void> {
  const text = await readFile(new URL(name, folder), 'utf8');
  await client.query('begin');
  try {
    await client.query('lock table console.migration in access exclusive mode');
    const { rowCount } = await client.query('insert into console.migration (name) values ($1) on conflict do nothing', [name]);
    if (rowCount === 1) {
      await client.query(text);
      log.info({ migration: name }, 'migration applied');
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
