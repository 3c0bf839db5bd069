import { adminApi } from '@telltale/domain/admin/contract.ts';
import { sql } from 'kysely';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { forgetUnusedResults } from './upkeep.ts';

const [person, all] = [30_000, 100_000];
const app = await testApp({
  env: { DATABASE_URL: inject('postgres').url, TELLTALE_RESULTS_PERSON: String(person), TELLTALE_RESULTS_ALL: String(all) },
});
const target = await targetDatabase();
const source = await app.make.dataSource({ options: target.options });
await app.startWorker();
afterEach(() => sql`delete from query_results`.execute(app.ctx.db));

let count = 0;
/** Some 10,000 bytes that do not compress. */
const large = () => `select ${++count} as n, md5(i::text || 'x') as a, md5(i::text || 'y') as b from generate_series(1, 250) i`;
const ageAll = () =>
  sql`update query_results set retrieved_at = retrieved_at - interval '1 hour', last_used_at = last_used_at - interval '1 hour'`.execute(
    app.ctx.db,
  );
const ids = async () => (await sql<{ id: number }>`select id from query_results order by id`.execute(app.ctx.db)).rows.map(({ id }) => id);
const usage = async (userId: number) =>
  (
    await sql<{
      bytes: number;
    }>`select coalesce(sum(stored_bytes), 0)::int as bytes from query_results where charged_to = ${userId}`.execute(app.ctx.db)
  ).rows[0]?.bytes ?? 0;
const run = async (user: { api_key: string }) =>
  (await runAdHoc(app.as(user), { data_source_id: source.id, query: large() })).query_result?.id ?? 0;

describe('security 32: stored results have a quota', () => {
  test('of a person’s results the oldest that no query shows go first', async () => {
    const ann = await app.make.user();
    const { id } = await app.make.query({ data_source_id: source.id, user_id: ann.id, query: large() });
    const kept = (await runSaved(app.as(ann), id)).query_result?.id ?? 0;
    const others = [await run(await app.make.user())];
    const own: number[] = [];
    for (let i = 0; i < 4; i++) {
      await ageAll();
      own.push(await run(ann));
    }
    await ageAll();
    expect(await usage(ann.id)).toBeGreaterThan(person);
    await forgetUnusedResults(app.ctx);
    expect(await usage(ann.id)).toBeLessThanOrEqual(person);
    const left = await ids();
    expect(left).toEqual(expect.arrayContaining([kept, ...others, own.at(-1)]));
    expect(left).not.toContain(own[0]);
  });

  test('a run makes room for itself, and is refused with a sentence when all that is stored is shown by queries', async () => {
    const ben = await app.make.user();
    for (let i = 0; i < 4; i++) {
      const { id } = await app.make.query({ data_source_id: source.id, user_id: ben.id, query: large() });
      expect((await runSaved(app.as(ben), id)).query_result?.id).toBeGreaterThan(0);
    }
    await ageAll();
    const refused = await runAdHoc(app.as(ben), { data_source_id: source.id, query: large() });
    expect(refused.error).toBe('Your stored results take all of the 1 MiB you may use. Archive queries that you do not need any more.');
    await sql`update queries set latest_query_data_id = null where user_id = ${ben.id}`.execute(app.ctx.db);
    expect((await runAdHoc(app.as(ben), { data_source_id: source.id, query: large() })).error).toBe('');
    expect(await usage(ben.id)).toBeLessThanOrEqual(person + 15_000);
  });

  test('all of them together have one, and administrators see who takes how much', async () => {
    const made: number[] = [];
    for (let i = 0; i < 5; i++) {
      const user = await app.make.user({ name: `Person ${i}` });
      for (let j = 0; j < 3; j++) made.push(await run(user));
      await ageAll();
    }
    const before = await app.as(app.admin).get(adminApi.status);
    expect(before.stored_results).toMatchObject({ quota_bytes: all, person_quota_bytes: person });
    expect(before.stored_results.people.length).toBeGreaterThan(2);
    expect(before.stored_results.people[0]).toMatchObject({ name: expect.stringMatching(/^Person/), bytes: expect.any(Number) });
    await forgetUnusedResults(app.ctx);
    const { stored_results: after } = await app.as(app.admin).get(adminApi.status);
    expect(after.bytes).toBeLessThanOrEqual(all);
    expect(after.bytes).toBeGreaterThan(all / 2);
    expect(await ids()).not.toContain(made[0]);
    expect(await ids()).toContain(made.at(-1));
  });
});
