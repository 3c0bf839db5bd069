import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { expect, inject, test } from 'vitest';
import { ensureBuiltInSource } from '../data-sources/built-in-source.ts';
import { prepareReader } from '../data-sources/prepare-reader.ts';
import { servicesOf } from '../testing/live-server.ts';
import { runSaved } from '../testing/run-query.ts';
import { testApp } from '../testing/test-app.ts';
import { ConsoleClient } from './console-client.ts';
import { writeHistory } from './history.store.ts';
import { makeQueriesAndDashboards, makeRules, makeSites } from './objects.ts';
import { demoPeople } from './people.ts';
import { sites } from './sites.ts';

const app = await testApp();
await ensureBuiltInSource(app.ctx);
await prepareReader(app.ctx, inject('postgres').superuserUrl);
const client = new ConsoleClient(app.origin, app.admin.api_key);
const admin = app.as(app.admin);

test('TELLTALE_DEMO: three sites with 60 devices and their history, 12 queries that answer, 5 dashboards, alerts and commands', async () => {
  await makeSites(client);
  const begun = Date.now();
  const points = await writeHistory(servicesOf(app).db, app.ctx.log, sites, 2);
  console.log(`history of the demo: ${points} points in ${Date.now() - begun} ms`);
  expect(points).toBeGreaterThan(30_000);
  await makeQueriesAndDashboards(client);
  await makeRules(client);
  // Killed while it was filled: a draft is made anew, the rest stays as it is.
  const [first] = (await admin.get(dashboardsApi.list)).results;
  await admin.get(dashboardsApi.save, { params: { id: first?.id ?? 0 }, body: { is_draft: true } });
  await makeSites(client);
  expect(await writeHistory(servicesOf(app).db, app.ctx.log, sites, 2)).toBe(0);
  await makeQueriesAndDashboards(client);
  await makeRules(client);

  const channels = await admin.get(channelsApi.list);
  const found = Array.isArray(channels) ? channels : channels.results;
  expect(found.map(({ channel_id, device_count }) => [channel_id, device_count]).toSorted()).toEqual([
    ['air-quality', 20],
    ['cold-chain', 20],
    ['greenhouse', 20],
  ]);
  expect((await admin.get(dashboardsApi.list)).count).toBe(5);
  expect((await admin.get(alertsApi.summary)).total).toBe(4);
  const queries = await admin.get(queriesApi.list, { query: { page_size: 50 } });
  expect(queries.count).toBe(12);
  const worker = await app.startWorker();
  for (const { id, name } of queries.results) {
    const { error, rows } = await runSaved(admin, id);
    expect([name, error]).toEqual([name, '']);
    expect([name, rows?.length ?? 0]).not.toEqual([name, 0]);
  }
  await worker.stop();
});

test('TELLTALE_DEMO: passwords differ from installation to installation', () => {
  expect(new Set([...demoPeople('one'), ...demoPeople('two')].map(({ password }) => password)).size).toBe(6);
});
