import { DataSource, dataSourcesApi, type FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { eventsApi } from '@telltale/domain/events/contract.ts';
import { addressFieldsOf, typeSchemaOf } from '@telltale/domain/forms/fields.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { connectors } from '../connectors/index.ts';
import { testApp } from '../testing/test-app.ts';
import { ensureBuiltInSource } from './built-in-source.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const admin = app.as(app.admin);
const plain = await app.make.user();

const [one, two] = [await app.make.group(), await app.make.group()];
const inOne = await app.make.user({ groups: [], group_ids: [one.id] });
const inBoth = await app.make.user({ groups: [], group_ids: [one.id, two.id] });
const listFor = async (user: { api_key: string }) => DataSource.array().parse(await app.as(user).get(dataSourcesApi.list));

let count = 0;
const secret = 'p4ss-w0rd of the database';
const fields = (more: object = {}, options: object = {}) => ({
  name: `Warehouse ${++count}`,
  type: 'pg',
  options: { host: 'db.example.com', port: 5432, user: 'reader', password: secret, dbname: 'sales', ...options },
  ...more,
});
const create = (more?: object, options?: object) => admin.get(dataSourcesApi.create, { body: fields(more, options) });
const asFull = (source: unknown) => source as FullDataSource;
const stored = async (id: number) =>
  (
    await sql<{ options_sealed: Buffer; version: number }>`select options_sealed, version from data_sources where id = ${id}`.execute(
      app.ctx.db,
    )
  ).rows[0] ?? { options_sealed: Buffer.alloc(0), version: 0 };
const optionsAtRest = async (id: number) => JSON.parse(app.ctx.secrets.open((await stored(id)).options_sealed)) as Record<string, unknown>;

describe('server-behaviour 18.2: kinds', () => {
  test('types are listed by name with what they ask for; the built-in one is not offered', async () => {
    const types = await admin.get(dataSourcesApi.types);
    expect(types.map(({ name }) => name)).toEqual(types.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b, 'en')));
    expect(types.map(({ type }) => type)).not.toContain('telltale');
    const { configuration_schema: schema } = types.find(({ type }) => type === 'pg') ?? {};
    expect(schema).toMatchObject({ required: ['dbname'], secret: expect.arrayContaining(['password', 'sslkeyFile']) });
    const port = { type: 'number', title: 'Port', default: 5432, minimum: 1, maximum: 65_535, multipleOf: 1 };
    expect(schema?.properties.port).toEqual(port);
    expect(schema?.order?.slice(0, 5)).toEqual(['host', 'port', 'user', 'password', 'dbname']);
  });

  test('a source whose kind does not exist any more is answered without its options, and can be deleted', async () => {
    const { id } = await create();
    await sql`update data_sources set type = 'gone' where id = ${id}`.execute(app.ctx.db);
    const { body } = await admin.call(dataSourcesApi.get, { params: { id } });
    expect(body).toMatchObject({ id, type: 'gone', options: {} });
    expect((await admin.call(dataSourcesApi.remove, { params: { id } })).status).toBe(204);
  });

  test('what the form shows as a default is what a source without the option is opened with', () => {
    for (const { type, options } of connectors) {
      const { properties, required } = typeSchemaOf(options);
      for (const [name, property] of Object.entries(properties)) {
        if (required?.includes(name)) continue;
        const opened = (options.shape[name] as z.ZodType).parse(undefined);
        expect([type, name, opened]).toEqual([type, name, property.default]);
      }
    }
  });

  test('only administrators see them', async () => {
    expect((await app.as(plain).call(dataSourcesApi.types)).status).toBe(403);
  });
});

