import { beforeAll, describe, expect, test } from 'vitest';
import { type TargetDatabase, targetDatabase } from '../../testing/target-database.ts';
import { postgres, redshift } from '../postgres.ts';
import { startExecutors } from '../testing/executors.ts';
import { olderFront } from '../testing/older-front.ts';
import { runTable, testEnv } from '../testing/run-table.ts';

let target: TargetDatabase;
let other: TargetDatabase;

beforeAll(async () => {
  target = await targetDatabase();
  other = await targetDatabase();
  // The default settings of this database print values in formats that our parser does not read.
  for (const setting of [`datestyle = 'SQL, DMY'`, `intervalstyle = 'sql_standard'`, `timezone = 'Asia/Tokyo'`, `bytea_output = 'escape'`])
    await target.query(`alter database ${target.options.dbname} set ${setting}`);
});

const query = `select timestamptz '2026-01-31 10:00:00+00' as at, interval '1 day 5 seconds' as lasting, '\\x00ff'::bytea as bytes,
  current_setting('client_connection_check_interval') as watch`;
const values = { at: '2026-01-31T10:00:00Z', lasting: '1 day, 0:00:05', bytes: '00ff' };

const hidden = ['client_connection_check_interval'];
describe.each([
  ['a server that knows all settings', [], { ...values, watch: '5s' }],
  ['PostgreSQL before 14, which cannot look for its client', hidden, { ...values, watch: '0' }],
  ['a pooler, where nothing may be set at the start', ['options'], { ...values, watch: '0' }],
  ['one that does not know how else to print bytes', ['options', 'bytea_output'], { ...values, bytes: '\\000\\377', watch: '0' }],
] as const)('%s', (_name, unknown, row) => {
  test.each([postgres, redshift])('values can be read, by $type, after each statement', async (connector) => {
    const front = await olderFront(target.options, ...unknown);
    const connection = await connector.open({ ...target.options, port: front.port }, testEnv(), new AbortController().signal);
    try {
      for (let i = 0; i < 2; i++) {
        const { rows } = await runTable(connection, query);
        expect(rows).toEqual([row]);
      }
    } finally {
      await connection.close();
      await front.close();
    }
  });
});

/** Kills the executor of a running statement and waits until the server has stopped the statement. */
async function isStoppedByKill(
  executors: ReturnType<typeof startExecutors>,
  running: Promise<unknown>,
  isRunning: () => Promise<boolean>,
): Promise<void> {
  running.catch(() => {});
  await expect.poll(isRunning).toBe(true);
  for (const executor of await executors.pids()) process.kill(executor, 'SIGKILL');
  await expect(running).rejects.toThrow(/process ended/);
  await expect.poll(isRunning).toBe(false);
}

test.each([postgres, redshift])(
  'design 8: what a killed executor ran by $type is stopped where the server does not look for its client',
  async ({ type }) => {
    const front = await olderFront(target.options, ...hidden);
    const single = startExecutors(undefined, 1);
    const source = { type, options: { ...target.options, port: front.port } };
    const isRunning = async () => (await target.running()).some((text) => text.includes(`killed_${type}`));
    try {
      const running = single.run(source, `select count(*) from (select generate_series(1, 100000000000)) killed_${type}`);
      await isStoppedByKill(single, running, isRunning);
    } finally {
      await single.close();
      await front.close();
    }
  },
);

test('PostgreSQL before 10, which has no partitions, has a schema', async () => {
  const { dbname } = target.options;
  await target.query('create schema old');
  await target.query('create view old.pg_class as select oid, relname, relnamespace, relkind from pg_catalog.pg_class');
  await target.query('create table public.reading (id int)');
  await target.query(`alter database ${dbname} set search_path = old, pg_catalog, public`);
  const connection = await postgres.open(target.options, testEnv(), new AbortController().signal);
  try {
    const tables = await connection.schema(new AbortController().signal);
    expect(tables).toContainEqual({ name: 'reading', columns: [{ name: 'id', type: 'integer' }] });
  } finally {
    await connection.close();
    await target.query(`alter database ${dbname} reset search_path`);
  }
});

test('design 8: a killed executor’s statement is stopped in another database of the server, too', async () => {
  const front = await olderFront(target.options, ...hidden);
  const single = startExecutors(undefined, 1);
  const source = { key: 'elsewhere', type: 'pg', options: { ...target.options, port: front.port } };
  const isRunning = async () => (await other.running()).some((text) => text.includes('killed_elsewhere'));
  try {
    const query = 'select count(*) from (select generate_series(1, 100000000000)) killed_elsewhere';
    const task = { kind: 'run', source, statement: { query, database: other.options.dbname }, limits: {} } as const;
    const running = single.pool.perform(task, {}, new AbortController().signal);
    await isStoppedByKill(single, running, isRunning);
  } finally {
    await single.close();
    await front.close();
  }
});
