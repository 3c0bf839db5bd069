import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { searchApi } from '@telltale/domain/search/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const owner = await app.make.user();
const client = app.as(owner);
const find = async (q: string, as = client) => (await as.get(searchApi.find, { query: { q } })).results;

await client.get(channelsApi.create, { body: { channel_id: 'greenhouse', channel_name: 'Greenhouse north' } });
await client.get(devicesApi.create, { params: { id: 'greenhouse' }, body: { device_id: 'bed-1', device_name: 'Tomato bed' } });
const dashboard = await client.get(dashboardsApi.create, { body: { name: 'Tomatoes today' } });
const source = await app.make.dataSource();
const query = await app.make.query({ data_source_id: source.id, user_id: owner.id, name: 'Tomato temperatures' });

test('objects of every kind are found by a part of their name, with the address of their page', async () => {
  const found = await find('tomato');
  expect(found.map(({ type, name, url }) => [type, name, url])).toEqual(
    expect.arrayContaining([
      ['device', 'Tomato bed', '/mqtt/greenhouse/devices/bed-1'],
      ['dashboard', 'Tomatoes today', dashboard.url],
      ['query', 'Tomato temperatures', `/queries/${query.id}`],
    ]),
  );
  expect((await find('house')).map(({ url }) => url)).toContain('/mqtt/greenhouse');
  expect((await find('bed-1')).map(({ url }) => url)).toEqual(['/mqtt/greenhouse/devices/bed-1']);
});

test('without a term the last changed come, and what people type is text', async () => {
  expect((await find('')).map(({ name }) => name)).toContain('Tomatoes today');
  for (const q of ['%', '_', "' or 1=1 --", '\\', '<script>', '٪']) expect(await find(q)).toEqual([]);
  expect((await client.call(searchApi.find, { query: { q: 'x'.repeat(201) } })).status).toBe(400);
});

test('nobody finds what they may not see', async () => {
  const colleague = app.as(await app.make.user());
  expect((await find('tomato', colleague)).map(({ type }) => type)).toEqual(['device']);
  const group = await app.make.group({ permissions: [] });
  const nobody = app.as(await app.make.user({ groups: [], group_ids: [group.id] }));
  expect(await find('', nobody)).toEqual([]);
});

test('20,000 devices are searched in no time that anybody notices', async () => {
  await sql`
    insert into telemetry.device (channel_pk, device_id, device_name)
    select id, 'many-' || n, 'Meter ' || md5(n::text) from telemetry.channel, generate_series(1, 20000) n where channel_id = 'greenhouse'`.execute(
    app.ctx.db,
  );
  await sql`analyze telemetry.device`.execute(app.ctx.db);
  const quickestOf = async (run: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let left = 5; left > 0; left--) {
      const begun = performance.now();
      await run();
      times.push(performance.now() - begun);
    }
    return Math.round(Math.min(...times));
  };
  const quickest = (q: string) => quickestOf(() => find(q));
  const scan = (condition: RawBuilder<unknown>) =>
    quickestOf(() => sql`select count(*) from telemetry.device where deleted_at is null and ${condition}`.execute(app.ctx.db));
  const lowered = await scan(sql`(device_name ilike '%a1b2%' or device_id ilike '%a1b2%')`);
  const kept = await scan(sql`search_text like '%a1b2%'`);
  console.log(`looking at 20,000 names: ${lowered} ms where each is lowered, ${kept} ms where that is kept`);
  // The goal is 50 ms on a machine of its own. Here others may be at work: of several tries the quickest counts, and is printed.
  const times: number[] = [];
  for (const q of ['meter', 'a1b2', 'many-1999', 'tomato', 'zzzz', '', 'me', '7']) times.push(await quickest(q));
  console.log(`search in 20,000 objects: ${times.join(', ')} ms`);
  expect(Math.max(...times)).toBeLessThan(1000);
});
