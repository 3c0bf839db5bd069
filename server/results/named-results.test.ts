import { resultsApi } from '@telltale/domain/results/contract.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { DATABASE_URL: 'postgres://elsewhere/db' } });
await app.startWorker();
const [north, south] = [await targetDatabase(), await targetDatabase()];
await north.query(`create table device (id int, name text); insert into device values (1, 'roof'), (2, 'cellar')`);
await south.query('create table reading (device_id int, value numeric); insert into reading values (1, 20.5), (1, 21.5), (2, 8)');
const user = await app.make.user();
const devices = await app.make.dataSource({ options: north.options });
const readings = await app.make.dataSource({ options: south.options });
const joined = await app.make.dataSource({ type: 'results' });
const make = (data_source_id: number, query: string) => app.make.query({ data_source_id, user_id: user.id, query });
const deviceQuery = await make(devices.id, 'select id, name from device');
const readingQuery = await make(readings.id, 'select device_id, value from reading where value > {{ least }}');

async function run(who: { api_key: string }, query: string) {
  const client = app.as(who);
  const reply = await client.call(resultsApi.execute, { body: { data_source_id: joined.id, query, max_age: 0 } });
  if (reply.status !== 200) return reply.message;
  let answer = reply.body as { job?: { id: string; status: number; error: unknown; query_result_id: unknown } };
  while (answer.job && answer.job.status < 3) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer = (await (await client.json('GET', `/api/jobs/${answer.job.id}`)).json()) as typeof answer;
  }
  if (answer.job?.status === 4) return answer.job.error;
  const result = await client.get(resultsApi.get, { params: { file: String(answer.job?.query_result_id) } });
  return result.query_result.data.rows;
}

test('19: results of two sources are joined', async () => {
  const text = `select name, count(*)::int as readings from query_${deviceQuery.id} d
    join param_query_${readingQuery.id}_{least=10} r on r.device_id = d.id group by name`;
  expect(await run(user, text)).toEqual([{ name: 'roof', readings: 2 }]);
});

test('design 8: decimals and large integers are joined to the last digit', async () => {
  const [money, long] = ['12345678901234567890.123456789', '9'.repeat(45)];
  const exact = await make(devices.id, `select 1 as id, ${money}::numeric as money, ${long} as long union all select 2, 0.1, 1`);
  const rows = await run(user, `select name, money, long from query_${exact.id} join query_${deviceQuery.id} using (id) order by id`);
  expect(rows).toEqual([
    { name: 'roof', money, long },
    { name: 'cellar', money: 0.1, long: expect.anything() },
  ]);
});

test('19: a cached result must be there', async () => {
  const text = `select count(*)::int as n from cached_query_${deviceQuery.id}`;
  expect(await run(user, text)).toMatch(/has no stored result yet/);
  await app.as(user).call(resultsApi.executeSaved, { params: { id: deviceQuery.id }, body: { max_age: 0 } });
  await expect.poll(() => run(user, text)).toEqual([{ n: 2 }]);
});

test('W10: who may not read a query may not join it', async () => {
  const group = await app.make.group();
  const other = await app.make.user({ groups: [], group_ids: [group.id] });
  await app.ctx.db.insertInto('data_source_groups').values({ data_source_id: joined.id, group_id: group.id }).execute();
  expect(await run(other, `select * from query_${deviceQuery.id}`)).toBe(`You do not have access to query id ${deviceQuery.id}.`);
  expect(await run(other, 'select * from query_99999')).toBe('You do not have access to query id 99999.');
  const { rows } = await sql<{ id: number }>`select max(id) as id from query_results where data_source_id = ${joined.id}`.execute(
    app.ctx.db,
  );
  const file = { params: { file: String(rows[0]?.id) } };
  expect((await app.as(user).call(resultsApi.get, file)).status).toBe(200);
  expect((await app.as(other).call(resultsApi.get, file)).status).toBe(403);
});

test('a query is never built on its own result', async () => {
  const circle = await make(joined.id, 'select 1');
  await app.ctx.db
    .updateTable('queries')
    .set({ query: `select * from query_${circle.id}` })
    .where('id', '=', circle.id)
    .execute();
  expect(await run(user, `select * from query_${circle.id}`)).toBe(`Query ${circle.id} is built on its own result.`);
});

test('security 7: no file can be read by joining results', async () => {
  expect(await run(user, "select * from read_csv('/etc/passwd')")).toMatch(/disabled|permission|not allowed/i);
});
