import { type Device, devicesApi } from '@telltale/domain/channels/contract.ts';
import { expect, test } from 'vitest';
import { makeDevices } from '../testing/fleet.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);

test('a channel of 10,000 devices is listed whole, by pages, by search and in order', async () => {
  await makeDevices(app.ctx, 'city', 10_000, (n) => `node-${String(n).padStart(5, '0')}`);
  const params = { id: 'city' };
  expect((await admin.get(devicesApi.list, { params })) as Device[]).toHaveLength(10_000);
  const page = async (query: Record<string, unknown>) =>
    (await admin.get(devicesApi.list, { params, query: query as never })) as unknown as { count: number; results: Device[] };
  const last = await page({ page: 500, page_size: 20, order: 'device_id' });
  expect([last.count, last.results.length, last.results.at(-1)?.device_id]).toEqual([10_000, 20, 'node-09999']);
  const found = await page({ page: 1, page_size: 20, q: 'node-0777' });
  expect(found.count).toBe(10);
});