describe('server-behaviour 18.2: creating', () => {
  test('a new source is open to the default group with full access', async () => {
    const source = await create();
    expect(source).toMatchObject({
      type: 'pg',
      syntax: 'sql',
      paused: 0,
      pause_reason: null,
      supports_auto_limit: true,
      view_only: false,
      queue_name: 'queries',
      scheduled_queue_name: 'scheduled_queries',
      is_built_in: false,
    });
    expect(Object.values(source.groups)).toEqual([false]);
    const [seen] = (await listFor(plain)).filter(({ id }) => id === source.id);
    expect(seen?.view_only).toBe(false);
  });

  test.each([
    ['no name', { name: undefined }, {}, /Name is required/],
    ['a blank name', { name: '   ' }, {}, /Name is required/],
    ['a name without end', { name: 'x'.repeat(256) }, {}, /too long/],
    ['a name that is a number', { name: 5 }, {}, /Name is required/],
    ['no type', { type: undefined }, {}, /Type is required/],
    ['an unknown type', { type: 'oracle-of-delphi' }, {}, /no data source type/],
    ['a type from the prototype', { type: 'constructor' }, {}, /no data source type/],
    ['the built-in type', { type: 'telltale', options: { url: 'postgres://x@y/z' } }, {}, /built in/],
    ['no options', { options: undefined }, {}, /options/],
    ['options that are a list', { options: [] }, {}, /options/],
    ['options that are a text', { options: 'host=x' }, {}, /options/],
    ['a missing required option', {}, { dbname: null }, /Database Name is required/],
    ['a blank required option', {}, { dbname: '' }, /Database Name is required/],
    ['a port that is none', {}, { port: 'x' }, /Port must be a number/],
    ['a port out of range', {}, { port: 70_000 }, /port/i],
    ['a host that is nested too deeply', {}, { host: JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) }, /nested too deeply/],
    ['a host that is an object', {}, { host: { toString: 'x' } }, /host/],
    ['a flag that is a text', {}, { allow_writes: 'yes' }, /must be true or false/],
    ['a mode that is none', {}, { sslmode: 'maybe' }, /sslmode/],
    ['a certificate that is no base64', {}, { sslrootcertFile: '-----BEGIN' }, /sslrootcertFile/],
    ['a NUL', {}, { user: 'a\0b' }, /U\+0000/],
  ])('%s is a 400 with a reason', async (_, more, options, reason) => {
    const reply = await admin.call(dataSourcesApi.create, { body: fields(more, options) as never });
    expect(reply.status).toBe(400);
    expect(reply.message).toMatch(reason);
  });

  test.each([
    'init',
    'options',
    'connectionString',
    'url',
    'service',
    'passfile',
    'local_infile',
    'socketPath',
    'ssl',
    'stream',
    'Host',
    'password ',
    'toString',
    'constructor',
  ])('security 8: the unknown option %s is refused and nothing is kept', async (key) => {
    const body = fields({}, { [key]: 'x' });
    const reply = await admin.call(dataSourcesApi.create, { body });
    expect(reply).toMatchObject({ status: 400, message: `Unknown field: ${key}.` });
    expect((await listFor(app.admin)).map(({ name }) => name)).not.toContain(body.name);
  });

  test('server-behaviour 19: upstream options that say what the connector does anyway are accepted, and not kept', async () => {
    const mysql = { host: 'db.example.com', port: 3306, db: 'sales', user: 'u' };
    const upstream = { charset: 'utf8mb4', use_unicode: true, autocommit: false };
    const { id } = await create({ type: 'mysql', options: { ...mysql, ...upstream } });
    expect(await optionsAtRest(id)).toEqual(mysql);
    const pg = await create({}, { dsn: 'application_name=redash' });
    expect(await optionsAtRest(pg.id)).not.toHaveProperty('dsn');
  });

  test.each([
    ['mysql', { db: 'sales' }, { charset: 'gbk' }],
    ['mysql', { db: 'sales' }, { autocommit: true }],
    ['pg', { dbname: 'sales' }, { dsn: 'application_name=redash host=10.0.0.1' }],
    ['pg', { dbname: 'sales' }, { charset: 'utf8mb4' }],
    ['pg', { dbname: 'sales' }, { ssh_tunnel: { ssh_host: 'jump.example.com' } }],
  ])('security 8: a %s source with %j refuses %j', async (type, options, more) => {
    const reply = await admin.call(dataSourcesApi.create, { body: { name: 'Refused', type, options: { ...options, ...more } } });
    expect(reply).toMatchObject({ status: 400, message: `Unknown field: ${Object.keys(more)[0]}.` });
  });

  test('security 31: __proto__ in options is refused', async () => {
    const body = `{"name":"Proto","type":"pg","options":{"dbname":"x","__proto__":{"allow_writes":true}}}`;
    const response = await admin.fetch('/api/data_sources', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).toBe(400);
  });

  test('server-behaviour 18.2: null and empty options are dropped', async () => {
    const { id } = await create({}, { user: null, password: '', sslmode: null });
    expect(await optionsAtRest(id)).toEqual({ host: 'db.example.com', port: 5432, dbname: 'sales' });
  });

  test('a name is taken once, whatever its case, also by two at the same moment', async () => {
    const { name } = await create();
    const again = await admin.call(dataSourcesApi.create, { body: fields({ name: name.toUpperCase() }) });
    expect(again).toMatchObject({ status: 400, message: `Data source with the name ${name.toUpperCase()} already exists.` });
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => admin.call(dataSourcesApi.create, { body: fields({ name: 'Twins' }) })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
  });

  test('hostile names come back as they are', async () => {
    for (const name of [`'; drop table console.users; --`, '<script>alert(1)</script>', '🛰 Ünïcode', '\u202Eevil', `"quoted" \\ %s $1`]) {
      expect((await create({ name })).name).toBe(name);
    }
  });

  test('security 19: other columns of the table cannot be set', async () => {
    const source = await create({
      id: 1,
      org_id: 99,
      version: 77,
      paused_at: '2020-01-01',
      created_at: '2000-01-01',
      groups: {},
      is_built_in: true,
    });
    expect(source).toMatchObject({ paused: 0, is_built_in: false });
    expect(source.created_at.startsWith('2000')).toBe(false);
    expect((await stored(source.id)).version).toBe(1);
  });
});

