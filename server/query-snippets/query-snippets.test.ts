import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const [owner, other] = [await app.make.user(), await app.make.user()];
const plain = await app.make.user({ groups: [] });
let count = 0;
const create = (body: Record<string, unknown> = {}, user: { api_key: string } = owner) =>
  app.as(user).call(querySnippetsApi.create, { body: { trigger: `t${++count}`, snippet: 'select 1', ...body } });
const save = (id: number, body: Record<string, unknown>, user: { api_key: string } = owner) =>
  app.as(user).call(querySnippetsApi.save, { params: { id }, body });

describe('server-behaviour 12.2: snippets', () => {
  test('made, read, changed in part, deleted', async () => {
    const { body: made } = await create({ trigger: ' hello ', snippet: '  select 1\n' });
    expect(made).toMatchObject({ trigger: 'hello', description: '', snippet: '  select 1\n', user: { id: owner.id } });
    expect(await app.as(plain).get(querySnippetsApi.get, { params: { id: made.id } })).toEqual(made);
    expect((await save(made.id, { description: 'says hello' })).body).toMatchObject({ trigger: 'hello', description: 'says hello' });
    expect((await save(made.id, { snippet: 'select 2' })).body.description).toBe('says hello');
    expect((await save(made.id, { description: null })).body.description).toBe('');
    expect((await app.as(owner).call(querySnippetsApi.remove, { params: { id: made.id } })).body).toBeNull();
    expect((await app.as(owner).call(querySnippetsApi.get, { params: { id: made.id } })).status).toBe(404);
  });

  test('everybody sees all of them, as an array, or a page when one is asked for', async () => {
    await create({ trigger: 'zeta', description: 'last' });
    await create({ trigger: 'Alpha' });
    const all = (await app.as(plain).get(querySnippetsApi.list)) as { trigger: string }[];
    const triggers = all.map(({ trigger }) => trigger);
    expect(triggers.indexOf('Alpha')).toBeLessThan(triggers.indexOf('zeta'));
    expect(await app.as(plain).get(querySnippetsApi.list, { query: { page: 1, page_size: 1, q: 'last' } })).toMatchObject({
      count: 1,
      results: [{ trigger: 'zeta' }],
    });
  });

  test('Q6: making one needs create_query', async () => {
    expect((await create({}, plain)).status).toBe(403);
  });

  test('Q6: its author and administrators change and delete it', async () => {
    const { body } = await create();
    expect((await save(body.id, { description: 'x' }, other)).status).toBe(403);
    expect((await app.as(other).call(querySnippetsApi.remove, { params: { id: body.id } })).status).toBe(403);
    expect((await save(body.id, { description: 'x' }, app.admin)).body).toMatchObject({ description: 'x', user: { id: owner.id } });
    expect((await admin.call(querySnippetsApi.remove, { params: { id: body.id } })).status).toBe(200);
  });

  test('W31: a trigger is there once', async () => {
    const [{ body: first }, { body: second }] = [await create({ trigger: 'once' }), await create()];
    const taken = { status: 400, message: 'Snippet trigger already exists.' };
    expect(await create({ trigger: 'once' })).toMatchObject(taken);
    expect(await create({ trigger: ' once ' })).toMatchObject(taken);
    expect(await save(second.id, { trigger: 'once' })).toMatchObject(taken);
    expect((await save(first.id, { trigger: 'once', snippet: 'select 2' })).status).toBe(200);
    const race = await Promise.all(Array.from({ length: 10 }, () => create({ trigger: 'race' })));
    expect(race.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(race.filter(({ message }) => message === taken.message)).toHaveLength(9);
  });

  test.each([
    [{ trigger: '' }, 'Trigger is required.'],
    [{ trigger: undefined }, 'Trigger is required.'],
    [{ trigger: 'x'.repeat(256) }, 'Trigger is too long'],
    [{ snippet: '' }, 'Snippet is required.'],
    [{ snippet: ' \n ' }, 'Snippet is required.'],
    [{ snippet: undefined }, 'Snippet is required.'],
    [{ snippet: 'x'.repeat(100_001) }, 'The snippet is too long.'],
    [{ description: 7 }, /description/],
    [{ trigger: 'a\u0000' }, /U\+0000/],
  ])('%#: a 400 with a reason', async (body, message) => {
    expect(await create(body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  test('security 19: whose it is cannot be set', async () => {
    const { body } = await create({ id: 7, user_id: other.id, user: { id: other.id }, org_id: 9 });
    expect(body.user.id).toBe(owner.id);
    expect((await save(body.id, { user_id: other.id, id: 7, description: 'y' })).body).toMatchObject({
      id: body.id,
      user: { id: owner.id },
    });
  });

  test('ids that are none are 404', async () => {
    for (const id of [999_999, 'new', 0, 2 ** 33]) {
      expect((await app.as(owner).call(querySnippetsApi.get, { params: { id } })).status).toBe(404);
      expect((await app.as(owner).call(querySnippetsApi.save, { params: { id }, body: {} })).status).toBe(404);
    }
  });
});
