import { randomUUID } from 'node:crypto';
import { devicesApi } from '@telltale/domain/channels/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { DeviceEntry } from '../networks/directory.ts';
import { testApp } from '../testing/test-app.ts';
import { testUplinks } from '../testing/uplinks.ts';
import { keepPresence, learnPresenceWindows, sweepPresence } from './presence.ts';

const app = await testApp();
const { services, uplinks, aDevice, send } = await testUplinks(app, { devices: 14 });
const report = async (device: DeviceEntry) => {
  await send(device, '{"t":1}', { source: 'http' });
  await uplinks.drain();
};
const sweep = () => sweepPresence(services, uplinks);
const noted = async ({ device_id }: DeviceEntry) =>
  (
    await sql<{ attribute: string; value: number }>`
      select attribute, value from app.metric where device_id = ${device_id} and attribute like 'sys.%' order by time, attribute`.execute(
      app.ctx.db,
    )
  ).rows.map(({ attribute, value }) => [attribute, value]);
const stateOf = async ({ pk }: DeviceEntry) =>
  (
    await sql<{ online: boolean; sessions: number; online_seconds: number | null }>`
      select online, connected_sessions as sessions, online_seconds from telemetry.device_state where device_pk = ${pk}`.execute(app.ctx.db)
  ).rows[0];
const silentFor = ({ pk }: DeviceEntry, seconds: number) =>
  sql`update telemetry.device_state set last_seen_at = now() - make_interval(secs => ${seconds}) where device_pk = ${pk}`.execute(
    app.ctx.db,
  );