describe('server-behaviour 18.3: secrets', () => {
  test('lie sealed in the table and read back as dashes', async () => {
    const source = await create();
    const { options_sealed } = await stored(source.id);
    for (const text of [secret, 'db.example.com', 'password']) expect(options_sealed.includes(text)).toBe(false);
    expect(source.options).toMatchObject({ password: secretMask, host: 'db.example.com' });
    expect(asFull(await admin.get(dataSourcesApi.get, { params: { id: source.id } })).options.password).toBe(secretMask);
  });

  test('are in no answer, event or job, to whomever', async () => {
    const source = await create();
    const answers = [
      await admin.get(dataSourcesApi.save, { params: { id: source.id }, body: fields({ name: source.name }) }),
      await admin.get(dataSourcesApi.list),
      await app.as(plain).get(dataSourcesApi.list),
      await app.as(plain).get(dataSourcesApi.get, { params: { id: source.id } }),
      await admin.get(eventsApi.list),
      (await sql`select * from jobs`.execute(app.ctx.db)).rows,
    ];
    expect(JSON.stringify(answers)).not.toContain(secret);
  });

  test('are kept when the dashes are saved, everything else is replaced', async () => {
    const { id, name } = await create({}, { sslmode: 'require' });
    const options = { host: 'db.example.com', dbname: 'orders', password: secretMask };
    const saved = await admin.get(dataSourcesApi.save, { params: { id }, body: { name, type: 'pg', options } });
    expect(saved.options).toEqual({ host: 'db.example.com', dbname: 'orders', password: secretMask });
    expect(await optionsAtRest(id)).toEqual({ ...options, password: secret });
  });

  test('security 9: a kept secret is never sent to another address, neither saved nor tested', async () => {
    const { id, name } = await create();
    const before = await optionsAtRest(id);
    const kept = { host: 'db.example.com', port: 5432, dbname: 'sales', password: secretMask };
    const message = (title: string) =>
      `${title} was changed. Enter Password again: a stored secret is sent only to the address it was saved for.`;
    for (const [moved, title] of [
      [{ ...kept, host: 'evil.example.com' }, 'Host'],
      [{ ...kept, host: undefined }, 'Host'],
      [{ ...kept, port: 5433 }, 'Port'],
    ] as const) {
      const save = await admin.call(dataSourcesApi.save, { params: { id }, body: { name, type: 'pg', options: moved } });
      expect(save).toMatchObject({ status: 400, message: message(title) });
      const tried = await admin.call(dataSourcesApi.testUnsaved, { body: { type: 'pg', options: moved, id } });
      expect(tried).toMatchObject({ status: 400, message: message(title) });
    }
    expect(await optionsAtRest(id)).toEqual(before);
    const options = { ...kept, host: 'new.example.com', password: 'typed again' };
    await admin.get(dataSourcesApi.save, { params: { id }, body: { name, type: 'pg', options } });
    expect(await optionsAtRest(id)).toEqual(options);
  });

  test('security 9: every kind that has a secret says where it goes', () => {
    for (const { type, options } of connectors) {
      const { secret = [] } = typeSchemaOf(options);
      if (secret.length > 0) expect([type, addressFieldsOf(options).length > 0]).toEqual([type, true]);
    }
  });

  test('go when they are left out or emptied', async () => {
    for (const options of [{ dbname: 'sales' }, { dbname: 'sales', password: '' }, { dbname: 'sales', password: null }]) {
      const { id, name } = await create();
      await admin.get(dataSourcesApi.save, { params: { id }, body: { name, type: 'pg', options } });
      expect(await optionsAtRest(id)).toEqual({ dbname: 'sales' });
    }
  });

  test('are not handed to another kind, and dashes without a stored secret are none', async () => {
    const { id, name } = await create();
    const options = { dbname: 'sales', password: secretMask };
    await admin.get(dataSourcesApi.save, { params: { id }, body: { name, type: 'cockroach', options } });
    expect(await optionsAtRest(id)).toEqual({ dbname: 'sales' });
    const fresh = await create({}, { password: secretMask });
    expect(await optionsAtRest(fresh.id)).not.toHaveProperty('password');
  });

  test('dashes in a field that is no secret are only dashes', async () => {
    const { id } = await create({}, { user: secretMask });
    expect(await optionsAtRest(id)).toMatchObject({ user: secretMask, password: secret });
  });
});

