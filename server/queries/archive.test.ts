import { queriesApi, queryAclApi } from '@telltale/domain/queries/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { invalid } from '../platform/errors.ts';
import { on } from '../platform/signals.ts';
import { testApp } from '../testing/test-app.ts';
import { queryArchived } from './query-signals.ts';

const app = await testApp();
const admin = app.as(app.admin);
const [owner, other] = [await app.make.user(), await app.make.user()];
const lookers = await app.make.group();
const looker = await app.make.user({ groups: [], group_ids: [lookers.id] });
const source = await app.make.dataSource();
const viewable = await app.make.dataSource({ groups: { 2: false, [lookers.id]: true } });
const make = (more: Record<string, unknown> = {}) =>
  app.as(owner).get(queriesApi.create, { body: { name: 'A query', query: 'select 1', data_source_id: source.id, ...more } });
const of = (id: number) => ({ params: { id } });

describe('server-behaviour 7.13 and Q4: archiving', () => {
  test('clears the schedule, takes it out of lists, and leaves it readable', async () => {
    const { id } = await make({ schedule: { interval: 60 }, tags: ['gone'] });
    expect((await app.as(owner).call(queriesApi.archive, of(id))).body).toBeNull();
    expect(await app.as(owner).get(queriesApi.get, of(id))).toMatchObject({
      is_archived: true,
      schedule: null,
      next_run_at: null,
      version: 2,
    });
    expect((await app.as(owner).get(queriesApi.list, { query: { tags: 'gone' } })).count).toBe(0);
    expect((await app.as(owner).get(queriesApi.tags)).tags).toEqual([]);
  });

  test('its owner and administrators only', async () => {
    const { id } = await make();
    await app.as(owner).get(queryAclApi.grant, { ...of(id), body: { access_type: 'modify', user_id: other.id } });
    expect((await app.as(other).call(queriesApi.archive, of(id))).status).toBe(403);
    expect((await app.as(other).call(queriesApi.restore, of(id))).status).toBe(403);
    expect((await admin.call(queriesApi.archive, of(id))).status).toBe(200);
    expect((await admin.call(queriesApi.archive, of(999_999))).status).toBe(404);
  });

  test('its key opens nothing any more, until it comes back', async () => {
    const { id, api_key = '' } = await make();
    const byKey = () => app.as({ api_key }).call(queriesApi.get, of(id));
    expect((await byKey()).status).toBe(200);
    await app.as(owner).get(queriesApi.archive, of(id));
    expect((await byKey()).status).toBe(404);
    expect(await app.as(owner).get(queriesApi.restore, of(id))).toMatchObject({ is_archived: false, version: 3, schedule: null });
    expect((await byKey()).status).toBe(200);
  });

  test('Q4: an archived draft is not published before it is restored', async () => {
    const { id } = await make();
    await app.as(owner).get(queriesApi.archive, of(id));
    const publish = (body: object) => app.as(owner).call(queriesApi.save, { ...of(id), body: { is_draft: false, ...body } });
    expect(await publish({})).toMatchObject({ status: 400, message: 'An archived query cannot be published. Restore it first.' });
    expect((await publish({ is_archived: false })).body).toMatchObject({ is_draft: false, is_archived: false });
    await app.as(owner).get(queriesApi.archive, of(id));
    expect((await publish({ name: 'Published before' })).status).toBe(200);
  });

  test('done twice it is done once', async () => {
    const { id } = await make();
    for (const call of [queriesApi.archive, queriesApi.archive, queriesApi.restore, queriesApi.restore])
      await app.as(owner).get(call, of(id));
    expect(await app.as(owner).get(queriesApi.get, of(id))).toMatchObject({ version: 3, is_archived: false });
  });

  test('style 2: other rooms hear of it in the same transaction, once, and can undo it', async () => {
    const { id } = await make();
    const heard: number[] = [];
    const stop = on(queryArchived, async (tx, { query_id }) => {
      const { rows } = await sql<{ is_archived: boolean }>`select is_archived from queries where id = ${query_id}`.execute(tx.db);
      if (rows[0]?.is_archived) heard.push(query_id);
    });
    await app.as(owner).get(queriesApi.archive, of(id));
    await app.as(owner).get(queriesApi.archive, of(id));
    expect(heard).toEqual([id]);
    stop();
    const second = await make();
    const undo = on(queryArchived, () => Promise.reject(invalid('Not now.')));
    expect(await app.as(owner).call(queriesApi.archive, of(second.id))).toMatchObject({ status: 400, message: 'Not now.' });
    undo();
    expect(await app.as(owner).get(queriesApi.get, of(second.id))).toMatchObject({ is_archived: false, version: 1 });
  });
});

