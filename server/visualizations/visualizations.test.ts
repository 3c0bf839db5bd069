import { queriesApi, queryAclApi } from '@telltale/domain/queries/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { invalid } from '../platform/errors.ts';
import { on } from '../platform/signals.ts';
import { testApp } from '../testing/test-app.ts';
import { visualizationRemoving } from './visualization-signals.ts';

const app = await testApp();
const [owner, other] = [await app.make.user(), await app.make.user()];
const source = await app.make.dataSource();
const { id: query_id } = await app.as(owner).get(queriesApi.create, { body: { name: 'Q', query: 'select 1', data_source_id: source.id } });
const create = (body: Record<string, unknown>, user: { api_key: string } = owner) =>
  app.as(user).call(visualizationsApi.create, { body: { query_id, name: 'Chart', type: 'CHART', ...body } });
const save = (id: number, body: Record<string, unknown>, user: { api_key: string } = owner) =>
  app.as(user).call(visualizationsApi.save, { params: { id }, body });
const remove = (id: number, user: { api_key: string } = owner) => app.as(user).call(visualizationsApi.remove, { params: { id } });
const shown = async () => (await app.as(owner).get(queriesApi.get, { params: { id: query_id } })).visualizations;

describe('server-behaviour 12.1: visualizations', () => {
  test('added, changed in part, deleted; the query shows them in their order', async () => {
    const { body: made } = await create({ description: 'd', options: { a: 1, deep: { b: [null, 'x'] } } });
    expect(made).toMatchObject({ query_id, type: 'CHART', name: 'Chart', description: 'd', options: { a: 1, deep: { b: [null, 'x'] } } });
    expect((await shown()).map(({ name }) => name)).toEqual(['Table', 'Chart']);
    expect((await save(made.id, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', description: 'd', options: { a: 1 } });
    expect((await save(made.id, { options: { c: 2 }, description: null })).body).toMatchObject({
      name: 'Renamed',
      description: '',
      options: { c: 2 },
    });
    expect((await save(made.id, { type: 'COUNTER' })).body).toMatchObject({ type: 'COUNTER' });
    expect((await remove(made.id)).body).toBeNull();
    expect((await shown()).map(({ name }) => name)).toEqual(['Table']);
    expect((await remove(made.id)).status).toBe(404);
  });

  test('Q3: a table unless it says otherwise; Q5: without its old page size', async () => {
    const { body: table } = await create({ type: undefined, options: { paginationSize: 5, itemsPerPage: 25 } });
    expect(table).toMatchObject({ type: 'TABLE', options: { itemsPerPage: 25 } });
    expect(table.options).not.toHaveProperty('paginationSize');
    expect((await save(table.id, { options: { paginationSize: 7 } })).body.options).toEqual({});
    expect((await save(table.id, { type: 'CHART', options: { paginationSize: 7 } })).body.options).toEqual({ paginationSize: 7 });
    expect((await save(table.id, { type: 'TABLE' })).body.options).toEqual({});
    await remove(table.id);
  });

  test('security 19: nothing else can be set, not even whose it is', async () => {
    const { id: foreign } = await app
      .as(other)
      .get(queriesApi.create, { body: { name: 'F', query: 'select 1', data_source_id: source.id } });
    const { body } = await create({ id: 999_999, created_at: '2000-01-01T00:00:00Z', query: { id: foreign } });
    expect(body.id).not.toBe(999_999);
    const saved = await save(body.id, { id: 7, query_id: foreign, created_at: '2000-01-01T00:00:00Z', name: 'Same query' });
    expect(saved.body).toMatchObject({ id: body.id, query_id, created_at: body.created_at, name: 'Same query' });
    await remove(body.id);
  });

  test('security 31: the names of prototypes are names, or refused', async () => {
    const { body } = await create({ options: { toString: 'y', hasOwnProperty: 1 } });
    expect(body.options).toEqual({ toString: 'y', hasOwnProperty: 1 });
    await remove(body.id);
    expect((await create({ options: JSON.parse('{"constructor":{"prototype":{"x":1}}}') })).status).toBe(400);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test.each([
    [{ name: '' }, 'Name is required.'],
    [{ name: undefined }, 'Name is required.'],
    [{ name: 'x'.repeat(256) }, 'Name is too long'],
    [{ type: '' }, 'Type is required.'],
    [{ type: 'x'.repeat(101) }, 'Type is too long'],
    [{ description: 'x'.repeat(4097) }, 'Description is too long'],
    [{ options: [] }, /options/],
    [{ options: 'x' }, /options/],
    [{ options: { deep: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) } }, 'The options are nested too deeply.'],
    [{ query_id: undefined }, /query_id/],
    [{ query_id: 'x' }, /query_id/],
  ])('%#: a 400 with a reason', async (body, message) => {
    expect(await create(body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });
});

describe('who may (security 20)', () => {
  test('users who may edit the query', async () => {
    const { body } = await create({});
    for (const answer of [await create({}, other), await save(body.id, { name: 'x' }, other), await remove(body.id, other)]) {
      expect(answer.status).toBe(403);
    }
    await app.as(owner).get(queryAclApi.grant, { params: { id: query_id }, body: { access_type: 'modify', user_id: other.id } });
    expect((await create({}, other)).status).toBe(200);
    expect((await save(body.id, { name: 'x' }, other)).status).toBe(200);
    expect((await remove(body.id, other)).status).toBe(200);
    await app.as(owner).get(queryAclApi.revoke, { params: { id: query_id }, body: { access_type: 'modify', user_id: other.id } });
  });

  test('queries and visualizations that are not there are 404', async () => {
    expect((await create({ query_id: 999_999 })).status).toBe(404);
    for (const id of [999_999, 0, -1, 2 ** 40]) {
      expect([(await save(id, { name: 'x' })).status, (await remove(id)).status]).toEqual([404, 404]);
    }
  });

  test('a query on a source that one cannot see', async () => {
    const hidden = await app.make.dataSource({ groups: {} });
    const made = await app.make.query({ data_source_id: hidden.id, user_id: app.admin.id });
    expect((await create({ query_id: made.id })).status).toBe(403);
  });
});

test('W21: a reaction to visualizationRemoving can refuse the deletion', async () => {
  const { body } = await create({});
  const asked: unknown[] = [];
  const stop = on(visualizationRemoving, async (_tx, about) => {
    asked.push(about);
    throw invalid('It is shown on a dashboard.');
  });
  expect(await remove(body.id)).toMatchObject({ status: 400, message: 'It is shown on a dashboard.' });
  expect(asked).toEqual([{ visualization_id: body.id, query_id }]);
  stop();
  expect((await remove(body.id)).status).toBe(200);
});

describe('complaint 13: the order of the tabs', () => {
  const order = (ids: number[], user: { api_key: string } = owner, id = query_id) =>
    app.as(user).call(visualizationsApi.order, { params: { id }, body: { ids } });
  const shownIds = async () => (await shown()).map(({ id }) => id);

  test('is stored; a new one comes last, a changed one stays, a fork has the same', async () => {
    await create({ name: 'One' });
    await create({ name: 'Two' });
    const before = await shownIds();
    const turned = before.toReversed();
    expect(await order(turned)).toMatchObject({ status: 200, body: null });
    expect(await shownIds()).toEqual(turned);
    const { body: late } = await create({ name: 'Late' });
    await save(turned[1] as number, { name: 'Renamed' });
    expect(await shownIds()).toEqual([...turned, late.id]);
    const fork = await app.as(owner).get(queriesApi.fork, { params: { id: query_id } });
    const { visualizations } = await app.as(owner).get(queriesApi.get, { params: { id: fork.id } });
    expect(visualizations.map(({ name }) => name)).toEqual((await shown()).map(({ name }) => name));
    await remove(turned[0] as number);
    expect(await shownIds()).toEqual([...turned.slice(1), late.id]);
  });

  test('names all of the query, each once', async () => {
    const all = await shownIds();
    const foreign = await app.as(owner).get(queriesApi.create, { body: { name: 'F', query: 'select 1', data_source_id: source.id } });
    const [first = 0, ...rest] = all;
    const wrong = [[], rest, [first, ...all], [...rest, rest[0] ?? 0], [...rest, foreign.visualizations[0]?.id ?? 0], [...rest, 2 ** 40]];
    for (const ids of wrong) expect(await order(ids)).toMatchObject({ status: 400 });
    expect(await order(rest)).toMatchObject({
      message: 'The visualizations of this query have changed. An order names all of them, each once.',
    });
    expect(await shownIds()).toEqual(all);
  });

  test('belongs to those who may edit the query', async () => {
    const all = await shownIds();
    expect((await order(all.toReversed(), other)).status).toBe(403);
    expect((await order(all, owner, 999_999)).status).toBe(404);
    expect(await shownIds()).toEqual(all);
  });
});

test('parts saved at once are all kept', async () => {
  const { body } = await create({ options: {} });
  const parts = [{ name: 'N' }, { description: 'D' }, { type: 'COUNTER' }, { options: { o: 1 } }];
  await Promise.all(parts.map((part) => save(body.id, part)));
  const { rows } = await sql<Record<string, unknown>>`select * from visualizations where id = ${body.id}`.execute(app.ctx.db);
  expect(rows[0]).toMatchObject(Object.assign({}, ...parts));
});