describe('iot-behaviour 1.7: the sweeper', () => {
  test('a broker that was killed: its devices are offline, noted once, with what their connections lasted', async () => {
    const [one, two] = [await aDevice(), await aDevice()];
    const [dead, alive] = [randomUUID(), randomUUID()];
    await sql`
      insert into processes (id, role, hostname, pid, heartbeat_at) values
        (${dead}, 'ingest', 'h', 1, now() - interval '1 minute'), (${alive}, 'ingest', 'h', 2, now() + interval '1 hour')`.execute(
      app.ctx.db,
    );
    await sql`
      insert into mqtt_connections (process_id, device_pk, client_id, connected_at) values
        (${dead}, ${one.pk}, 'a', now() - interval '100 seconds'), (${dead}, ${two.pk}, 'b', now() - interval '90 seconds'),
        (${alive}, ${two.pk}, 'c', now())`.execute(app.ctx.db);
    await sql`
      insert into telemetry.device_state (device_pk, online, connected_sessions) values (${one.pk}, true, 1), (${two.pk}, true, 2)`.execute(
      app.ctx.db,
    );
    await sweep();
    await sweep();
    expect(await stateOf(one)).toMatchObject({ online: false, sessions: 0 });
    expect(await stateOf(two)).toMatchObject({ online: true, sessions: 1 });
    expect(await noted(one)).toEqual([
      ['sys.session_seconds', 40],
      ['sys.online', 0],
    ]);
    expect(await noted(two)).toEqual([['sys.session_seconds', 30]]);
  });

  test('a broker that was silent for too long and is back has its connections back', async () => {
    const device = await aDevice();
    const id = randomUUID();
    await sql`insert into processes (id, role, hostname, pid, heartbeat_at) values (${id}, 'ingest', 'h', 1, now() + interval '1 hour')`.execute(
      app.ctx.db,
    );
    const presence = keepPresence(services, id, uplinks);
    presence.connected(device, 'still here');
    await expect.poll(() => stateOf(device)).toMatchObject({ online: true, sessions: 1 });
    await sql`update processes set heartbeat_at = now() - interval '1 minute' where id = ${id}`.execute(app.ctx.db);
    await sweep();
    expect(await stateOf(device)).toMatchObject({ online: false, sessions: 0 });
    await sql`update processes set heartbeat_at = now() + interval '1 hour' where id = ${id}`.execute(app.ctx.db);
    await expect.poll(() => stateOf(device)).toMatchObject({ online: true, sessions: 1 });
    presence.disconnected(device, 'still here', 1);
    await expect.poll(() => stateOf(device)).toMatchObject({ online: false, sessions: 0 });
    await presence.stop();
  });

  test('a device without connections is online while it reports, ten minutes unless more is usual', async () => {
    const device = await aDevice();
    await report(device);
    await sweep();
    expect(await stateOf(device)).toMatchObject({ online: true });
    await silentFor(device, 590);
    await sweep();
    expect(await noted(device)).toEqual([['sys.online', 1]]);
    await silentFor(device, 610);
    await sweep();
    await sweep();
    expect(await stateOf(device)).toMatchObject({ online: false });
    await report(device);
    await sweep();
    expect(await noted(device)).toEqual([
      ['sys.online', 1],
      ['sys.online', 0],
      ['sys.online', 1],
    ]);
  });

  test.each([
    ['every half hour', 1800, 4500],
    ['every ten seconds', 10, 600],
    ['every twelve hours', 43_200, 93_600],
  ])('reporting %s gives it two and a half times that, within ten minutes and 26 hours', async (_what, gap, window) => {
    const device = await aDevice();
    await report(device);
    const today = Math.floor(Date.now() / 86_400_000);
    await uplinks.partitions.ensure('uplink', [today - 1, today - 2, today - 3]);
    await sql`
      insert into telemetry.uplink (uplink_id, device_pk, received_at, time, source, encoding, status)
      select 'x' || n, ${device.pk}, now() - n * make_interval(secs => ${gap}), now(), 'http', 'json', 'stored' from generate_series(1, 5) n`.execute(
      app.ctx.db,
    );
    await learnPresenceWindows(services);
    expect(await stateOf(device)).toMatchObject({ online_seconds: window });
    await silentFor(device, window - 30);
    await sweep();
    expect(await stateOf(device)).toMatchObject({ online: true });
    await silentFor(device, window + 30);
    await sweep();
    expect(await stateOf(device)).toMatchObject({ online: false });
  });

  test('a window that somebody has set counts instead of the learned one, until it is taken back', async () => {
    const device = await aDevice();
    const admin = app.as(app.admin);
    const params = { id: device.channel.channel_id, deviceId: device.device_id };
    const set = (online_window_seconds: number | null) => admin.call(devicesApi.save, { params, body: { online_window_seconds } });
    await report(device);
    await sweep();
    expect((await set(59)).status).toBe(400);
    expect((await set(120)).body).toMatchObject({ online_window_seconds: 120, state: 'reporting' });
    await silentFor(device, 150);
    await sweep();
    expect(await stateOf(device)).toMatchObject({ online: false });
    expect(await admin.get(devicesApi.get, { params })).toMatchObject({ online: false, state: 'late' });
    expect(
      (await admin.get(devicesApi.save, { params, body: { tags: ['roof'] } })).online_window_seconds,
      'only what is sent changes',
    ).toBe(120);
    await set(null);
    await sweep();
    expect(await admin.get(devicesApi.get, { params })).toMatchObject({ online: true, state: 'reporting', online_window_seconds: null });
  });

  test('a device that came by MQTT is offline with its last connection, however lately it reported', async () => {
    const device = await aDevice();
    await report(device);
    await sql`
      update telemetry.device_state set last_connect_at = now() - interval '1 minute', last_disconnect_at = now(), online = false
      where device_pk = ${device.pk}`.execute(app.ctx.db);
    await sweep();
    expect(await stateOf(device)).toMatchObject({ online: false });
    expect(await noted(device)).toEqual([]);
  });

  test('nor is one online whose connection was too short to be counted', async () => {
    const device = await aDevice();
    const presence = keepPresence(services, randomUUID(), uplinks);
    presence.connected(device, 'short');
    await report(device);
    presence.disconnected(device, 'short', 0);
    await presence.stop();
    await sweep();
    expect(await stateOf(device)).toMatchObject({ online: false, sessions: 0 });
  });

  test('a connection that the database refuses holds up none of the others', async () => {
    const [odd, one, two] = [await aDevice(), await aDevice(), await aDevice()];
    const presence = keepPresence(services, randomUUID(), uplinks);
    presence.connected(one, 'first');
    presence.connected(odd, 'no \0 text');
    presence.connected(two, 'second');
    for (const device of [one, two]) await expect.poll(() => stateOf(device)).toMatchObject({ online: true, sessions: 1 });
    presence.disconnected(odd, 'no \0 text', 1);
    presence.disconnected(one, 'first', 1);
    await expect.poll(() => stateOf(one)).toMatchObject({ online: false, sessions: 0 });
    await presence.stop();
  });
});