describe('server-behaviour 18.2: changing and deleting', () => {
  test('a refused save changes nothing, neither name nor options', async () => {
    const { id, name } = await create();
    const before = await optionsAtRest(id);
    const body = fields({ name: 'New name' }, { evil: 1 });
    expect((await admin.call(dataSourcesApi.save, { params: { id }, body })).status).toBe(400);
    expect(await optionsAtRest(id)).toEqual(before);
    expect((await admin.get(dataSourcesApi.get, { params: { id } })) as FullDataSource).toMatchObject({ name });
  });

  test('another source’s name is refused, its own in another case is not', async () => {
    const [one, other] = [await create(), await create()];
    const save = (name: string) => admin.call(dataSourcesApi.save, { params: { id: one.id }, body: fields({ name }) });
    expect(await save(other.name.toUpperCase())).toMatchObject({ status: 400, message: expect.stringContaining('already exists') });
    expect((await save(one.name.toUpperCase())).body.name).toBe(one.name.toUpperCase());
  });

  test('other settings get a new version, so that no open connection of older ones is used; another name does not', async () => {
    const { id, name } = await create();
    await admin.get(dataSourcesApi.save, { params: { id }, body: fields({ name: `${name} renamed` }) });
    expect((await stored(id)).version).toBe(1);
    const body = fields({ name });
    await admin.get(dataSourcesApi.save, { params: { id }, body: { ...body, options: { ...body.options, dbname: 'elsewhere' } } });
    expect((await stored(id)).version).toBe(2);
  });

  test('a deleted source leaves its queries without one; its results, schema and links are gone', async () => {
    const source = await app.make.dataSource();
    const query = await app.make.query({ data_source_id: source.id, user_id: plain.id });
    await sql`insert into data_source_schemas (data_source_id, tables) values (${source.id}, '[]')`.execute(app.ctx.db);
    const { rows } = await sql<{ id: number }>`
      insert into query_results (org_id, data_source_id, query_hash, query, columns, row_count, byte_count, runtime)
      select org_id, id, 'h', 'select 1', '[]', 0, 0, 0 from data_sources where id = ${source.id} returning id`.execute(app.ctx.db);
    await sql`update queries set latest_query_data_id = ${rows[0]?.id} where id = ${query.id}`.execute(app.ctx.db);
    const reply = await admin.call(dataSourcesApi.remove, { params: { id: source.id } });
    expect(reply).toMatchObject({ status: 204, body: null });
    expect(await app.as(plain).get(queriesApi.get, { params: { id: query.id } })).toMatchObject({
      data_source_id: null,
      latest_query_data_id: null,
    });
    for (const table of ['query_results', 'data_source_schemas', 'data_source_groups']) {
      expect((await sql`select from ${sql.table(table)} where data_source_id = ${source.id}`.execute(app.ctx.db)).rows).toEqual([]);
    }
    expect((await admin.call(dataSourcesApi.remove, { params: { id: source.id } })).status).toBe(404);
  });

  test('unknown and impossible ids are 404', async () => {
    for (const id of [999_999, 99_999_999_999, 'abc', '-1', '1.5', "1'--"]) {
      expect((await admin.call(dataSourcesApi.get, { params: { id } })).status).toBe(404);
      expect((await admin.call(dataSourcesApi.save, { params: { id }, body: fields() })).status).toBe(404);
      expect((await admin.call(dataSourcesApi.remove, { params: { id } })).status).toBe(404);
      expect((await admin.call(dataSourcesApi.pause, { params: { id }, body: {} })).status).toBe(404);
      expect((await admin.call(dataSourcesApi.schema, { params: { id } })).status).toBe(404);
    }
  });
});

