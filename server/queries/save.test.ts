import { groupSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { queriesApi, queryAclApi } from '@telltale/domain/queries/contract.ts';
import { queryVersionsApi, versionedFields } from '@telltale/domain/queries/versions.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { MadeUser } from '../testing/makers.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const [owner, editor, other] = [await app.make.user({ name: 'Owner' }), await app.make.user({ name: 'Editor' }), await app.make.user()];
const lookers = await app.make.group();
const looker = await app.make.user({ groups: [], group_ids: [lookers.id] });
const source = await app.make.dataSource();
const second = await app.make.dataSource();
const walled = await app.make.dataSource({ groups: {} });
await admin.get(groupSourcesApi.add, { params: { id: lookers.id }, body: { data_source_id: source.id } });
await admin.get(groupSourcesApi.change, { params: { id: lookers.id, dataSourceId: source.id }, body: { view_only: true } });

const make = (more: Record<string, unknown> = {}, user: MadeUser = owner) =>
  app.as(user).get(queriesApi.create, { body: { name: 'A query', query: 'select 1', data_source_id: source.id, ...more } });
const save = (id: number, body: Record<string, unknown>, user: { api_key: string } = owner) =>
  app.as(user).call(queriesApi.save, { params: { id }, body });
const read = (id: number, user: { api_key: string } = owner) => app.as(user).get(queriesApi.get, { params: { id } });
const grant = (id: number, user: MadeUser) =>
  app.as(owner).get(queryAclApi.grant, { params: { id }, body: { access_type: 'modify', user_id: user.id } });
const storedResult = async (data_source_id: number, query_hash: string, at = 'now()') => {
  const { rows } = await sql<{ id: number }>`
    insert into query_results (org_id, data_source_id, query_hash, query, columns, row_count, byte_count, runtime, retrieved_at)
    select id, ${data_source_id}, ${query_hash}, '', '[]', 0, 0, 1, ${at}::timestamptz from organizations returning id`.execute(app.ctx.db);
  return rows[0]?.id ?? 0;
};

describe('W18: two people save', () => {
  test('the version moves with every save, and a stale one changes nothing', async () => {
    const { id, version } = await make();
    expect((await save(id, { name: 'Second', version })).body).toMatchObject({ version: version + 1, name: 'Second' });
    expect(await save(id, { name: 'Stale', version }, app.admin)).toMatchObject({
      status: 409,
      message: 'The query has been modified by another user.',
    });
    expect(await read(id)).toMatchObject({ name: 'Second', version: version + 1 });
    expect((await save(id, { name: 'Overwritten' })).body).toMatchObject({ name: 'Overwritten', version: version + 2 });
  });

  test('an old version is accepted only from the author of every edit since', async () => {
    const { id, version } = await make();
    for (const name of ['One', 'Two', 'Three']) expect((await save(id, { name, version })).status).toBe(200);
    await grant(id, editor);
    const { version: seen } = await read(id);
    expect((await save(id, { query: 'select 2', version: seen }, editor)).status).toBe(200);
    // A rename does not make a user the author of a text that others wrote.
    expect((await save(id, { name: 'Four' })).status).toBe(200);
    expect((await save(id, { query: 'select 3', version: seen })).status).toBe(409);
    expect((await save(id, { query: 'select 3', version: 99 })).status).toBe(409);
    expect(await read(id)).toMatchObject({ query: 'select 2' });
  });

  test('of ten who save the same version at once, one does', async () => {
    const { id, version } = await make();
    const people = await Promise.all(Array.from({ length: 10 }, () => app.make.user()));
    for (const person of people) await grant(id, person);
    const answers = await Promise.all(people.map((person, i) => save(id, { name: `Name ${i}`, version }, person)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect((await read(id)).version).toBe(version + 1);
    expect(await app.as(owner).get(queryVersionsApi.list, { params: { id } })).toHaveLength(2);
  });

  test('overwriting changes only the sent fields, and other edits are kept', async () => {
    const { id } = await make();
    const parts = [{ name: 'New name' }, { description: 'New description' }, { tags: ['new'] }, { is_draft: false }, { query: 'select 2' }];
    const answers = await Promise.all(parts.map((part) => save(id, part)));
    expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 200));
    expect(await read(id)).toMatchObject(Object.assign({ version: 1 + parts.length }, ...parts));
  });

  test('a run that ends meanwhile is no edit', async () => {
    const { id, version, updated_at } = await make();
    await sql`update queries set latest_query_data_id = ${await storedResult(source.id, 'x')} where id = ${id}`.execute(app.ctx.db);
    expect(await read(id)).toMatchObject({ version, updated_at });
  });
});

describe('W33: versions', () => {
  test('who, when and which fields, newest first', async () => {
    const { id } = await make({ description: 'first', tags: ['a'] });
    await grant(id, editor);
    await save(id, { name: 'Renamed', description: 'first', tags: ['a'] }, editor);
    await save(id, { query: 'select 2', options: { parameters: [{ name: 'x', type: 'number', value: 1 }] }, is_draft: false });
    const versions = await app.as(other).get(queryVersionsApi.list, { params: { id } });
    expect(versions).toMatchObject([
      { version: 3, user: { id: owner.id, name: 'Owner' }, fields: ['query', 'options', 'is_draft'] },
      { version: 2, user: { id: editor.id, name: 'Editor' }, fields: ['name'] },
      { version: 1, user: { id: owner.id }, fields: ['name', 'description', 'query', 'data_source_id', 'tags'] },
    ]);
    expect(JSON.stringify(versions)).not.toMatch(/select|email/);
  });

  test('each with its values: saving them again restores it', async () => {
    const { id } = await make({ name: 'One', query: 'select 1', tags: ['t'] });
    await save(id, { name: 'Two', query: 'select 2', tags: [] });
    const { version: _, ...first } = await app.as(owner).get(queryVersionsApi.get, { params: { id, version: 1 } });
    expect(first).toMatchObject({ name: 'One', query: 'select 1', tags: ['t'], is_draft: true, is_archived: false, schedule: null });
    const restored = await save(id, first);
    expect(restored.body).toMatchObject({ name: 'One', query: 'select 1', tags: ['t'], version: 3 });
    expect(await app.as(owner).get(queryVersionsApi.get, { params: { id, version: 3 } })).toMatchObject({
      fields: ['name', 'query', 'tags'],
    });
  });

  test('archiving and bringing back are versions too', async () => {
    const { id } = await make({ schedule: { interval: 3600 } });
    await app.as(owner).get(queriesApi.archive, { params: { id } });
    await app.as(owner).get(queriesApi.restore, { params: { id } });
    expect(await app.as(owner).get(queryVersionsApi.list, { params: { id } })).toMatchObject([
      { version: 3, fields: ['is_archived'] },
      { version: 2, fields: ['schedule', 'is_archived'] },
      { version: 1 },
    ]);
  });

  test('a version of another source is visible only with access to that source (security 20)', async () => {
    const { id } = await admin.get(queriesApi.create, { body: { name: 'Moved', query: 'select secret', data_source_id: walled.id } });
    await save(id, { data_source_id: source.id, query: 'select open' }, app.admin);
    const version = (n: number, user: { api_key: string }) => app.as(user).call(queryVersionsApi.get, { params: { id, version: n } });
    expect((await version(2, other)).status).toBe(200);
    expect((await version(1, other)).status).toBe(403);
    expect((await version(1, app.admin)).status).toBe(200);
  });

  test('for users who may see the query; unknown versions are 404', async () => {
    const { id } = await make({ data_source_id: second.id });
    expect((await app.as(looker).call(queryVersionsApi.list, { params: { id } })).status).toBe(403);
    expect((await app.as(owner).call(queryVersionsApi.list, { params: { id: 999_999 } })).status).toBe(404);
    for (const version of [0, 2, 'x', 99_999_999_999]) {
      expect((await app.as(owner).call(queryVersionsApi.get, { params: { id, version } })).status).toBe(404);
    }
    const page = await app.as(owner).get(queryVersionsApi.list, { params: { id }, query: { page: 1, page_size: 1 } });
    expect(page).toMatchObject({ count: 1, page: 1 });
  });

  test('the names of the fields are what a save accepts, and whether it is archived', () => {
    const sent = ['name', 'description', 'query', 'data_source_id', 'schedule', 'options', 'tags', 'is_draft'];
    expect([...versionedFields].sort()).toEqual([...sent, 'is_archived'].sort());
  });
});

describe('security 19: nothing else can be set', () => {
  test('what a body carries beside the allowed fields is ignored', async () => {
    const { id } = await make();
    const before = await sql<Record<string, unknown>>`select * from queries where id = ${id}`.execute(app.ctx.db);
    const all = Object.fromEntries(Object.keys(before.rows[0] ?? {}).map((column) => [column, 7]));
    const { name, description, query, data_source_id, schedule, options, tags, is_draft, is_archived, version, ...rest } = all;
    const sent = { ...rest, api_key: 'x'.repeat(40), user: { id: other.id }, can_edit: true, __proto__: { x: 1 } };
    const reply = await save(id, sent);
    expect(reply.status).toBe(200);
    const after = await sql<Record<string, unknown>>`select * from queries where id = ${id}`.execute(app.ctx.db);
    expect({ ...after.rows[0], updated_at: 0, version: 0 }).toEqual({ ...before.rows[0], updated_at: 0, version: 0 });
  });

  test.each([
    [{ name: '' }, 'Name is required.'],
    [{ name: '   ' }, 'Name is required.'],
    [{ name: 'x'.repeat(256) }, 'Name is too long'],
    [{ description: 'x'.repeat(4097) }, 'Description is too long'],
    [{ tags: ['x'.repeat(101)] }, 'The tags are too long'],
    [{ tags: 'x' }, /tags/],
    [{ query: null }, 'Query is required.'],
    [{ options: [] }, /options/],
    [{ options: { parameters: [{ name: '' }] } }, /parameters/],
    [{ options: { parameters: [], deep: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) } }, 'The options are nested too deeply.'],
    [
      { options: { parameters: [{ name: 'x', value: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) }] } },
      'The options are nested too deeply.',
    ],
    [{ is_draft: 'yes' }, /is_draft/],
    [{ data_source_id: 0 }, /data_source_id/],
    [{ data_source_id: 'x' }, /data_source_id/],
    [{ version: 'x' }, /version/],
    [{ name: 'a\u0000b' }, /U\+0000/],
  ])('%#: a 400 with a reason', async (body, message) => {
    const { id } = await make();
    expect(await save(id, body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
    expect((await read(id)).version).toBe(1);
  });
});

describe('who may save what (security 21)', () => {
  test('server-behaviour 7.12: its author, administrators and whom they let in', async () => {
    const { id } = await make();
    expect((await save(id, { name: 'x' }, other)).status).toBe(403);
    expect((await save(id, { name: 'x' }, editor)).status).toBe(403);
    await grant(id, editor);
    expect((await save(id, { name: 'x' }, editor)).status).toBe(200);
    expect((await save(id, { name: 'x' }, app.admin)).status).toBe(200);
    expect((await save(999_999, { name: 'x' })).status).toBe(404);
    expect((await save(id, { name: 'x' }, { api_key: ((await read(id)) as { api_key: string }).api_key })).status).toBe(403);
  });

  test('a grantee with view-only access to the source changes names, not the text', async () => {
    const { id } = await make();
    await grant(id, looker);
    const group = await app.make.group({ permissions: ['view_query', 'edit_query'] });
    await sql`insert into memberships (group_id, user_id) values (${group.id}, ${looker.id})`.execute(app.ctx.db);
    const before = await read(id);
    expect((await save(id, { ...before, name: 'By the looker', description: 'mine' }, looker)).status).toBe(200);
    for (const body of [
      { query: 'delete from t' },
      { options: { parameters: [{ name: 'x', type: 'text' }] } },
      { schedule: { interval: 60 } },
      { data_source_id: second.id },
    ]) {
      expect((await save(id, body, looker)).status).toBe(403);
    }
    expect(await read(id)).toMatchObject({ name: 'By the looker', query: 'select 1' });
  });

  test('a query moves only to a source that one may use in full', async () => {
    const { id } = await make();
    expect((await save(id, { data_source_id: walled.id })).status).toBe(403);
    expect((await save(id, { data_source_id: 999_999 })).status).toBe(404);
    expect((await save(id, { data_source_id: second.id })).body).toMatchObject({ data_source_id: second.id });
  });

  test('Q6: scheduling needs schedule_query; what stays as it was does not', async () => {
    const group = await app.make.group({ permissions: ['view_query', 'edit_query', 'create_query'] });
    await admin.get(groupSourcesApi.add, { params: { id: group.id }, body: { data_source_id: source.id } });
    const writer = await app.make.user({ groups: [], group_ids: [group.id] });
    expect(
      (
        await app
          .as(writer)
          .call(queriesApi.create, { body: { name: 'x', query: 'x', data_source_id: source.id, schedule: { interval: 60 } } })
      ).status,
    ).toBe(403);
    const { id } = await make({}, writer);
    expect((await save(id, { schedule: { interval: 60 } }, writer)).status).toBe(403);
    await save(id, { schedule: { interval: 60, time: null, day_of_week: null, until: null } }, app.admin);
    const { schedule } = (await read(id, writer)) as { schedule: Record<string, unknown> };
    expect((await save(id, { schedule, name: 'y' }, writer)).status).toBe(200);
    expect((await save(id, { schedule: { interval: '60' }, name: 'z' }, writer)).status).toBe(200);
    expect((await save(id, { schedule: null }, writer)).status).toBe(403);
  });
});

describe('W11: dropdowns', () => {
  const dropdown = (...ids: number[]) => ({ parameters: ids.map((queryId, i) => ({ name: `p${i}`, type: 'query', queryId, value: 'x' })) });

  test('each of them must be one that the author can see', async () => {
    const seen = (await make()).id;
    const { id: hidden } = await admin.get(queriesApi.create, { body: { name: 'x', query: 'x', data_source_id: walled.id } });
    const create = (...ids: number[]) =>
      app.as(owner).call(queriesApi.create, { body: { name: 'x', query: 'x', data_source_id: source.id, options: dropdown(...ids) } });
    expect((await create(seen)).status).toBe(200);
    expect(await create(hidden)).toMatchObject({ status: 403, message: `You don't have access to the dropdown query ${hidden}.` });
    expect((await create(seen, hidden)).status).toBe(403);
    expect(await create(seen, 999_999)).toMatchObject({ status: 400, message: /dropdown query 999999/ });
    expect((await create(2_147_483_648)).status).toBe(400);
    const { id } = await make();
    expect((await save(id, { options: dropdown(seen, hidden) })).status).toBe(403);
    expect((await save(id, { options: dropdown(seen) })).status).toBe(200);
  });

  test('an existing join stays when others edit the rest; a copy is checked as a whole', async () => {
    const { id: hidden } = await admin.get(queriesApi.create, { body: { name: 'x', query: 'x', data_source_id: walled.id } });
    const body = { name: 'x', query: 'x', data_source_id: source.id, options: dropdown(hidden) };
    const { id } = await admin.get(queriesApi.create, { body });
    await admin.get(queryAclApi.grant, { params: { id }, body: { access_type: 'modify', user_id: editor.id } });
    expect((await save(id, { options: { ...dropdown(hidden), apply_auto_limit: true } }, editor)).status).toBe(200);
    expect((await app.as(editor).call(queriesApi.fork, { params: { id } })).status).toBe(403);
    expect((await admin.call(queriesApi.fork, { params: { id } })).status).toBe(200);
  });

  test('a dropdown without a source is refused', async () => {
    const lost = await app.make.query({ data_source_id: null, user_id: owner.id });
    expect(
      (
        await app
          .as(owner)
          .call(queriesApi.create, { body: { name: 'x', query: 'x', data_source_id: source.id, options: dropdown(lost.id) } })
      ).status,
    ).toBe(400);
  });
});

describe('server-behaviour 7.10, 7.12: which result is the latest', () => {
  test('one that is there already for the same text and source', async () => {
    const first = await make({ query: 'select 41' });
    const result = await storedResult(source.id, first.query_hash);
    expect(await make({ query: 'select 41' })).toMatchObject({ latest_query_data_id: result });
    expect(await make({ query: 'select 41', data_source_id: second.id })).toMatchObject({ latest_query_data_id: null });
    expect((await save(first.id, { query: 'select 42' })).body).toMatchObject({ latest_query_data_id: null });
    expect((await save(first.id, { query: 'select 41' })).body).toMatchObject({ latest_query_data_id: result });
  });

  test('W30: after an edit the result of the old text is not shown any more; of a new name it is', async () => {
    const { id } = await make({ query: 'select 51' });
    const result = await storedResult(source.id, 'of another text');
    await sql`update queries set latest_query_data_id = ${result} where id = ${id}`.execute(app.ctx.db);
    expect((await save(id, { name: 'New', description: 'x', tags: ['y'], is_draft: false })).body).toMatchObject({
      latest_query_data_id: result,
    });
    const titled = { parameters: [{ name: 'unused', title: 'A title', type: 'number', value: 1 }] };
    expect((await save(id, { options: titled })).body).toMatchObject({ latest_query_data_id: result });
    expect((await save(id, { data_source_id: second.id })).body).toMatchObject({ latest_query_data_id: null });
  });

  test('a result that somebody names is not believed', async () => {
    const { id } = await make({ query: 'select 61' });
    const foreign = await storedResult(walled.id, 'secret');
    expect((await save(id, { latest_query_data_id: foreign })).body).toMatchObject({ latest_query_data_id: null });
  });
});

describe('schedules as they are saved (13.1)', () => {
  test.each([
    [{ interval: 60 }, { interval: 60, time: null, day_of_week: null, until: null }],
    [{ interval: '3600' }, { interval: 3600, time: null, day_of_week: null, until: null }],
    [
      { interval: 86_400, time: '00:15', day_of_week: '', until: '' },
      { interval: 86_400, time: '00:15', day_of_week: null, until: null },
    ],
    [
      { interval: 604_800, time: '09:00', day_of_week: 'Monday', until: '2999-01-01', disabled: true },
      { interval: 604_800, time: '09:00', day_of_week: 'Monday', until: '2999-01-01' },
    ],
    [{ interval: null, time: null, day_of_week: null, until: null }, null],
    [null, null],
  ])('%j is kept as %j', async (given, kept) => {
    const { id } = await make({ schedule: given });
    expect(((await read(id)) as { schedule: unknown }).schedule).toEqual(kept);
  });

  test.each([
    [{ interval: 0 }, 'The interval must be a number of seconds.'],
    [{ interval: -5 }, 'The interval must be a number of seconds.'],
    [{ interval: 'often' }, 'The interval must be a number of seconds.'],
    [{ interval: 1e12 }, 'The interval is too long.'],
    [{ interval: 86_400, time: '25:00' }, 'The time must be HH:mm.'],
    [{ interval: 604_800, day_of_week: 'Montag' }, 'The day must be an English week day.'],
    [{ interval: 60, until: '2024-13-45' }, 'The end must be a date, YYYY-MM-DD.'],
    [{ interval: 60, until: '2020-01-01' }, 'must be later than today'],
    [{ interval: [60] }, /schedule/],
    ['daily', /schedule/],
  ])('W24: %j is refused, not disabled', async (schedule, message) => {
    const { id } = await make();
    expect(await save(id, { schedule })).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  test('W24: an old one that nobody can read is shown with its problem and does not stop other saves', async () => {
    const { id } = await make();
    const bad = { interval: 'soon', disabled: true };
    await sql`update queries set schedule = ${JSON.stringify(bad)}::jsonb where id = ${id}`.execute(app.ctx.db);
    expect(await read(id)).toMatchObject({
      schedule: bad,
      schedule_problem: 'The interval must be a number of seconds.',
      next_run_at: null,
    });
    expect((await save(id, { schedule: bad, name: 'Still' })).status).toBe(200);
  });

  test('next_run_at: at once when it never ran, one interval after its result when it did, never without a schedule', async () => {
    const before = Date.now();
    const { next_run_at, id, query_hash } = await make({ query: 'select 71', schedule: { interval: 3600 } });
    expect(Date.parse(next_run_at ?? '')).toBeGreaterThanOrEqual(before - 1000);
    expect(Date.parse(next_run_at ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
    const at = new Date(Date.now() - 600_000).toISOString();
    await storedResult(source.id, query_hash, at);
    const ran = await make({ query: 'select 71', schedule: { interval: 3600 } });
    expect(Date.parse(ran.next_run_at ?? '')).toBe(Date.parse(at) + 3_600_000);
    expect((await save(id, { schedule: null })).body).toMatchObject({ next_run_at: null });
    expect((await save(id, { schedule: { interval: 60 } })).body.next_run_at).not.toBeNull();
  });
});
