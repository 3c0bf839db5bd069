import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { queriesApi, queryFavoriteApi } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { MadeUser } from '../testing/makers.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const [ann, bob] = [await app.make.user({ name: 'Ann' }), await app.make.user({ name: 'Bob' })];
const guests = await app.make.group();
/** The user is in no group that has access to the open source. */
const guest = await app.make.user({ groups: [], group_ids: [guests.id] });
const open = await app.make.dataSource({ name: 'Open' });
const hidden = await app.make.dataSource({ name: 'Hidden', groups: { [guests.id]: true } });

const make = async (user: MadeUser, name: string, more: Record<string, unknown> = {}) => {
  const body = { name, query: `select '${name.replaceAll("'", "''")}'`, data_source_id: open.id, ...more };
  return (await app.as(user).get(queriesApi.create, { body })).id;
};
const publish = (user: MadeUser, id: number) => app.as(user).get(queriesApi.save, { params: { id }, body: { is_draft: false } });
type ListName = 'list' | 'my' | 'archived' | 'favorites';
const ids = async (user: { api_key: string }, list: ListName = 'list', query: object = {}) =>
  (await app.as(user).get(queriesApi[list], { query: { page_size: 250, ...query } })).results.map(({ id }) => id);

const draft = await make(ann, 'A draft of Ann');
const published = await make(ann, 'Published by Ann', { tags: ['red', 'big'] });
const secret = (await admin.get(queriesApi.create, { body: { name: 'Behind a wall', query: 'select 1', data_source_id: hidden.id } })).id;
const bobs = await make(bob, "Bob's own", { tags: ['red'] });
await publish(ann, published);

describe('server-behaviour 7.2: who sees which queries', () => {
  test('drafts of everybody, on the sources one can reach', async () => {
    expect(await ids(bob)).toEqual([bobs, published, draft]);
    expect(await ids(guest)).toEqual([secret]);
  });

  test('server-behaviour 4.2: administrators see all', async () => {
    expect(await ids(app.admin)).toEqual([bobs, secret, published, draft]);
  });

  test('server-behaviour 7.3: my queries are mine', async () => {
    expect(await ids(ann, 'my')).toEqual([published, draft]);
    expect(await ids(bob, 'my')).toEqual([bobs]);
    expect(await ids(guest, 'my')).toEqual([]);
  });

  test('server-behaviour 7.5: the last ten one worked on, in the bare form', async () => {
    const recent = await app.as(ann).get(queriesApi.recent);
    expect(recent.map(({ id }) => id)).toEqual([published, draft]);
    expect(recent[0]).toMatchObject({ user_id: ann.id, last_modified_by_id: ann.id, is_favorite: false });
    const raw = (await (await app.as(ann).fetch('/api/queries/recent')).json()) as object[];
    expect(raw[0]).not.toHaveProperty('runtime');
    expect(raw[0]).not.toHaveProperty('user');
    const busy = await app.make.user();
    for (let i = 0; i < 12; i++) await make(busy, `Number ${i}`);
    const latest = await app.as(busy).get(queriesApi.recent);
    expect(latest.map(({ name }) => name)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((i) => `Number ${i}`));
    await sql`delete from queries where user_id = ${busy.id}`.execute(app.ctx.db);
  });

  test('losing the source hides the query in lists and by address; the owner keeps queries without a source', async () => {
    const source = await app.make.dataSource();
    const orphan = await make(bob, 'Orphan', { data_source_id: source.id });
    expect(await ids(ann)).toContain(orphan);
    await admin.get(dataSourcesApi.remove, { params: { id: source.id } });
    for (const [user, sees] of [
      [ann, false],
      [bob, true],
      [app.admin, true],
    ] as const) {
      expect((await ids(user)).includes(orphan)).toBe(sees);
      expect((await app.as(user).call(queriesApi.get, { params: { id: orphan } })).status).toBe(sees ? 200 : 403);
    }
    await admin.get(queriesApi.archive, { params: { id: orphan } });
  });

  test('Q2: the counter of the home page counts what the list shows', async () => {
    const { object_counters } = await app.as(bob).get(organizationApi.status);
    expect(object_counters.queries).toBe((await ids(bob)).length);
  });

  test('without view_query there are no lists', async () => {
    const nobody = await app.make.user({ groups: [] });
    for (const list of [queriesApi.list, queriesApi.my, queriesApi.archived, queriesApi.favorites, queriesApi.recent, queriesApi.tags]) {
      expect((await app.as(nobody).call(list)).status).toBe(403);
    }
  });

  test('server-behaviour 7.4: archived are published ones of anybody and own drafts', async () => {
    const [gone, goneDraft] = [await make(ann, 'Gone'), await make(ann, 'Gone draft')];
    await publish(ann, gone);
    for (const id of [gone, goneDraft]) await app.as(ann).get(queriesApi.archive, { params: { id } });
    expect(await ids(ann, 'archived')).toEqual([goneDraft, gone]);
    expect(await ids(bob, 'archived')).toContain(gone);
    expect(await ids(bob, 'archived')).not.toContain(goneDraft);
    expect(await ids(app.admin, 'archived')).toEqual(expect.arrayContaining([gone, goneDraft]));
    expect(await ids(guest, 'archived')).toEqual([]);
    expect(await ids(ann)).not.toContain(gone);
    expect(await ids(ann, 'my')).not.toContain(gone);
  });
});

