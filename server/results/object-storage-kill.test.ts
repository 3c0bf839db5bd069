import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { objectStorePeer } from '../testing/object-store-peer.ts';
import { realWorker } from '../testing/real-worker.ts';
import { runAdHoc } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { deleteQueuedObjects, sweepObjects } from './object-upkeep.ts';
import { forgetUnusedResults } from './upkeep.ts';

const store = await objectStorePeer();
const settings = { RESULTS_URL: store.url, TELLTALE_RESULTS_INLINE: '100000' };
const app = await testApp({ env: { DATABASE_URL: inject('postgres').url, ...settings } });
const target = await targetDatabase();
const source = await app.make.dataSource({ options: target.options });
const worker = realWorker(app, settings);

test('issue 21: a worker that is killed between two objects leaves no result, and its objects are deleted', async () => {
  await worker.start();
  const role = (await worker.workerPid()) ?? 0;
  const released = Promise.withResolvers<void>();
  let puts = 0;
  store.before = async (method) => {
    if (method === 'PUT' && ++puts > 1) await released.promise;
  };
  const query = `select i, md5(i::text) || md5((-i)::text) as text from generate_series(1, 160000) i`;
  const outcome = runAdHoc(app.as(app.admin), { data_source_id: source.id, query });
  await expect.poll(() => puts).toBe(2);
  process.kill(role, 'SIGKILL');
  expect((await outcome).error).toMatch(/stopped before it finished/);
  const { rows } = await sql<{ is_complete: boolean; object_folder: string }>`
    select is_complete, object_folder from query_results where object_folder is not null`.execute(app.ctx.db);
  expect(rows).toEqual([{ is_complete: false, object_folder: expect.any(String) }]);
  expect(store.objects.size).toBe(1);

  // The upkeep deletes a result that nobody can be writing any more.
  await sql`update query_results set retrieved_at = now() - interval '1 day'`.execute(app.ctx.db);
  await forgetUnusedResults(app.ctx);
  await deleteQueuedObjects(app.ctx);
  expect(store.objects.size).toBe(0);

  // The request that was on its way arrives after that.
  released.resolve();
  await expect.poll(() => store.objects.size).toBe(1);
  expect(await sweepObjects(app.ctx, 0)).toBe(1);
  await deleteQueuedObjects(app.ctx);
  expect(store.objects.size).toBe(0);
});
