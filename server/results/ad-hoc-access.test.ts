import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

/** Ann may run any text on the source, Vic and Wim have view access only. */
const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const target = await targetDatabase();
await app.startWorker();
const [full, view] = [await app.make.group(), await app.make.group()];
const source = await app.make.dataSource({ options: target.options, groups: { [full.id]: false, [view.id]: true } });
const inGroup = (...groups: { id: number }[]) => app.make.user({ groups: [], group_ids: groups.map(({ id }) => id) });
const [ann, bea, vic] = [await inGroup(full), await inGroup(full), await inGroup(view)];
const saved = (query: string, parameters: object[] = []) =>
  app.make.query({ data_source_id: source.id, user_id: ann.id, query, options: { parameters: parameters as never } });
const number = { name: 'n', type: 'number', value: 1 };

const statusFor = async (user: { api_key: string }, path: string) => {
  const response = await app.as(user).fetch(path);
  await response.arrayBuffer();
  return response.status;
};
const read = (user: { api_key: string }, id: number | undefined) => statusFor(user, `/api/query_results/${id}`);

describe('who reads an ad hoc result by its number', () => {
  test('its caller and users with full access to its source, not view-only users', async () => {
    const query = await saved('select 1 as n');
    const { query_result } = await runAdHoc(app.as(ann), { data_source_id: source.id, query: `select 'canary' as secret` });
    expect(await Promise.all([ann, bea, app.admin].map((user) => read(user, query_result?.id)))).toEqual([200, 200, 200]);
    for (const path of [
      `/api/query_results/${query_result?.id}`,
      `/api/query_results/${query_result?.id}.csv`,
      `/api/queries/${query.id}/results/${query_result?.id}.json`,
      `/api/queries/${query.id}/results/${query_result?.id}.xlsx`,
    ])
      expect([path, await statusFor(vic, path)]).toEqual([path, 403]);
  });

  test('not users who merely see the query in whose editor another text ran', async () => {
    const query = await saved('select 1 as n');
    const { query_result } = await runAdHoc(app.as(ann), { data_source_id: source.id, query: `select 'canary'`, query_id: query.id });
    expect(await read(vic, query_result?.id)).toBe(403);
  });

  test('nor a run with free text of a query that others may not run so', async () => {
    const query = await saved(`select '{{p}}' as n`, [{ name: 'p', type: 'text', value: 'x' }]);
    const { query_result } = await runSaved(app.as(ann), query.id, { parameters: { p: 'canary' } });
    expect([await read(vic, query_result?.id), await read(ann, query_result?.id)]).toEqual([403, 200]);
  });

  test('who ran it keeps it when they may only look from now on', async () => {
    const user = await inGroup(full, view);
    const { query_result } = await runAdHoc(app.as(user), { data_source_id: source.id, query: `select 'mine'` });
    await sql`delete from memberships where user_id = ${user.id} and group_id = ${full.id}`.execute(app.ctx.db);
    expect([await read(user, query_result?.id), await read(vic, query_result?.id)]).toEqual([200, 403]);
    await sql`delete from memberships where user_id = ${user.id}`.execute(app.ctx.db);
    expect(await read(user, query_result?.id)).toBe(403);
  });
});

describe('people who come from an object they may see read its results', () => {
  test('the latest one of a query, and one that it showed before', async () => {
    const query = await saved('select now()::text as at');
    const older = (await runSaved(app.as(ann), query.id)).query_result?.id;
    const latest = (await runSaved(app.as(ann), query.id)).query_result?.id;
    expect(older).not.toBe(latest);
    expect([await read(vic, latest), await read(vic, older)]).toEqual([200, 200]);
    expect(await statusFor(vic, `/api/queries/${query.id}/results/${older}.csv`)).toBe(200);
  });

  test('one with other values that somebody else ran', async () => {
    const query = await saved('select {{n}}::int as n', [number]);
    const { query_result } = await runSaved(app.as(ann), query.id, { parameters: { n: 7 } });
    expect(await read(vic, query_result?.id)).toBe(200);
  });

  test('what an ad hoc run of the same text has stored, once the query has led them there', async () => {
    const query = await saved('select {{n}}::int as m', [number]);
    const { query_result } = await runAdHoc(app.as(ann), { data_source_id: source.id, query: 'select 9::int as m' });
    expect(await read(vic, query_result?.id)).toBe(403);
    const answer = await runSaved(app.as(vic), query.id, { parameters: { n: 9 }, max_age: -1 });
    expect(answer.query_result?.id).toBe(query_result?.id);
    expect(await read(vic, query_result?.id)).toBe(200);
  });

  test('what they waited for together with somebody who ran the same text', async () => {
    const query = await saved('select {{n}}::int as k, pg_sleep(1)::text as slept', [number]);
    const text = 'select 5::int as k, pg_sleep(1)::text as slept';
    const [first, second] = await Promise.all([
      runAdHoc(app.as(ann), { data_source_id: source.id, query: text }),
      runSaved(app.as(vic), query.id, { parameters: { n: 5 } }),
    ]);
    expect([await read(vic, first.query_result?.id), await read(vic, second.query_result?.id)]).toEqual([200, 200]);
  });

  test('until the query is on a source they do not see', async () => {
    const query = await saved('select 77 as n');
    const { query_result } = await runSaved(app.as(ann), query.id);
    expect(await read(vic, query_result?.id)).toBe(200);
    const hidden = await app.make.dataSource({ options: target.options, groups: { [full.id]: false } });
    await app.as(ann).get(queriesApi.save, { params: { id: query.id }, body: { data_source_id: hidden.id } });
    expect(await read(vic, query_result?.id)).toBe(403);
  });
});