describe('server-behaviour 7.14: a copy', () => {
  test('is a draft of its creator, with parameters and visualizations, without schedule, key and archive', async () => {
    const options = { parameters: [{ name: 'n', type: 'number', value: 5, custom: 'kept' }], apply_auto_limit: true };
    const original = await make({ options, description: 'd', tags: ['t'], schedule: { interval: 60 }, query: 'select {{ n }}' });
    await app.as(owner).get(queriesApi.save, { ...of(original.id), body: { is_draft: false } });
    for (const name of ['Second', 'Third']) {
      await app.as(owner).get(visualizationsApi.create, { body: { query_id: original.id, name, type: 'CHART', options: { x: name } } });
    }
    const copy = await app.as(other).get(queriesApi.fork, of(original.id));
    expect(copy).toMatchObject({
      name: `Copy of (#${original.id}) A query`,
      query: 'select {{ n }}',
      description: 'd',
      tags: ['t'],
      options,
      schedule: null,
      next_run_at: null,
      is_draft: true,
      is_archived: false,
      version: 1,
      user: { id: other.id },
      last_modified_by: { id: other.id },
      is_favorite: false,
    });
    expect(copy.visualizations.map(({ type, name, options: own }) => [type, name, own])).toEqual([
      ['TABLE', 'Table', {}],
      ['CHART', 'Second', { x: 'Second' }],
      ['CHART', 'Third', { x: 'Third' }],
    ]);
    expect(copy.api_key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(copy.api_key).not.toBe(original.api_key);
    await admin.get(queriesApi.archive, of(original.id));
    expect(await app.as(other).get(queriesApi.fork, of(original.id))).toMatchObject({ is_archived: false });
  });

  test('shows the result of the original until it has its own', async () => {
    const { id, query_hash } = await make({ query: 'select 99' });
    const { rows } = await sql<{ id: number }>`
      insert into query_results (org_id, data_source_id, query_hash, query, columns, row_count, byte_count, runtime)
      select org_id, data_source_id, ${query_hash}, query, '[]', 0, 0, 1 from queries where id = ${id} returning id`.execute(app.ctx.db);
    await sql`update queries set latest_query_data_id = ${rows[0]?.id} where id = ${id}`.execute(app.ctx.db);
    expect(await app.as(other).get(queriesApi.fork, of(id))).toMatchObject({ latest_query_data_id: rows[0]?.id });
  });

  test('a long name is cut, not refused', async () => {
    const { id } = await make({ name: 'x'.repeat(255) });
    expect((await app.as(other).get(queriesApi.fork, of(id))).name).toHaveLength(255);
  });

  test('needs full access to the source; without one there is nothing to copy to', async () => {
    const { id } = await make({ data_source_id: viewable.id });
    expect((await app.as(looker).call(queriesApi.get, of(id))).status).toBe(200);
    expect((await app.as(looker).call(queriesApi.fork, of(id))).status).toBe(403);
    const lost = await app.make.query({ data_source_id: null, user_id: owner.id });
    expect((await app.as(owner).call(queriesApi.fork, of(lost.id))).status).toBe(400);
  });
});

describe('server-behaviour 7.15: another key', () => {
  test('works at once and the old one no more; the version stays', async () => {
    const { id, api_key: old = '' } = await make();
    const { api_key = '', version } = await app.as(owner).get(queriesApi.regenerateKey, of(id));
    expect([api_key.length, api_key === old, version]).toEqual([40, false, 1]);
    expect((await app.as({ api_key: old }).call(queriesApi.get, of(id))).status).toBe(404);
    expect((await app.as({ api_key }).call(queriesApi.get, of(id))).status).toBe(200);
  });

  test('Q6: for those who may edit the query, by a grant as well', async () => {
    const { id, api_key: old = '' } = await make();
    expect((await app.as(other).call(queriesApi.regenerateKey, of(id))).status).toBe(403);
    await app.as(owner).get(queryAclApi.grant, { ...of(id), body: { access_type: 'modify', user_id: other.id } });
    const { api_key = '' } = await app.as(other).get(queriesApi.regenerateKey, of(id));
    expect((await app.as({ api_key: old }).call(queriesApi.get, of(id))).status).toBe(404);
    expect((await app.as({ api_key }).call(queriesApi.get, of(id))).status).toBe(200);
    expect((await admin.call(queriesApi.regenerateKey, of(id))).status).toBe(200);
  });

  test('security 23: what its holder reads has no text, key, address or name of a person', async () => {
    const { id, api_key = '' } = await make({ query: 'select secret_column' });
    const text = await (await app.as({ api_key }).fetch(`/api/queries/${id}`)).text();
    expect(Object.keys(JSON.parse(text)).sort()).toEqual(
      `can_edit created_at description id is_archived is_draft is_safe latest_query_data_id name options tags updated_at version
      visualizations`.split(/\s+/),
    );
    expect(text).not.toMatch(/secret_column|api_key|@example|schedule|data_source/);
  });
});

describe('17: letting others in', () => {
  const grant = (id: number, body: Record<string, unknown>, by = owner) =>
    app.as(by).call(queryAclApi.grant, { ...of(id), body: body as never });
  const revoke = (id: number, body: Record<string, unknown>, by = owner) =>
    app.as(by).call(queryAclApi.revoke, { ...of(id), body: body as never });

  test('grant, look, revoke; each as good twice', async () => {
    const { id } = await make();
    expect(await app.as(other).get(queryAclApi.list, of(id))).toEqual({});
    const given = await grant(id, { access_type: 'modify', user_id: other.id });
    expect(given.body).toEqual({
      id: expect.any(Number),
      object_id: id,
      object_type: 'queries',
      access_type: 'modify',
      grantor: owner.id,
      grantee: other.id,
    });
    expect((await grant(id, { access_type: 'modify', user_id: other.id })).body.id).toBe(given.body.id);
    expect(await app.as(other).get(queryAclApi.list, of(id))).toMatchObject({ modify: [{ id: other.id, name: other.name }] });
    expect(await app.as(other).get(queriesApi.get, of(id))).toMatchObject({ can_edit: true });
    const check = (user: { api_key: string }, accessType: string) => app.as(user).get(queryAclApi.check, { params: { id, accessType } });
    expect([
      await check(other, 'modify'),
      await check(owner, 'modify'),
      await check(other, 'view'),
      await check(other, 'nonsense'),
    ]).toEqual([true, false, false, false].map((response) => ({ response })));
    for (let i = 0; i < 2; i++) expect((await revoke(id, { access_type: 'modify', user_id: other.id })).body).toBeNull();
    expect(await app.as(other).get(queriesApi.get, of(id))).toMatchObject({ can_edit: false });
    expect((await app.as(other).call(queriesApi.save, { ...of(id), body: { name: 'x' } })).status).toBe(403);
  });

  test('only modify lets somebody edit', async () => {
    const { id } = await make();
    for (const access_type of ['view', 'delete']) await grant(id, { access_type, user_id: other.id });
    expect(await app.as(other).get(queriesApi.get, of(id))).toMatchObject({ can_edit: false });
    expect((await app.as(other).call(queriesApi.archive, of(id))).status).toBe(403);
  });

  test('nobody passes it on', async () => {
    const { id } = await make();
    const third = await app.make.user();
    await grant(id, { access_type: 'modify', user_id: other.id });
    expect((await grant(id, { access_type: 'modify', user_id: third.id }, other)).status).toBe(403);
    expect((await revoke(id, { access_type: 'modify', user_id: other.id }, other)).status).toBe(403);
  });

  test('a grant opens no source: without access to the query there is no edit', async () => {
    const { id } = await make();
    await grant(id, { access_type: 'modify', user_id: looker.id });
    expect((await app.as(looker).call(queriesApi.get, of(id))).status).toBe(403);
    expect((await app.as(looker).call(queriesApi.save, { ...of(id), body: { name: 'x' } })).status).toBe(403);
    expect((await app.as(looker).call(queryAclApi.list, of(id))).status).toBe(403);
  });

  test.each([
    [{ access_type: 'own', user_id: 1 }, 'Unknown access type.'],
    [{ user_id: 1 }, 'Unknown access type.'],
    [{ access_type: 'modify', user_id: 999_999 }, 'User not found.'],
    [{ access_type: 'modify' }, /user_id/],
    [{ access_type: 'modify', user_id: "1' or 1=1" }, /user_id/],
    [[], /./],
  ])('%j is a 400', async (body, message) => {
    const { id } = await make();
    expect(await grant(id, body as Record<string, unknown>)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  test('somebody who is disabled cannot be let in', async () => {
    const leaver = await app.make.user();
    await admin.get(usersApi.disable, { params: { id: leaver.id } });
    const { id } = await make();
    expect(await grant(id, { access_type: 'modify', user_id: leaver.id })).toMatchObject({ status: 400, message: 'User not found.' });
  });

  test('of twenty who let the same person in at once, all are answered and one row is there', async () => {
    const { id } = await make();
    const answers = await Promise.all(Array.from({ length: 20 }, () => grant(id, { access_type: 'modify', user_id: other.id })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });
});
