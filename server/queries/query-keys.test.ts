import { queriesApi, queryAclApi } from '@telltale/domain/queries/contract.ts';
import { queryKeysApi } from '@telltale/domain/queries/keys.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import type { MadeUser } from '../testing/makers.ts';
import { runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
await app.startWorker();
const [full, view] = [await app.make.group(), await app.make.group()];
const source = await app.make.dataSource({ options: target.options, groups: { [full.id]: false, [view.id]: true } });
const inGroup = (group: { id: number }) => app.make.user({ groups: [], group_ids: [group.id] });
const [ann, vic] = [await inGroup(full), await inGroup(view)];
const admin = app.as(app.admin);

const makeQuery = (owner: MadeUser, query = 'select 1 as n') => app.make.query({ data_source_id: source.id, user_id: owner.id, query });
/** The key as the query's page shows it to that user. */
const keyFor = async (user: { api_key: string }, id: number) =>
  ((await app.as(user).get(queriesApi.get, { params: { id } })) as { api_key?: string }).api_key ?? '';
const byKey = (api_key: string) => app.as({ api_key });
const leave = (user: MadeUser) => sql`delete from memberships where user_id = ${user.id}`.execute(app.ctx.db);

describe('a key works with the rights of this moment', () => {
  test('it opens nothing once the owner of the query lost the source, not even stored results', async () => {
    const owner = await inGroup(full);
    const query = await makeQuery(owner);
    expect((await runSaved(byKey(query.api_key), query.id)).rows).toEqual([{ n: 1 }]);
    await leave(owner);
    expect((await runSaved(byKey(query.api_key), query.id)).status).toBe(403);
    for (const path of ['', '/results', '/results.csv', '/dropdown'])
      expect([path, (await byKey(query.api_key).fetch(`/api/queries/${query.id}${path}`)).status]).toEqual([path, 403]);
    await sql`insert into memberships (user_id, group_id) values (${owner.id}, ${view.id})`.execute(app.ctx.db);
    expect((await runSaved(byKey(query.api_key), query.id)).rows).toEqual([{ n: 1 }]);
  });

  test('each person has a key of their own, and it ends with their access', async () => {
    const [query, viewer] = [await makeQuery(ann), await inGroup(view)];
    const [own, theirs] = [await keyFor(ann, query.id), await keyFor(viewer, query.id)];
    expect(own).toBe(query.api_key);
    expect(theirs).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(theirs).not.toBe(own);
    expect(await keyFor(viewer, query.id)).toBe(theirs);
    expect((await runSaved(byKey(theirs), query.id)).rows).toEqual([{ n: 1 }]);
    await leave(viewer);
    expect((await runSaved(byKey(theirs), query.id)).status).toBe(403);
    expect((await runSaved(byKey(own), query.id)).rows).toEqual([{ n: 1 }]);
  });

  test('it is unknown without the account of the owner or of the person whose key it is', async () => {
    const [owner, viewer] = [await inGroup(full), await inGroup(view)];
    const query = await makeQuery(owner);
    const [own, theirs] = [query.api_key, await keyFor(viewer, query.id)];
    const statuses = () => Promise.all([own, theirs].map(async (key) => (await byKey(key).fetch(`/api/queries/${query.id}`)).status));
    await admin.get(usersApi.disable, { params: { id: viewer.id } });
    expect(await statuses()).toEqual([200, 404]);
    await admin.get(usersApi.disable, { params: { id: owner.id } });
    expect(await statuses()).toEqual([404, 404]);
  });

  test('twenty concurrent requests for a key get the same key', async () => {
    const [query, viewer] = [await makeQuery(ann), await inGroup(view)];
    const told = await Promise.all(Array.from({ length: 20 }, () => keyFor(viewer, query.id)));
    expect(new Set(told).size).toBe(1);
  });

  test('keys lie sealed', async () => {
    const query = await makeQuery(ann);
    const { rows } = await sql`select * from query_keys where query_id = ${query.id}`.execute(app.ctx.db);
    expect(JSON.stringify(rows)).not.toContain(query.api_key);
  });
});

describe('the list of keys', () => {
  test('the owner and administrators see whose they are and when they were used, never the keys', async () => {
    const query = await makeQuery(ann);
    const theirs = await keyFor(vic, query.id);
    await byKey(theirs).fetch(`/api/queries/${query.id}`);
    const list = () => app.as(ann).get(queryKeysApi.ofQuery, { params: { id: query.id } });
    const seen = await until(list, ([first]) => first?.user.id === vic.id && first.last_used_at !== null);
    expect(seen).toEqual([
      expect.objectContaining({ user: expect.objectContaining({ id: vic.id, name: vic.name }), revoked_at: null }),
      expect.objectContaining({ user: expect.objectContaining({ id: ann.id }), last_used_at: null }),
    ]);
    expect(JSON.stringify(await list())).not.toContain(theirs);
    expect(await admin.get(queryKeysApi.ofQuery, { params: { id: query.id } })).toHaveLength(2);
    expect((await app.as(vic).fetch(`/api/queries/${query.id}/api_keys`)).status).toBe(403);
  });

  test('in one list: of one’s own queries, for administrators of all', async () => {
    const [mine, theirs] = [await makeQuery(ann), await makeQuery(await inGroup(full))];
    const queriesIn = async (user: { api_key: string }) =>
      ((await app.as(user).get(queryKeysApi.list)) as { query: { id: number } }[]).map(({ query }) => query.id);
    expect(await queriesIn(ann)).toContain(mine.id);
    expect(await queriesIn(ann)).not.toContain(theirs.id);
    expect(await queriesIn(vic)).toEqual([]);
    expect(await queriesIn(app.admin)).toEqual(expect.arrayContaining([mine.id, theirs.id]));
  });

  test('a revoked key is refused at once, its user gets no other, and other keys go on', async () => {
    const query = await makeQuery(ann);
    const theirs = await keyFor(vic, query.id);
    const params = { id: query.id, userId: vic.id };
    expect((await app.as(vic).call(queryKeysApi.revoke, { params })).status).toBe(403);
    await app.as(ann).get(queryKeysApi.revoke, { params });
    expect((await byKey(theirs).fetch(`/api/queries/${query.id}`)).status).toBe(404);
    expect(await keyFor(vic, query.id)).toBe('');
    expect((await byKey(query.api_key).fetch(`/api/queries/${query.id}`)).status).toBe(200);
    await app.as(ann).get(queryKeysApi.revoke, { params });
    expect((await app.as(ann).call(queryKeysApi.revoke, { params: { ...params, userId: 999_999 } })).status).toBe(404);
    expect((await app.as(ann).get(queryKeysApi.ofQuery, { params: { id: query.id } })).at(-1)).toMatchObject({
      user: { id: vic.id },
      revoked_at: expect.any(String),
    });
  });

  test('server-behaviour 7.15: a new key ends all of them; whose key was revoked is still told none', async () => {
    const query = await makeQuery(ann);
    const [viewer, old] = [await inGroup(view), await keyFor(vic, query.id)];
    await keyFor(viewer, query.id);
    await app.as(ann).get(queryKeysApi.revoke, { params: { id: query.id, userId: viewer.id } });
    const { api_key = '' } = await app.as(ann).get(queriesApi.regenerateKey, { params: { id: query.id } });
    const statuses = [query.api_key, old, api_key].map(async (key) => (await byKey(key).fetch(`/api/queries/${query.id}`)).status);
    expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
    expect(await keyFor(ann, query.id)).toBe(api_key);
    expect(await keyFor(vic, query.id)).not.toBe(old);
    expect(await keyFor(viewer, query.id)).toBe('');
  });

  test('an editor whose key was revoked gets none by making new ones', async () => {
    const query = await makeQuery(ann);
    expect(await keyFor(vic, query.id)).not.toBe('');
    await app.as(ann).get(queryAclApi.grant, { params: { id: query.id }, body: { access_type: 'modify', user_id: vic.id } });
    await app.as(ann).get(queryKeysApi.revoke, { params: { id: query.id, userId: vic.id } });
    const { api_key } = await app.as(vic).get(queriesApi.regenerateKey, { params: { id: query.id } });
    expect(api_key).toBeUndefined();
    expect(await keyFor(vic, query.id)).toBe('');
    expect(await keyFor(ann, query.id)).not.toBe(query.api_key);
  });

  test('an owner whose own key was revoked gets another one by making a new one', async () => {
    const query = await makeQuery(ann);
    await admin.get(queryKeysApi.revoke, { params: { id: query.id, userId: ann.id } });
    expect(await keyFor(ann, query.id)).toBe('');
    const { api_key = '' } = await app.as(ann).get(queriesApi.regenerateKey, { params: { id: query.id } });
    expect((await byKey(api_key).fetch(`/api/queries/${query.id}`)).status).toBe(200);
  });
});
