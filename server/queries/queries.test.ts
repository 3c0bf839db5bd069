import { eventsApi } from '@telltale/domain/events/contract.ts';
import { type NewQuery, queriesApi } from '@telltale/domain/queries/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const ann = await app.make.user({ name: 'Ann' });
const bob = await app.make.user({ name: 'Bob' });
const source = await app.make.dataSource();
const hidden = await app.make.dataSource({ groups: {} });
const viewers = await app.make.group();
const viewed = await app.make.dataSource({ groups: { [viewers.id]: true } });
const viewer = await app.make.user({ groups: [], group_ids: [viewers.id] });

const fields = (more: object = {}) => ({ name: 'Readings', query: 'select 1', data_source_id: source.id, ...more }) as NewQuery;
const create = (more?: object, who = ann) => app.as(who).get(queriesApi.create, { body: fields(more) });
const save = (id: number, body: object, who: { api_key: string } = ann) => app.as(who).call(queriesApi.save, { params: { id }, body });
const read = (id: number, who = ann) => app.as(who).get(queriesApi.get, { params: { id } });
const row = async (id: number) => (await sql<Record<string, unknown>>`select * from queries where id = ${id}`.execute(app.ctx.db)).rows[0];

describe('server-behaviour 7.10: creating', () => {
  test('a new query is a draft with a table, a key and the caller as its owner', async () => {
    const query = await create({ description: 'All of them', tags: [' a ', 'a', '', null, 'b'] });
    expect(query).toMatchObject({
      name: 'Readings',
      description: 'All of them',
      query: 'select 1',
      is_draft: true,
      is_archived: false,
      is_safe: true,
      version: 1,
      tags: ['a', 'b'],
      schedule: null,
      latest_query_data_id: null,
      user: { id: ann.id },
      last_modified_by: { id: ann.id },
      visualizations: [{ type: 'TABLE', name: 'Table' }],
    });
    expect(query.api_key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(await app.as(app.admin).get(eventsApi.list)).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ action: 'create', object_type: 'query', object_id: String(query.id) })]),
    });
  });

  test('W9: fields that a caller may not set are ignored', async () => {
    const { id } = await create({
      id: 7,
      user_id: bob.id,
      org_id: 99,
      is_draft: false,
      is_archived: true,
      query_hash: 'x',
      api_key: 'chosen',
      api_key_hash: 'x',
      version: 99,
      latest_query_data_id: 1,
      latest_query_data: { data: 'x' },
      last_modified_by_id: bob.id,
      schedule_failures: -1,
      created_at: '2000-01-01T00:00:00Z',
      is_safe: false,
      can_edit: true,
    });
    expect(id).not.toBe(7);
    expect(await row(id)).toMatchObject({
      user_id: ann.id,
      is_draft: true,
      is_archived: false,
      version: 1,
      latest_query_data_id: null,
      last_modified_by_id: ann.id,
      schedule_failures: 0,
    });
    const query = await read(id);
    expect('api_key' in query && query.api_key).not.toBe('chosen');
    expect('query_hash' in query && query.query_hash).not.toBe('x');
    expect(query.created_at.startsWith('2000')).toBe(false);
  });

  test.each([
    ['no name', { name: undefined }, /Name is required/],
    ['a blank name', { name: ' \t ' }, /Name is required/],
    ['a name without end', { name: 'x'.repeat(256) }, /too long/],
    ['no text', { query: undefined }, /Query is required/],
    ['a text that is an object', { query: { $ne: 1 } }, /Query is required/],
    ['a text without end', { query: 'x'.repeat(1_000_001) }, /too long/],
    ['a description without end', { description: 'x'.repeat(4097) }, /too long/],
    ['no source', { data_source_id: undefined }, /data_source_id/],
    ['a source that is a text', { data_source_id: 'x' }, /data_source_id/],
    ['options that are a text', { options: 'x' }, /options/],
    ['parameters that are no list', { options: { parameters: {} } }, /parameters/],
    ['a parameter without a name', { options: { parameters: [{ type: 'text' }] } }, /name/],
    [
      'five hundred and one parameters',
      { options: { parameters: Array.from({ length: 501 }, (_, i) => ({ name: `p${i}` })) } },
      /parameters/,
    ],
    ['tags that are no texts', { tags: [1] }, /tags/],
    ['a tag without end', { tags: ['x'.repeat(101)] }, /tags/],
    ['a schedule that is a text', { schedule: 'daily' }, /schedule/],
    ['a NUL', { query: 'select \0' }, /U\+0000/],
    ['a NUL in an option', { options: { parameters: [{ name: 'a', value: 'x\0' }] } }, /U\+0000/],
  ])('%s is a 400 with a reason', async (_, more, reason) => {
    const reply = await app.as(ann).call(queriesApi.create, { body: fields(more) });
    expect(reply.status).toBe(400);
    expect(reply.message).toMatch(reason);
  });

  test.each(['[]', '"x"', '1', 'null', '{"name":', '{"__proto__":{"admin":true},"name":"x","query":"x","data_source_id":1}', ''])(
    'the body %s is a 400',
    async (body) => {
      const response = await app.as(ann).fetch('/api/queries', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      expect(response.status).toBe(400);
    },
  );

  test('hostile texts are kept to the letter', async () => {
    const texts = [
      `'; drop table console.queries; --`,
      '<img src=x onerror=alert(1)>',
      '{{constructor}} {{__proto__}}',
      'select 1\r\n\t/* ünï 🛰 \u202e */',
      '\ufeffselect 1',
      '$\u007b1+1} #{1} %s $1 :a ?',
      'x'.repeat(100_000),
    ];
    for (const text of texts) {
      const { id } = await create({ name: text.slice(0, 200), description: text.slice(0, 4096), query: text, tags: [text.slice(0, 90)] });
      expect(await read(id)).toMatchObject({ name: text.slice(0, 200).trim(), query: text, description: text.slice(0, 4096) });
    }
  });

  test('full access to the source is needed', async () => {
    const reply = (data_source_id: number, who: typeof ann) => app.as(who).call(queriesApi.create, { body: fields({ data_source_id }) });
    expect((await reply(hidden.id, ann)).status).toBe(403);
    expect((await reply(viewed.id, viewer)).status).toBe(403);
    expect((await reply(999_999, ann)).status).toBe(404);
    expect((await reply(hidden.id, app.admin as typeof ann)).status).toBe(200);
  });

  test('create_query is needed', async () => {
    const group = await app.make.group({ permissions: ['view_query', 'execute_query'] });
    const open = await app.make.dataSource({ groups: { [group.id]: false } });
    const user = await app.make.user({ groups: [], group_ids: [group.id] });
    expect((await app.as(user).call(queriesApi.create, { body: fields({ data_source_id: open.id }) })).status).toBe(403);
  });

  test('server-behaviour 10.5: parameters are kept as sent, unknown keys and all; one without a type is a text', async () => {
    const parameters = [{ name: 'a', title: 'A', type: 'enum', enumOptions: 'x\ny', own: { deep: [1] } }, { name: 'b' }];
    const query = await create({ query: 'select {{a}}, {{b}}', options: { parameters, apply_auto_limit: true, own: 1 } });
    expect(query.options).toEqual({ parameters, apply_auto_limit: true, own: 1 });
    expect(query.is_safe).toBe(false);
  });

  test('server-behaviour 10.4: an undeclared placeholder makes a query unsafe', async () => {
    expect((await create({ query: 'select {{x}}' })).is_safe).toBe(false);
    expect((await create({ query: 'select {{x}}', options: { parameters: [{ name: 'x', type: 'number' }] } })).is_safe).toBe(true);
  });
});