describe('server-behaviour 18.2: pausing', () => {
  test('with a reason in the body or the address, told to everybody, until it is resumed', async () => {
    const { id } = await create();
    expect(await admin.get(dataSourcesApi.pause, { params: { id }, body: { reason: 'Maintenance' } })).toMatchObject({
      paused: 1,
      pause_reason: 'Maintenance',
    });
    expect(await app.as(plain).get(dataSourcesApi.get, { params: { id } })).toMatchObject({ paused: 1, pause_reason: 'Maintenance' });
    expect(await admin.get(dataSourcesApi.pause, { params: { id }, query: { reason: 'Other' }, body: {} })).toMatchObject({
      pause_reason: 'Other',
    });
    expect(await admin.get(dataSourcesApi.resume, { params: { id } })).toMatchObject({ paused: 0, pause_reason: null });
  });

  test('needs no body and no reason', async () => {
    const { id } = await create();
    const response = await admin.json('POST', `/api/data_sources/${id}/pause`);
    expect(await response.json()).toMatchObject({ paused: 1, pause_reason: null });
  });

  test('a reason without end is a 400', async () => {
    const { id } = await create();
    expect((await admin.call(dataSourcesApi.pause, { params: { id }, body: { reason: 'x'.repeat(1001) } })).status).toBe(400);
  });
});