describe('server-behaviour 7.1: the list form', () => {
  test('carries what the last run says, and no key', async () => {
    const raw = (await (await app.as(bob).fetch('/api/queries?q=Published')).json()) as { results: [object] };
    expect(Object.keys(raw.results[0]).sort()).toEqual(
      `created_at data_source_id description id is_archived is_draft is_favorite is_safe last_modified_by last_modified_by_id latest_query_data_id
      name options query query_hash retrieved_at runtime schedule tags updated_at user version`.split(/\s+/),
    );
    expect(raw.results[0]).toMatchObject({ id: published, runtime: null, retrieved_at: null, is_favorite: false, user: { name: 'Ann' } });
    expect(JSON.stringify(raw)).not.toMatch(/api_key|sealed|_hash":"\$|password_/);
  });

  test('W39: brief, without texts and options', async () => {
    const { results } = await app.as(bob).get(queriesApi.list, { query: { brief: '1' } });
    expect(results.length).toBeGreaterThan(0);
    for (const query of results) expect(Object.keys(query)).not.toEqual(expect.arrayContaining(['query']));
    expect(results[0]).not.toHaveProperty('options');
  });

  test('server-behaviour 1.2: pages and their faults', async () => {
    const page = await app.as(bob).get(queriesApi.list, { query: { page: 2, page_size: 1 } });
    expect(page).toMatchObject({ count: 3, page: 2, page_size: 1, results: [{ id: published }] });
    const fault = (query: object) => app.as(bob).call(queriesApi.list, { query });
    expect(await fault({ page: 0 })).toMatchObject({ status: 400, message: 'Page must be positive integer.' });
    expect(await fault({ page: 99 })).toMatchObject({ status: 400, message: 'Page is out of range.' });
    expect(await fault({ page_size: 251 })).toMatchObject({ status: 400 });
    expect(await fault({ page: 2, q: 'nowhere' })).toMatchObject({ status: 404 });
    expect((await fault({ page: 'x', page_size: '-', order: '--' })).status).toBe(200);
  });
});

describe('favorites (17)', () => {
  const star = (user: MadeUser, id: number) => app.as(user).call(queryFavoriteApi.add, { params: { id } });
  const unstar = (user: MadeUser, id: number) => app.as(user).call(queryFavoriteApi.remove, { params: { id } });

  test('stars of other users do not count', async () => {
    expect([(await star(bob, draft)).body, (await star(bob, draft)).status]).toEqual([null, 200]);
    await star(ann, published);
    expect(await ids(bob, 'favorites')).toEqual([draft]);
    const [listed] = (await app.as(bob).get(queriesApi.favorites)).results;
    expect(listed).toMatchObject({ is_favorite: true, starred_at: expect.stringMatching(/Z$/) });
    expect(await app.as(bob).get(queriesApi.get, { params: { id: draft } })).toMatchObject({ is_favorite: true });
    expect(await app.as(ann).get(queriesApi.get, { params: { id: draft } })).toMatchObject({ is_favorite: false });
    expect((await app.as(ann).get(queriesApi.list)).results.find(({ id }) => id === draft)).not.toHaveProperty('starred_at');
  });

  test('taking it back is as good twice', async () => {
    expect([(await unstar(bob, draft)).status, (await unstar(bob, draft)).status]).toEqual([200, 200]);
    expect(await ids(bob, 'favorites')).toEqual([]);
  });

  test('only what one can see, and only while it is not archived', async () => {
    expect((await star(bob, secret)).status).toBe(403);
    expect((await star(bob, 999_999)).status).toBe(404);
    const short = await make(ann, 'Short');
    await star(bob, short);
    await app.as(ann).get(queriesApi.archive, { params: { id: short } });
    expect(await ids(bob, 'favorites')).toEqual([]);
  });

  test('starred_at: the newest star first', async () => {
    for (const id of [published, draft, bobs]) await star(bob, id);
    expect(await ids(bob, 'favorites', { order: '-starred_at' })).toEqual([bobs, draft, published]);
    expect(await ids(bob, 'favorites', { order: 'starred_at' })).toEqual([published, draft, bobs]);
    expect(await ids(bob, 'favorites', { q: 'draft' })).toEqual([draft]);
    expect(await ids(bob, 'favorites', { tags: 'red' })).toEqual([bobs, published]);
  });
});