describe('server-behaviour 7.11: reading', () => {
  test('everybody who may view the source reads it, drafts too; others do not', async () => {
    const { id } = await create();
    expect(await read(id, bob)).toMatchObject({ id, query: 'select 1', can_edit: false });
    expect(await read(id)).toMatchObject({ can_edit: true });
    const query = await app.make.query({ data_source_id: hidden.id, user_id: app.admin.id });
    expect((await app.as(ann).call(queriesApi.get, { params: { id: query.id } })).status).toBe(403);
    const seen = await app.make.query({ data_source_id: viewed.id, user_id: app.admin.id });
    expect((await read(seen.id, viewer)).name).toBe(seen.name);
  });

  test('unknown and impossible ids are 404', async () => {
    for (const id of [999_999, 99_999_999_999, 'abc', '-1', '1.5', "1'--", '%00']) {
      expect((await app.as(ann).call(queriesApi.get, { params: { id } })).status).toBe(404);
      expect((await save(id as number, { name: 'x' })).status).toBe(404);
    }
  });

  test('a query whose source was deleted is its owner’s and the administrators’', async () => {
    const query = await app.make.query({ data_source_id: null, user_id: ann.id });
    expect((await read(query.id)).name).toBe(query.name);
    expect((await read(query.id, app.admin as typeof ann)).name).toBe(query.name);
    expect((await app.as(bob).call(queriesApi.get, { params: { id: query.id } })).status).toBe(403);
  });

  test('design 8: a reader by key gets no text, no key, no address, no source', async () => {
    const query = await create({ query: `select 'a secret in the text'`, schedule: { interval: 3600 } });
    const byKey = app.as({ api_key: query.api_key ?? '' });
    const response = await byKey.fetch(`/api/queries/${query.id}`);
    const text = await response.text();
    expect(response.status).toBe(200);
    const answer = JSON.parse(text) as object;
    for (const secret of ['a secret in the text', query.api_key ?? '', ann.email, query.query_hash]) expect(text).not.toContain(secret);
    for (const key of ['query', 'query_hash', 'api_key', 'user', 'last_modified_by', 'data_source_id', 'schedule'])
      expect(answer).not.toHaveProperty(key);
    expect(answer).toMatchObject({ id: query.id, name: 'Readings', can_edit: false });
  });

  test('the key opens this query and nothing else', async () => {
    const [mine, other] = [await create(), await create()];
    const byKey = app.as({ api_key: mine.api_key ?? '' });
    expect((await byKey.fetch(`/api/queries/${other.id}`)).status).toBe(404);
    expect((await byKey.json('POST', `/api/queries/${mine.id}`, { name: 'x' })).status).toBe(403);
    expect((await byKey.json('POST', '/api/queries', fields())).status).toBe(404);
    expect((await byKey.fetch('/api/data_sources')).status).toBe(404);
    expect((await byKey.fetch(`/api/data_sources/${source.id}`)).status).toBe(404);
    expect((await byKey.fetch('/api/users')).status).toBe(404);
  });

  test('W7 and W16: the key lies sealed, and dies with the owner’s account', async () => {
    const owner = await app.make.user();
    const query = await create({}, owner);
    const stored = JSON.stringify(await row(query.id));
    expect(stored).not.toContain(query.api_key);
    const byKey = app.as({ api_key: query.api_key ?? '' });
    expect((await byKey.fetch(`/api/queries/${query.id}`)).status).toBe(200);
    await app.as(app.admin).get(usersApi.disable, { params: { id: owner.id } });
    expect((await byKey.fetch(`/api/queries/${query.id}`)).status).toBe(404);
  });
});