describe('server-behaviour 18.1 and 27.5: who sees what', () => {
  const viewOnlyFor = async (groups: Record<number, boolean>, user: { api_key: string }) => {
    const { id } = await app.make.dataSource({ groups });
    const listed = (await listFor(user)).find((source) => source.id === id);
    const reply = await app.as(user).call(dataSourcesApi.get, { params: { id } });
    expect(reply.status).toBe(listed ? 200 : 403);
    if (listed) expect(reply.body.view_only).toBe(listed.view_only);
    return listed?.view_only;
  };

  test('one group that may only view', async () => expect(await viewOnlyFor({ [one.id]: true }, inOne)).toBe(true));
  test('one group with full access', async () => expect(await viewOnlyFor({ [one.id]: false }, inOne)).toBe(false));
  test('full by one group, view by another', async () =>
    expect(await viewOnlyFor({ [one.id]: false, [two.id]: true }, inBoth)).toBe(false));
  test('view by both', async () => expect(await viewOnlyFor({ [one.id]: true, [two.id]: true }, inBoth)).toBe(true));
  test('full only for a group one is not in', async () => expect(await viewOnlyFor({ [two.id]: false, [one.id]: true }, inOne)).toBe(true));
  test('no shared group: it is not there', async () => expect(await viewOnlyFor({ [two.id]: false }, inOne)).toBeUndefined());
  test('no group at all: administrators only, and never view only', async () => {
    expect(await viewOnlyFor({}, inOne)).toBeUndefined();
    expect(await viewOnlyFor({}, app.admin)).toBe(false);
    expect(await viewOnlyFor({ [one.id]: true }, app.admin)).toBe(false);
  });

  test('security 26: plain users get neither options nor groups, and without list_data_sources only whether they may run', async () => {
    const { id } = await app.make.dataSource({ options: { dbname: 'x', password: secret } });
    expect(Object.keys(await app.as(plain).get(dataSourcesApi.get, { params: { id } })).toSorted()).toEqual(
      ['dialect', 'has_databases', 'id', 'name', 'pause_reason', 'paused', 'supports_auto_limit', 'syntax', 'type', 'view_only'].toSorted(),
    );
    const group = await app.make.group({ permissions: ['execute_query'] });
    const narrow = await app.make.user({ groups: [], group_ids: [group.id] });
    const open = await app.make.dataSource({ groups: { [group.id]: true } });
    expect((await app.as(narrow).call(dataSourcesApi.list)).status).toBe(403);
    expect(await app.as(narrow).get(dataSourcesApi.get, { params: { id: open.id } })).toEqual({ view_only: true });
  });

  test('a right that is taken away is gone with the next request', async () => {
    const group = await app.make.group();
    const user = await app.make.user({ groups: [], group_ids: [group.id] });
    const { id } = await app.make.dataSource({ groups: { [group.id]: false } });
    expect((await app.as(user).call(dataSourcesApi.get, { params: { id } })).status).toBe(200);
    await sql`delete from data_source_groups where data_source_id = ${id}`.execute(app.ctx.db);
    expect((await app.as(user).call(dataSourcesApi.get, { params: { id } })).status).toBe(403);
    expect((await app.as(user).call(dataSourcesApi.schema, { params: { id } })).status).toBe(403);
    expect((await app.as(user).call(dataSourcesApi.databases, { params: { id } })).status).toBe(403);
  });

  test('the list is sorted by name, case apart', async () => {
    const names = (await listFor(app.admin)).map(({ name }) => name.toLowerCase());
    const { rows } = await sql<{ name: string }>`select lower(name) as name from data_sources order by lower(name), id`.execute(app.ctx.db);
    expect(names).toEqual(rows.map(({ name }) => name));
  });

  test('a page of it has the shape of every page', async () => {
    expect(await admin.get(dataSourcesApi.list, { query: { page: 1, page_size: 1 } })).toMatchObject({ page: 1, page_size: 1 });
  });
});

describe('design 5: the built-in source', () => {
  test('is there once, can be paused, and neither changed nor deleted nor asked for its address', async () => {
    await Promise.all(Array.from({ length: 4 }, () => ensureBuiltInSource(app.ctx)));
    const found = (await listFor(app.admin)).filter(({ type }) => type === 'telltale');
    expect(found.map(({ name }) => name)).toEqual(['IoT data']);
    const id = found[0]?.id ?? 0;
    expect(asFull(await admin.get(dataSourcesApi.get, { params: { id } }))).toMatchObject({ is_built_in: true, options: {} });
    expect((await admin.call(dataSourcesApi.save, { params: { id }, body: fields() })).message).toBe(
      'The built-in data source cannot be changed.',
    );
    expect((await admin.call(dataSourcesApi.remove, { params: { id } })).message).toBe('The built-in data source cannot be deleted.');
    expect((await admin.get(dataSourcesApi.pause, { params: { id }, body: {} })).paused).toBe(1);
  });

  test('no other source can become it', async () => {
    const { id } = await create();
    const body = fields({ type: 'telltale', options: {} });
    expect((await admin.call(dataSourcesApi.save, { params: { id }, body })).status).toBe(400);
    expect(
      (await admin.call(dataSourcesApi.testUnsaved, { body: { type: 'telltale', options: { url: 'postgres://a@b/c' } } })).status,
    ).toBe(400);
  });

  test('design 8: it needs view_channel beside the group', async () => {
    const group = await app.make.group({ permissions: ['list_data_sources', 'execute_query', 'view_query'] });
    const user = await app.make.user({ groups: [], group_ids: [group.id] });
    const iot = (await listFor(app.admin)).find(({ type }) => type === 'telltale');
    await sql`insert into data_source_groups values (${iot?.id}, ${group.id}, false)`.execute(app.ctx.db);
    expect((await listFor(user)).map(({ type }) => type)).not.toContain('telltale');
    expect((await app.as(user).call(dataSourcesApi.get, { params: { id: iot?.id ?? 0 } })).status).toBe(403);
  });
});
