import { setTimeout as delay } from 'node:timers/promises';
import { dataSourcesApi, type SchemaTable } from '@telltale/domain/data-sources/contract.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { type Job, jobsApi } from '@telltale/domain/jobs/contract.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { closedPort } from '../connectors/testing/cutting-proxy.ts';
import { sendJson, serverForTest } from '../connectors/testing/local-server.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { refreshStaleSchemas } from './schemas.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url, TELLTALE_ALLOW_PRIVATE: '127.0.0.1' } });
const admin = app.as(app.admin);
const target = await targetDatabase();
await target.query(`
  create table reading (at timestamptz, value double precision);
  create schema other; create table other.reading (id int);
  create table "Quo""ted; drop table reading" ("a'b" int)`);
await app.startWorker();

const nowhere = { host: '127.0.0.1', port: await closedPort(), dbname: 'x', sslmode: 'disable' };
const newSource = (options: Record<string, unknown> = target.options) => app.make.dataSource({ options });

async function ended(client: typeof admin, { id }: Job): Promise<Job> {
  for (;;) {
    const { job } = await client.get(jobsApi.get, { params: { id } });
    if (job.status >= 3) return job;
    await delay(20);
  }
}

type Answer = { schema: SchemaTable[]; refreshed_at?: string } | { job: Job };
const ask = async (id: number, refresh?: string): Promise<Answer> =>
  admin.get(dataSourcesApi.schema, { params: { id }, query: { refresh } });
const schemaOf = (answer: Answer) => ('schema' in answer ? answer.schema.map(({ name }) => name) : 'a job');
const jobOf = (answer: Answer) => {
  if (!('job' in answer)) throw new Error('There is no job.');
  return answer.job;
};
const read = async (id: number, refresh?: string) => ended(admin, jobOf(await ask(id, refresh)));