describe('server-behaviour 7.12: saving', () => {
  test('only sent fields change, and each save is a version', async () => {
    const { id, query_hash } = await create({ description: 'before', tags: ['a'] });
    const saved = await save(id, { name: 'After' });
    expect(saved.body).toMatchObject({ name: 'After', description: 'before', tags: ['a'], query: 'select 1', version: 2, query_hash });
    expect((await save(id, { query: 'select 2', description: null })).body).toMatchObject({
      query: 'select 2',
      description: null,
      version: 3,
    });
  });

  test('W9: a whole object that is posted back changes nothing it should not', async () => {
    const query = await create();
    const reply = await save(query.id, {
      ...query,
      version: undefined,
      name: 'Renamed',
      user_id: bob.id,
      user: { id: bob.id },
      org_id: 99,
      query_hash: 'x',
      api_key: 'chosen',
      latest_query_data_id: 123,
      last_modified_by_id: bob.id,
      created_at: '2000-01-01T00:00:00Z',
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      name: 'Renamed',
      user: { id: ann.id },
      is_archived: false,
      latest_query_data_id: null,
      query_hash: query.query_hash,
    });
    expect(reply.body.api_key).toBe(query.api_key);
    expect(reply.body.created_at).toBe(query.created_at);
  });

  test('W18: a save from an older version is refused, one without a version overwrites', async () => {
    const { id } = await create();
    expect((await save(id, { name: 'Two', version: 1 })).body.version).toBe(2);
    const stale = await save(id, { name: 'Three', version: 1 }, app.admin);
    expect(stale).toMatchObject({ status: 409, message: 'The query has been modified by another user.' });
    expect((await read(id)).name).toBe('Two');
    expect((await save(id, { name: 'Four' })).body).toMatchObject({ name: 'Four', version: 3 });
  });

  test('design 8: the author of the last edit may send an older version, as drivers that keep the first one do', async () => {
    const { id } = await create();
    for (const [n, name] of ['Two', 'Three', 'Four'].entries()) {
      expect((await save(id, { name, version: 1 })).body).toMatchObject({ name, version: n + 2 });
    }
    expect((await save(id, { name: 'Admin', version: 4 }, app.admin)).status).toBe(200);
    expect((await save(id, { name: 'Five', version: 1 })).status).toBe(409);
  });

  test('7.12: is_archived in a save archives and restores, for owners alone', async () => {
    const { id } = await create({ schedule: { interval: 3600, time: null, day_of_week: null, until: null } });
    expect((await save(id, { ...(await read(id)), is_archived: true })).body).toMatchObject({ is_archived: true, schedule: null });
    expect((await save(id, { is_archived: false, name: 'Back' })).body).toMatchObject({ is_archived: false, name: 'Back' });
    await app.as(ann).json('POST', `/api/queries/${id}/acl`, { access_type: 'modify', user_id: bob.id });
    expect((await save(id, { is_archived: true }, bob)).status).toBe(403);
    expect((await save(id, { is_archived: false, name: 'Same' }, bob)).body).toMatchObject({ name: 'Same', is_archived: false });
  });

  test('7.10: tags and options that are null are none', async () => {
    const query = await create({ tags: null, options: null });
    expect(query).toMatchObject({ tags: [], options: { parameters: [] } });
    expect((await save(query.id, { tags: null, options: null })).body).toMatchObject({ tags: [], options: { parameters: [] } });
  });

  test('W18: of ten people who save the same version at once exactly one wins', async () => {
    const { id } = await create();
    const people = await Promise.all(Array.from({ length: 10 }, () => app.make.user()));
    for (const { id: user_id } of people) await app.as(ann).json('POST', `/api/queries/${id}/acl`, { access_type: 'modify', user_id });
    const replies = await Promise.all(people.map((who, i) => save(id, { name: `By ${i}`, version: 1 }, who)));
    const winners = replies.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await read(id)).toMatchObject({ name: winners[0]?.body.name, version: 2 });
  });

  test('two who change different fields without a version lose nothing of each other', async () => {
    const { id } = await create();
    for (let round = 0; round < 10; round++) {
      const replies = await Promise.all([save(id, { name: `Name ${round}` }), save(id, { description: `Text ${round}` })]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(await read(id)).toMatchObject({ name: `Name ${round}`, description: `Text ${round}` });
    }
  });

  test('only the owner and administrators', async () => {
    const { id } = await create();
    expect((await save(id, { name: 'Stolen' }, bob)).status).toBe(403);
    const byAdmin = await save(id, { name: 'By admin' }, app.admin as typeof ann);
    expect(byAdmin.body).toMatchObject({ user: { id: ann.id }, last_modified_by: { id: app.admin.id } });
  });

  test('security 21: the text needs full access at every change, not only when it was created', async () => {
    const group = await app.make.group();
    const owner = await app.make.user({ groups: [], group_ids: [group.id] });
    const open = await app.make.dataSource({ groups: { [group.id]: false } });
    const { id } = await create({ data_source_id: open.id }, owner);
    await sql`update data_source_groups set view_only = true where data_source_id = ${open.id}`.execute(app.ctx.db);
    expect((await save(id, { query: 'delete from everything' }, owner)).status).toBe(403);
    expect((await save(id, { options: { parameters: [{ name: 'x', type: 'text' }] } }, owner)).status).toBe(403);
    expect(await read(id, owner)).toMatchObject({ query: 'select 1', version: 1 });
    expect((await save(id, { name: 'A better name', query: 'select 1' }, owner)).status).toBe(200);
  });

  test('a foreign source cannot be taken', async () => {
    const { id } = await create();
    expect((await save(id, { data_source_id: hidden.id })).status).toBe(403);
    expect((await save(id, { data_source_id: 999_999 })).status).toBe(404);
    const other = await app.make.dataSource();
    expect((await save(id, { data_source_id: other.id })).body.data_source_id).toBe(other.id);
  });

  test('W9: null for the source or the version counts as not sent, as in a whole query posted back after its source was deleted', async () => {
    const query = await app.make.query({ data_source_id: null, user_id: ann.id });
    const { body } = await save(query.id, { name: 'Renamed', description: null, data_source_id: null, version: null });
    expect(body).toMatchObject({ name: 'Renamed', data_source_id: null });
    const { id } = await create();
    expect((await save(id, { data_source_id: null })).body.data_source_id).toBe(source.id);
  });

  test('a query without a source can be given one by its owner', async () => {
    const query = await app.make.query({ data_source_id: null, user_id: ann.id });
    expect((await save(query.id, { name: 'Still mine' })).status).toBe(200);
    expect((await save(query.id, { data_source_id: source.id })).body.data_source_id).toBe(source.id);
  });

  test.each([
    [{ name: '' }, /Name is required/],
    [{ name: null }, /Name is required/],
    [{ query: null }, /Query is required/],
    [{ version: '1' }, /version/],
    [{ is_draft: 'no' }, /is_draft/],
    [{ tags: 'a,b' }, /tags/],
  ])('%j is a 400 with a reason', async (body, reason) => {
    const { id } = await create();
    const reply = await save(id, body);
    expect(reply.status).toBe(400);
    expect(reply.message).toMatch(reason);
  });

  test('a draft is published by its owner, and taken back', async () => {
    const { id } = await create();
    expect((await save(id, { is_draft: false })).body.is_draft).toBe(false);
    expect((await save(id, { is_draft: true })).body.is_draft).toBe(true);
  });
});
