import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { makeDevices } from '../testing/fleet.ts';
import { servicesOf } from '../testing/live-server.ts';
import { testApp } from '../testing/test-app.ts';
import { createDirectory } from './directory.ts';

const app = await testApp();
const directory = createDirectory(servicesOf(app));
afterAll(() => directory.stop());

test('thousands of devices that are named at one moment are all found, whatever else is asked for beside them', async () => {
  const [some, others] = [await makeDevices(app.ctx, 'gateway', 3000), await makeDevices(app.ctx, 'other', 10)];
  await sql`update telemetry.device set deleted_at = now() where id = ${others[0]?.pk}`.execute(app.ctx.db);
  const found = await Promise.all([
    ...[...some, ...others].map(({ channel_id, device_id }) => directory.findDevice(channel_id, device_id)),
    directory.findDevice('gateway', 'nobody'),
    directory.findDevice('gateway', 'nul\0'),
    directory.findDevice('nul\0', 'd-00001'),
  ]);
  const expected = [...some.map(({ pk }) => pk), undefined, ...others.slice(1).map(({ pk }) => pk), undefined, undefined, undefined];
  expect(found.map((device) => device?.pk)).toEqual(expected);
  expect(found[3005]?.channel.channel_id).toBe('other');
});

test('keys looked up together find their own devices, and invalid keys find none', async () => {
  const fleet = await makeDevices(app.ctx, 'doors', 50);
  const { rows } = await sql<{ lookup_id: string; pk: number }>`
    select lookup_id, device_pk as pk from device_keys where device_pk = any(${fleet.map(({ pk }) => pk)}::int[]) order by device_pk`.execute(
    app.ctx.db,
  );
  const holders = await Promise.all(
    ['nobodysKey00', 'nul\0', ...rows.map(({ lookup_id }) => lookup_id)].map((id) => directory.findByLookupId(id)),
  );
  const pks = holders.map((holder) => (holder?.kind === 'device' ? holder.device.pk : undefined));
  expect(pks).toEqual([undefined, undefined, ...rows.map(({ pk }) => pk)]);
});
