import { groupSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { resultsApi } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
await app.startWorker();
const admin = app.as(app.admin);
const target = await targetDatabase();
const lookers = await app.make.group();
const [owner, looker, other] = [await app.make.user(), await app.make.user({ groups: [], group_ids: [lookers.id] }), await app.make.user()];
const source = await app.make.dataSource({ options: target.options });
const walled = await app.make.dataSource({ options: target.options, groups: {} });
await admin.get(groupSourcesApi.add, { params: { id: lookers.id }, body: { data_source_id: source.id } });
await admin.get(groupSourcesApi.change, { params: { id: lookers.id, dataSourceId: source.id }, body: { view_only: true } });

const make = (query: string, more: Record<string, unknown> = {}, user: { api_key: string } = owner) =>
  app.as(user).get(queriesApi.create, { body: { name: 'Q', query, data_source_id: source.id, ...more } });
async function run(id: number, user: { api_key: string } = owner): Promise<void> {
  await app.as(user).get(queriesApi.refresh, { params: { id } });
  const latest = async () => (await app.as(user).get(queriesApi.get, { params: { id } })).latest_query_data_id;
  await expect.poll(latest).not.toBeNull();
}
const dropdown = (id: number, user: { api_key: string } = owner) => app.as(user).call(queriesApi.dropdown, { params: { id } });
const dropdownOf = (id: number, dropdownId: number, user: { api_key: string } = owner) =>
  app.as(user).call(queriesApi.dropdownOf, { params: { id, dropdownId } });
const offering = (queryId: number) => ({ parameters: [{ name: 'p', type: 'query', queryId, value: 'x' }] });

describe('server-behaviour 7.18: what a query offers', () => {
  test.each([
    ['name and value', `select 1 as "Value", 'One' as "NAME", 9 as other`, [{ name: 'One', value: '1' }]],
    ['the first column for what is missing', 'select 7 as x, 8 as y', [{ name: 7, value: '7' }]],
    ['only a name', `select 5 as first, 'n' as name`, [{ name: 'n', value: '5' }]],
    ['nothing as an empty value', 'select null::int as value', [{ name: null, value: '' }]],
    ['no rows', 'select 1 as value where false', []],
  ])('%s', async (_, query, choices) => {
    const { id } = await make(query);
    await run(id);
    expect((await dropdown(id)).body).toEqual(choices);
  });

  test('complaint 19: without a result it says so', async () => {
    const { id } = await make('select 1');
    expect(await dropdown(id)).toMatchObject({
      status: 400,
      message: `The dropdown query ${id} has no result yet. Execute it once to fill the list.`,
    });
    const lost = await app.make.query({ data_source_id: null, user_id: owner.id });
    expect(await dropdown(lost.id)).toMatchObject({ status: 400, message: /no data source/ });
    expect((await dropdown(999_999)).status).toBe(404);
  });
});

describe('security 23: whose choices are whose', () => {
  test('those of a parameter come with its query, for users who may see that; others by their own rules', async () => {
    const secret = await make("select 'a' as value", { data_source_id: walled.id }, app.admin);
    await run(secret.id, app.admin);
    const parent = await make('select {{ p }}', { options: offering(secret.id) }, app.admin);
    const plain = await make('select 1');
    for (const user of [looker, other, owner]) {
      expect((await dropdown(secret.id, user)).status).toBe(403);
      expect((await dropdownOf(parent.id, secret.id, user)).body).toEqual([{ name: 'a', value: 'a' }]);
      expect((await dropdownOf(plain.id, secret.id, user)).status).toBe(403);
    }
    expect((await dropdownOf(plain.id, secret.id, app.admin)).status).toBe(200);
    expect((await dropdownOf(parent.id, 999_999)).status).toBe(404);
  });

  test('a key reads the choices of its own query and no others', async () => {
    const choices = await make("select 'k' as value");
    await run(choices.id);
    const parent = await make('select {{ p }}', { options: offering(choices.id) });
    const key = { api_key: parent.api_key ?? '' };
    expect((await dropdownOf(parent.id, choices.id, key)).body).toEqual([{ name: 'k', value: 'k' }]);
    expect((await dropdown(choices.id, key)).status).toBe(404);
    const { id: unrelated } = await make("select 'u' as value");
    await run(unrelated);
    expect((await dropdownOf(parent.id, unrelated, key)).status).toBe(403);
    await app.as(owner).get(queriesApi.save, { params: { id: parent.id }, body: { options: { parameters: [] } } });
    expect((await dropdownOf(parent.id, choices.id, key)).status).toBe(403);
  });

  test('a parameter whose query is gone says so', async () => {
    const parent = await app.make.query({ data_source_id: source.id, user_id: owner.id, options: offering(888_888) });
    expect(await dropdownOf(parent.id, 888_888)).toMatchObject({ status: 400, message: /dropdown query 888888/ });
  });
});

describe('server-behaviour 7.16: refresh', () => {
  test('runs whatever is stored, with values from the address', async () => {
    const options = { parameters: [{ name: 'n', type: 'number', value: 1 }] };
    const { id } = await make('select {{ n }} as n, random() as r', { options });
    await run(id);
    const [first, second] = [
      await app.as(owner).get(queriesApi.refresh, { params: { id } }),
      await app.as(owner).get(queriesApi.refresh, { params: { id } }),
    ];
    expect(first).toHaveProperty('job');
    expect((first as { job: { id: string } }).job.id).not.toBe((second as { job: { id: string } }).job.id);
    const other = await app.as(owner).get(queriesApi.refresh, { params: { id }, query: { p_n: '7' } });
    await expect
      .poll(async () => {
        const { job } = (await app
          .as(owner)
          .get(resultsApi.queryJob, { params: { id, jobId: (other as { job: { id: string } }).job.id } })) as { job: { result: number } };
        return job.result
          ? (await app.as(owner).get(resultsApi.get, { params: { file: String(job.result) } })).query_result.data.rows[0]?.n
          : 0;
      })
      .toBe(7);
  });

  test('for people with full access; values are checked as everywhere', async () => {
    const { id, api_key = '' } = await make('select 1');
    expect((await app.as(looker).call(queriesApi.refresh, { params: { id } })).status).toBe(403);
    expect((await app.as({ api_key }).call(queriesApi.refresh, { params: { id } })).status).toBe(403);
    expect((await app.as(owner).call(queriesApi.refresh, { params: { id: 999_999 } })).status).toBe(404);
    const parameterised = await make('select {{ n }}', { options: { parameters: [{ name: 'n', type: 'number', value: 1 }] } });
    expect(
      (await app.as(owner).call(queriesApi.refresh, { params: { id: parameterised.id }, query: { p_n: '1; drop table x' } })).status,
    ).toBe(400);
    const lost = await app.make.query({ data_source_id: null, user_id: owner.id });
    expect((await app.as(owner).call(queriesApi.refresh, { params: { id: lost.id } })).status).toBe(400);
  });
});
