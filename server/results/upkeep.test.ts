import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { readConfig } from '../config.ts';
import { runAdHoc } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { forgetUnusedResults } from './upkeep.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url, TELLTALE_QUERY_SECONDS: '20000' } });
const target = await targetDatabase();
const source = await app.make.dataSource({ options: target.options });
const client = app.as(await app.make.user());
await app.startWorker();

const run = async (n: number) =>
  (await runAdHoc(client, { data_source_id: source.id, query: 'select {{n}} as n', parameters: { n } })).query_result?.id ?? 0;
const set = (id: number, changes: ReturnType<typeof sql>) => sql`update query_results set ${changes} where id = ${id}`.execute(app.ctx.db);
const isThere = async (id: number) => (await sql`select from query_results where id = ${id}`.execute(app.ctx.db)).rows.length === 1;

describe('server-behaviour 8.7: clean-up of stored results', () => {
  test('W25: what somebody still reads or is answered from stays, also when no query links to it; the rest goes after a week', async () => {
    const [read, answered, unread, young] = [await run(11), await run(12), await run(13), await run(14)];
    for (const id of [read, answered, unread]) {
      await set(id, sql`retrieved_at = now() - interval '30 days', last_used_at = now() - interval '8 days'`);
    }
    expect((await client.fetch(`/api/query_results/${read}.csv`)).status).toBe(200);
    const cached = await runAdHoc(client, { data_source_id: source.id, query: 'select {{n}} as n', parameters: { n: 12 }, max_age: -1 });
    expect(cached.query_result?.id).toBe(answered);
    await forgetUnusedResults(app.ctx);
    expect(await Promise.all([read, answered, unread, young].map(isThere))).toEqual([true, true, false, true]);
  });

  test('a result that still grows stays as long as its query may take; one that nobody can be writing any more goes', async () => {
    const [growing, lost] = [await run(1), await run(2)];
    await set(growing, sql`is_complete = false, retrieved_at = now() - interval '5 hours'`);
    await set(lost, sql`is_complete = false, retrieved_at = now() - interval '7 hours'`);
    await forgetUnusedResults(app.ctx);
    expect([await isThere(growing), await isThere(lost)]).toEqual([true, false]);
  });
});

test('a query may take a day at most: longer ones would not be stopped by their own limit', () => {
  const seconds = (text: string) => readConfig({ TELLTALE_QUERY_SECONDS: text }).limits.seconds;
  expect(seconds('86400')).toBe(86_400);
  for (const text of ['86401', '2147484', '0', '1.5', 'soon']) expect(() => seconds(text)).toThrow('TELLTALE_QUERY_SECONDS must be');
});