describe('server-behaviour 18.5: the schema', () => {
  test('is read by a job and then answered from the cache', async () => {
    const { id } = await newSource();
    const job = await read(id);
    expect(job.status).toBe(3);
    const tables = job.result as SchemaTable[];
    expect(tables.map(({ name }) => name)).toEqual(['Quo"ted; drop table reading', 'other.reading', 'reading']);
    expect(tables.at(-1)?.columns).toEqual([
      { name: 'at', type: 'timestamp with time zone' },
      { name: 'value', type: 'double precision' },
    ]);
    const cached = await ask(id);
    expect(cached).toMatchObject({ schema: tables, refreshed_at: expect.stringMatching(/Z$/) });
    expect(await target.query('select * from reading')).toEqual([]);
  });

  test('has tables and columns by name, in whatever order the source tells them', async () => {
    const type = { kind: 'SCALAR', name: 'String' };
    const types = ['Room', 'Device', 'device', 'Äther'].map((name) => ({
      ...{ kind: 'OBJECT', name },
      fields: ['name', 'id', 'Owner'].map((field) => ({ name: field, type })),
    }));
    const server = await serverForTest((_request, response) => sendJson(response, { data: { __schema: { types } } }));
    const { id } = await app.make.dataSource({ type: 'graphql', options: { url: `${server.origin}/graphql` } });
    const tables = (await read(id)).result as SchemaTable[];
    expect(tables.map(({ name }) => name)).toEqual(['Device', 'Room', 'device', 'Äther']);
    for (const { columns } of tables) expect(columns.map(({ name }) => name)).toEqual(['Owner', 'id', 'name']);
    expect(await ask(id)).toMatchObject({ schema: tables });
  });

  test('ten who ask at once share one job', async () => {
    // The source answers only after all ten requests, because requests do not join a finished job.
    const asked = Promise.withResolvers<void>();
    const server = await serverForTest(async (_request, response) => {
      await asked.promise;
      sendJson(response, { data: { __schema: { types: [] } } });
    });
    const { id } = await app.make.dataSource({ type: 'graphql', options: { url: `${server.origin}/graphql` } });
    const jobs = await Promise.all(Array.from({ length: 10 }, () => ask(id, '')));
    asked.resolve();
    expect(new Set(jobs.map((answer) => jobOf(answer).id)).size).toBe(1);
    expect((await ended(admin, jobOf(jobs[0] as Answer))).status).toBe(3);
  });

  test('any refresh parameter reads it again, and the old one is shown meanwhile', async () => {
    const { id } = await newSource();
    await read(id);
    await target.query('create table later (id int)');
    expect(schemaOf(await ask(id))).not.toContain('later');
    const again = jobOf(await ask(id, 'true'));
    expect(schemaOf(await ask(id))).not.toBe('a job');
    await ended(admin, again);
    expect(schemaOf(await ask(id))).toContain('later');
    await target.query('drop table later');
  });

  test('is kept when the source cannot be reached any more', async () => {
    const { id } = await newSource();
    await read(id);
    const sealed = app.ctx.secrets.seal(JSON.stringify(nowhere));
    await sql`update data_sources set options_sealed = ${sealed}, version = version + 1 where id = ${id}`.execute(app.ctx.db);
    const job = await read(id, 'true');
    expect(job).toMatchObject({
      status: 4,
      error: { code: 2, message: 'Error retrieving schema', details: expect.stringMatching(/^127\.0\.0\.1:\d+ refused the connection\.$/) },
    });
    expect(schemaOf(await ask(id))).toContain('reading');
  });

  test('is forgotten when the settings change', async () => {
    const { id, name } = await newSource();
    await read(id);
    await admin.get(dataSourcesApi.save, { params: { id }, body: { name, type: 'pg', options: target.options } });
    expect(schemaOf(await ask(id))).toBe('a job');
  });

  test('W8: only the caller sees the job', async () => {
    const { id } = await newSource();
    const [ann, bob] = [app.as(await app.make.user()), app.as(await app.make.user())];
    const job = jobOf(await ann.get(dataSourcesApi.schema, { params: { id } }));
    expect((await bob.call(jobsApi.get, { params: { id: job.id } })).status).toBe(404);
    expect((await ended(ann, job)).status).toBe(3);
  });

  test('W43: only schemas that somebody looked at are kept fresh, and not those of paused sources', async () => {
    const [seen, unseen, paused] = [await newSource(), await newSource(), await newSource()];
    for (const { id } of [seen, paused]) await read(id);
    await sql`update data_source_schemas set refreshed_at = now() - interval '31 minutes', tables = '[]'`.execute(app.ctx.db);
    await admin.get(dataSourcesApi.pause, { params: { id: paused.id }, body: {} });
    await refreshStaleSchemas(app.ctx);
    await expect.poll(async () => schemaOf(await ask(seen.id))).toContain('reading');
    expect(schemaOf(await ask(paused.id))).toEqual([]);
    const { rows } = await sql`select from data_source_schemas where data_source_id = ${unseen.id}`.execute(app.ctx.db);
    expect(rows).toEqual([]);
  });

  test('server-behaviour 18.5: one that nobody has read for a week is forgotten, one that somebody reads stays', async () => {
    const [read7, unread] = [await newSource(), await newSource()];
    for (const { id } of [read7, unread]) await read(id);
    const age = (id: number, days: number) =>
      sql`update data_source_schemas set read_at = now() - make_interval(days => ${days}) where data_source_id = ${id}`.execute(app.ctx.db);
    await age(read7.id, 6);
    await age(unread.id, 8);
    await ask(read7.id);
    await refreshStaleSchemas(app.ctx);
    const { rows } = await sql<{ data_source_id: number; is_noted: boolean }>`
      select data_source_id, read_at > now() - interval '1 minute' as is_noted from data_source_schemas
      where data_source_id = any(${[read7.id, unread.id]})`.execute(app.ctx.db);
    expect(rows).toEqual([{ data_source_id: read7.id, is_noted: true }]);
  });

  test('one that was read with older settings is never shown as that of the new ones', async () => {
    // Only this test uses these databases: nothing else reads their schemas or waits for them.
    const [old, other] = [await targetDatabase(), await targetDatabase()];
    await other.query('create table elsewhere (id int)');
    const { id, name } = await newSource(old.options);
    // The read with the old settings is blocked while new ones are saved.
    const held = new pg.Client(inject('postgres').superuserUrl.replace(/[^/]*$/, old.options.dbname));
    await held.connect();
    try {
      await held.query('begin; lock table pg_catalog.pg_attribute in access exclusive mode');
      const slow = jobOf(await ask(id));
      // Catalog tables have the same ids in every database, and pg_locks lists the locks of all of them.
      const waiting = `select from pg_locks where not granted and relation = 'pg_attribute'::regclass
        and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(async () => (await held.query(waiting)).rowCount).toBe(1);
      await admin.get(dataSourcesApi.save, { params: { id }, body: { name, type: 'pg', options: other.options } });
      const anew = jobOf(await ask(id));
      expect(anew.id).not.toBe(slow.id);
      expect((await ended(admin, anew)).status).toBe(3);
      await held.query('rollback');
      expect((await ended(admin, slow)).status).toBe(3);
    } finally {
      await held.end();
    }
    expect(schemaOf(await ask(id))).toEqual(['elsewhere']);
  });

  test('a source with hundreds of tables is read whole', async () => {
    const big = await targetDatabase();
    await big.query(`do $$ begin for i in 1..400 loop execute format('create table t%s (a int, b text)', i); end loop; end $$`);
    const { id } = await newSource(big.options);
    expect((await read(id)).result).toHaveLength(400);
  });
});

describe('server-behaviour 18.6: databases of a source', () => {
  const tables = async (id: number, database: string, refresh?: string) =>
    admin.get(dataSourcesApi.tables, { params: { id, database }, query: { refresh } });

  test('are listed, with their tables and columns', async () => {
    const { id } = await newSource();
    const found = await admin.get(dataSourcesApi.databases, { params: { id } });
    expect(found).toContain(target.options.dbname);
    const job = await tables(id, target.options.dbname);
    if ('job' in job) await ended(admin, job.job);
    expect(await tables(id, target.options.dbname)).toMatchObject({ has_columns: true, schema: expect.arrayContaining([]) });
    const params = { id, database: target.options.dbname, table: 'reading' };
    expect(await admin.get(dataSourcesApi.columns, { params })).toEqual([
      { name: 'at', type: 'timestamp with time zone' },
      { name: 'value', type: 'double precision' },
    ]);
    expect(await admin.get(dataSourcesApi.columns, { params: { ...params, table: 'no such' } })).toEqual([]);
  });

  test('a job that reads them ends with what would have been answered', async () => {
    const { id } = await newSource();
    const database = target.options.dbname;
    const columns = [
      { name: 'at', type: 'timestamp with time zone' },
      { name: 'value', type: 'double precision' },
    ];
    const ofColumns = await admin.get(dataSourcesApi.columns, { params: { id, database, table: 'reading' } });
    if (!('job' in ofColumns)) throw new Error('nothing has been read yet');
    expect((await ended(admin, ofColumns.job)).result).toEqual(columns);
    const ofTables = await tables(id, database, 'true');
    if (!('job' in ofTables)) throw new Error('a refresh reads again');
    expect((await ended(admin, ofTables.job)).result).toMatchObject({
      has_columns: true,
      schema: expect.arrayContaining([expect.objectContaining({ name: 'reading', columns })]),
    });
  });

  test('one that is not there fails with a reason', async () => {
    const { id } = await newSource();
    const answer = await tables(id, "no'such; drop");
    expect('job' in answer && (await ended(admin, answer.job)).error).toMatchObject({
      code: 2,
      details: expect.stringContaining('does not exist'),
    });
  });

  test('security 32: a name that the source does not list leaves nothing behind, and is refused once the list is known', async () => {
    const { id } = await newSource();
    const plain = app.as(await app.make.user());
    const bogus = (database: string, refresh?: string) =>
      plain.call(dataSourcesApi.tables, { params: { id, database }, query: { refresh } });
    const job = (await bogus('bogus-1')).body;
    if (!('job' in job)) throw new Error('There is no job.');
    expect((await ended(plain, job.job)).status).toBe(4);
    expect(await bogus('bogus-2')).toMatchObject({ status: 404, message: 'Database not found.' });
    const params = { id, database: 'bogus-3', table: 't' };
    expect((await plain.call(dataSourcesApi.columns, { params })).status).toBe(404);
    const again = (await bogus('bogus-4', 'true')).body;
    expect('job' in again && (await ended(plain, again.job)).status).toBe(4);
    const { rows } = await sql`select database from data_source_schemas where data_source_id = ${id}`.execute(app.ctx.db);
    expect(rows).toEqual([]);
  });

  test('the list is kept for a while, and read again when somebody asks for that', async () => {
    const { id } = await newSource();
    const list = (refresh?: string) => admin.get(dataSourcesApi.databases, { params: { id }, query: { refresh } });
    await list();
    const later = await targetDatabase();
    expect(await list()).not.toContain(later.options.dbname);
    expect(await list('true')).toContain(later.options.dbname);
    expect(await list()).toContain(later.options.dbname);
  });

  test('server-behaviour 18.6: a kind without databases is a 400', async () => {
    const { id } = await app.make.dataSource({ type: 'json', options: { base_url: 'https://example.com' } });
    const params = { id, database: 'x', table: 'y' };
    const message = 'This data source has no databases to choose from.';
    expect(await admin.call(dataSourcesApi.databases, { params })).toMatchObject({ status: 400, message });
    expect(await admin.call(dataSourcesApi.tables, { params })).toMatchObject({ status: 400, message });
    expect(await admin.call(dataSourcesApi.columns, { params })).toMatchObject({ status: 400, message });
  });

  test('a source that cannot be reached says so', async () => {
    const { id } = await newSource(nowhere);
    const answer = await admin.get(dataSourcesApi.databases, { params: { id } });
    const job = Array.isArray(answer) ? undefined : await ended(admin, answer.job);
    expect(job).toMatchObject({ status: 4, error: { code: 2, message: 'Error retrieving database list.' } });
  });
});

describe('server-behaviour 18.2: testing a connection', () => {
  const unsaved = (options: Record<string, unknown>, id?: number) =>
    admin.get(dataSourcesApi.testUnsaved, { body: { type: 'pg', options, id } });

  test('a saved source that answers, and one that does not', async () => {
    const [good, bad] = [await newSource(), await newSource(nowhere)];
    expect(await admin.get(dataSourcesApi.test, { params: { id: good.id } })).toEqual({ ok: true, message: 'success' });
    const failed = await admin.get(dataSourcesApi.test, { params: { id: bad.id } });
    expect(failed).toMatchObject({ ok: false, message: `${nowhere.host}:${nowhere.port} refused the connection.` });
  });

  test('settings that are not saved', async () => {
    expect(await unsaved(target.options)).toEqual({ ok: true, message: 'success' });
    const wrong = await unsaved({ ...target.options, password: 'wrong' });
    expect(wrong).toMatchObject({ ok: false, message: expect.stringContaining('password authentication failed') });
  });

  test('security 6: an account that can read files or run programs works, and is warned of', async () => {
    const { username, password } = new URL(inject('postgres').superuserUrl);
    const superuser = { ...target.options, user: decodeURIComponent(username), password: decodeURIComponent(password) };
    expect(await unsaved(superuser)).toEqual({
      ok: true,
      message: 'success',
      warning:
        'The account can read files, write files and run programs on the database server (it is a superuser). Use one that can only read what people here may see.',
    });
    // Roles exist server-wide; iot-data.test.ts counts them, but not those with this prefix.
    const role = `telltale_reader_of_files_${process.pid}`;
    const owner = new pg.Client({ ...superuser, database: target.options.dbname });
    await owner.connect();
    try {
      await owner.query(`create role ${role} login password 'p' in role pg_read_server_files`);
      expect(await unsaved({ ...target.options, user: role, password: 'p' })).toMatchObject({
        ok: true,
        warning: expect.stringContaining('The account can read files on the database server (pg_read_server_files).'),
      });
    } finally {
      await owner.query(`drop role if exists ${role}`);
      await owner.end();
    }
  });

  test('the stored secret stands for the dashes of that source, and of no other', async () => {
    const { id } = await newSource();
    const other = await newSource({ ...target.options, password: 'wrong' });
    const masked = { ...target.options, password: secretMask };
    expect((await unsaved(masked, id)).ok).toBe(true);
    expect((await unsaved(masked)).ok).toBe(false);
    expect((await unsaved(masked, other.id)).ok).toBe(false);
  });

  test('a sign-in that fails leaves no connection waiting on the server', async () => {
    for (const password of [undefined, 'wrong']) await unsaved({ ...target.options, password });
    // Starting connections have no database yet, so those of other tests count as well, but they do not last.
    const starting = async () =>
      (
        await target.query<{ pid: number }>(`select pid from pg_stat_activity where backend_type = 'client backend' and state = 'starting'`)
      ).map(({ pid }) => pid);
    const seen = await starting();
    await expect.poll(async () => (await starting()).filter((pid) => seen.includes(pid))).toEqual([]);
  });

  test('the tested settings are sealed in the job', async () => {
    await unsaved({ ...target.options, password: 'canary-password' });
    const { rows } = await sql<{ text: string }>`select jobs::text as text from jobs`.execute(app.ctx.db);
    const all = rows.map(({ text }) => text).join('\n');
    expect(all).toContain('data_sources.test');
    expect(all).not.toContain('canary-password');
  });

  test.each([
    '169.254.169.254',
    '169.254.1.1',
    '::ffff:169.254.169.254',
    '[fe80::1]',
    'fd00:ec2::254',
    '2852039166',
    '0xA9FEA9FE',
    '169.254.43518',
  ])('design 8: the link-local host %s is never connected to', async (host) => {
    expect(await unsaved({ ...target.options, host })).toMatchObject({ ok: false, message: expect.stringContaining('Link-local') });
  });

  test.each(['/tmp', '/var/run/postgresql', 'a b', 'x/../y', 'http://example.com', 'host?x=1', '@x'])(
    'security 8: %s is no host',
    async (host) => {
      expect(await unsaved({ ...target.options, host })).toMatchObject({
        ok: false,
        message: expect.stringContaining('is not the name of a host'),
      });
    },
  );

  test('an unknown option is refused before anything is tried', async () => {
    const reply = await admin.call(dataSourcesApi.testUnsaved, { body: { type: 'pg', options: { ...target.options, init: 'x' } } });
    expect(reply).toMatchObject({ status: 400, message: 'Unknown field: init.' });
  });

  test('only administrators', async () => {
    const { id } = await newSource();
    const plain = app.as(await app.make.user());
    expect((await plain.call(dataSourcesApi.test, { params: { id } })).status).toBe(403);
    expect((await plain.call(dataSourcesApi.testUnsaved, { body: { type: 'pg', options: target.options } })).status).toBe(403);
  });
});