describe('tags', () => {
  test('Q5: trimmed, without empty ones, each once', async () => {
    const id = await make(ann, 'Tagged', { tags: [' red ', 'red', '', null, '  ', 'Größe'] });
    expect(await app.as(ann).get(queriesApi.get, { params: { id } })).toMatchObject({ tags: ['red', 'Größe'] });
    await app.as(ann).get(queriesApi.archive, { params: { id } });
  });

  test('server-behaviour 1.2: all of the given ones, case-sensitive', async () => {
    expect(await ids(bob, 'list', { tags: 'red' })).toEqual([bobs, published]);
    expect(await ids(bob, 'list', { tags: ['red', 'big'] })).toEqual([published]);
    expect(await ids(bob, 'list', { tags: 'Red' })).toEqual([]);
    expect(await ids(bob, 'list', { tags: ["'; drop table queries", '{}'] })).toEqual([]);
  });

  test('server-behaviour 7.8: how many have each, by name, over what one can see', async () => {
    await admin.get(queriesApi.save, { params: { id: secret }, body: { tags: ['red', 'hidden'] } });
    expect(await app.as(bob).get(queriesApi.tags)).toEqual({
      tags: [
        { name: 'big', count: 1 },
        { name: 'red', count: 2 },
      ],
    });
    expect(await app.as(guest).get(queriesApi.tags)).toEqual({
      tags: [
        { name: 'hidden', count: 1 },
        { name: 'red', count: 1 },
      ],
    });
  });
});

describe('server-behaviour 1.2: order', () => {
  test('name, created_at, created_by, schedule, runtime, executed_at; nothing comes last both ways', async () => {
    const sorter = await app.make.user({ name: 'aaron' });
    const [one, two, three] = [
      await make(sorter, 'beta', { tags: ['sort'] }),
      await make(bob, 'Alpha', { tags: ['sort'], schedule: { interval: 86_400 } }),
      await make(sorter, 'gamma', { tags: ['sort'], schedule: { interval: 300 } }),
    ];
    const result = async (id: number, runtime: number, at: string) =>
      sql`with made as (
            insert into query_results (org_id, data_source_id, query_hash, query, columns, row_count, byte_count, runtime, retrieved_at)
            select org_id, ${open.id}, 'x', '', '[]', 0, 0, ${runtime}, ${at}::timestamptz from queries where id = ${id} returning id)
          update queries set latest_query_data_id = made.id from made where queries.id = ${id}`.execute(app.ctx.db);
    await result(one, 9, '2026-01-01');
    await result(two, 10, '2025-01-01');
    const ordered = (order: string) => ids(bob, 'list', { tags: 'sort', order });
    expect(await ordered('name')).toEqual([two, one, three]);
    expect(await ordered('-name')).toEqual([three, one, two]);
    expect(await ordered('created_at')).toEqual([one, two, three]);
    expect(await ordered('created_by')).toEqual([three, one, two]);
    expect(await ordered('schedule')).toEqual([three, two, one]);
    expect(await ordered('-schedule')).toEqual([two, three, one]);
    expect(await ordered('runtime')).toEqual([one, two, three]);
    expect(await ordered('-runtime')).toEqual([two, one, three]);
    expect(await ordered('executed_at')).toEqual([two, one, three]);
    expect(await ordered('-executed_at')).toEqual([one, two, three]);
  });

  test.each(['nonsense', '-', 'toString', '__proto__', 'id; drop table queries', 'query', "name'"])(
    '%j is the default order',
    async (order) => {
      expect(await ids(ann, 'my', { order })).toEqual(await ids(ann, 'my'));
    },
  );
});

describe('server-behaviour 7.7: the old address of the search', () => {
  test('leads to the list', async () => {
    const answer = await app.as(bob).fetch('/api/queries/search?q=a%26b%20%22c%22%0d%0aX-Evil:1&include_drafts');
    expect(answer.status).toBe(301);
    expect(answer.headers.get('location')).toBe('/api/queries?q=a%26b+%22c%22%0D%0AX-Evil%3A1&drafts=true');
    expect(answer.headers.get('x-evil')).toBeNull();
    const followed = await app.as(bob).fetch('/api/queries/search?q=Published', { redirect: 'follow' });
    expect(await followed.json()).toMatchObject({ results: [{ id: published }] });
  });

  test.each(['', '?q=', '?q=%20', '?q=a&q=b'])('without a term (%j) it finds nothing', async (query) => {
    const answer = await app.as(bob).fetch(`/api/queries/search${query}`);
    expect([answer.status, await answer.text()]).toEqual([200, '[]']);
  });
});
