import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { applicationId, chirpStackInfo, heardAt, ttsIds } from '../networks/testing/messages.ts';
import { foreignBroker } from '../testing/foreign-broker.ts';
import { storedOf, testNetworks } from '../testing/networks.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '1:5', TELLTALE_RATE_CHANNEL: '0' } });
const admin = app.as(app.admin);
const networks = await testNetworks(app, { timing: { timeoutMs: 400 } });
const broker = await foreignBroker();

const makeNetwork = async (type: 'tts' | 'chirpstack' | 'http', channel_id: string, application_id: string, options = {}) => {
  const network = await admin.get(networksApi.create, {
    body: { name: channel_id, type, options: type === 'http' ? {} : { application_id, ...options } },
  });
  const settings = { network_id: network.id, ...(type === 'http' ? {} : { application_id }) };
  await admin.get(channelsApi.create, { body: { channel_id, kind: type, settings } });
  await until(
    () => admin.get(networksApi.get, { params: { id: network.id } }),
    ({ state }) => state === 'connected',
  );
  return network;
};
const tts = await makeNetwork('tts', 'weather-app', 'weather-app');
await makeNetwork('chirpstack', 'weather-cs', applicationId, { address: `127.0.0.1:${broker.port}`, tls: false });

const posted = await makeNetwork('http', 'posted', '');

const post = (network: { id: number; webhook_secret: string }, path: string, body: unknown) =>
  app.anonymous().json('POST', `/api/networks/${network.id}/webhook${path}`, body, { authorization: `Bearer ${network.webhook_secret}` });
const count = async (from: ReturnType<typeof sql<{ n: number }>>) => (await from.execute(app.ctx.db)).rows[0]?.n ?? 0;
const waiting = () => count(sql`select count(*)::int as n from network_inbox`);
const events = (device: string) =>
  count(
    sql`select count(*)::int as n from telemetry.device_event join telemetry.device on device.id = device_pk where device_id = ${device}`,
  );

const rejected = (device: string) => count(sql`select count(*)::int as n from telemetry.uplink_rejected where device_id = ${device}`);

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(app.databaseUrl);
  await client.connect();
  return client;
}
/** Holds back every write of a point while `act` runs. */
async function withoutPoints(act: () => Promise<void>): Promise<void> {
  const holder = await connected();
  await holder.query('begin; lock table telemetry.metric_point in exclusive mode');
  try {
    await act();
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
}
/** Resolves when points were given up once and are being stored again: each attempt has a connection of its own. */
async function isTakenAgain(): Promise<void> {
  const attempts = new Set<number>();
  await expect
    .poll(async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_locks where relation = 'telemetry.metric_point'::regclass and not granted`.execute(app.ctx.db);
      for (const { pid } of rows) attempts.add(pid);
      return attempts.size;
    })
    .toBeGreaterThan(1);
}

describe('iot-behaviour 1.9: what a network reports is stored, or reported again', () => {
  test('a join by webhook whose point cannot be stored is taken again, and neither its point nor its line in the log is lost or doubled', async () => {
    const join = { end_device_ids: ttsIds('joins-1', '0004A30B001C0901'), received_at: heardAt(0), join_accept: { session_key_id: 'j-1' } };
    await withoutPoints(async () => {
      await post(tts, '/join', join);
      await isTakenAgain();
      // The line in the log says that the event was taken: it must not stand there before the point.
      expect(await events('joins-1')).toBe(0);
      expect(await waiting()).toBe(1);
    });
    await expect.poll(waiting).toBe(0);
    await post(tts, '/join', join);
    await expect.poll(waiting).toBe(0);
    expect(await events('joins-1')).toBe(1);
    expect((await storedOf(app, 'weather-app', 'joins-1')).all.map(({ attribute, value }) => [attribute, value])).toEqual([
      ['sys.joined', 1],
    ]);
  });

  test('a status over MQTT whose points cannot be stored is not acknowledged, and comes again', async () => {
    const eui = '0101010101010101';
    const status = { deviceInfo: chirpStackInfo(eui), time: heardAt(0), deduplicationId: 's-1', margin: 8, batteryLevel: 75.5 };
    await withoutPoints(async () => {
      await broker.publish(`application/${applicationId}/device/${eui}/event/status`, status);
      await isTakenAgain();
      expect(broker.acknowledged).toBe(0);
    });
    await expect.poll(() => broker.acknowledged).toBe(1);
    const { all } = await storedOf(app, 'weather-cs', eui);
    expect(all.map(({ attribute, value }) => [attribute, value]).sort()).toEqual([
      ['lora.battery', 75.5],
      ['lora.margin', 8],
    ]);
    expect(await events(eui)).toBe(1);
  });

  test('a webhook that was stored and is taken again after a kill is a repetition, also without ids of its own', async () => {
    await networks.stop();
    const reading = { device_id: 'pump-1', data: { flow: 3 } };
    // Two equal readings of one list are two readings.
    expect((await post(posted, '', [reading, reading])).status).toBe(200);
    const holder = await connected();
    await holder.query('begin; select from console.network_inbox for share');
    await networks.start();
    const removals = async () =>
      (
        await sql<{ pid: number; begun: string }>`
          select pid, query_start::text as begun from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ilike 'delete from network_inbox%'`.execute(app.ctx.db)
      ).rows[0];
    const first = await until(removals, (found) => found !== undefined);
    expect((await storedOf(app, 'posted', 'pump-1')).uplinks).toHaveLength(2);
    await sql`select pg_cancel_backend(${first?.pid})`.execute(app.ctx.db);
    const second = await until(removals, (found) => found !== undefined && found.begun !== first?.begun);
    expect(second?.begun).not.toBe(first?.begun);
    await holder.query('rollback');
    await holder.end();
    await expect.poll(waiting).toBe(0);
    expect((await storedOf(app, 'posted', 'pump-1')).uplinks).toHaveLength(2);
  });
});

describe('iot-behaviour 1.6: the rate of a device is that at which it reports, not that at which we catch up', () => {
  test('webhooks that waited for a process are counted when they came', async () => {
    await networks.stop();
    const report = (n: number) => post(posted, '', { device_id: 'slow-1', id: `slow-${n}`, data: { n } });
    await Promise.all(Array.from({ length: 12 }, (_, n) => report(n)));
    await sql`update network_inbox set received_at = now() - make_interval(secs => 2 * (1 + (select max(id) from network_inbox) - id))`.execute(
      app.ctx.db,
    );
    await networks.start();
    await expect.poll(waiting).toBe(0);
    expect(await rejected('slow-1')).toBe(0);
    expect((await storedOf(app, 'posted', 'slow-1')).uplinks).toHaveLength(12);
  });

  test('and counted once, however often storing them is tried', async () => {
    await withoutPoints(async () => {
      await post(
        posted,
        '',
        Array.from({ length: 5 }, (_, n) => ({ device_id: 'often-1', id: `often-${n}`, data: { n } })),
      );
      await isTakenAgain();
    });
    await expect.poll(waiting).toBe(0);
    expect(await rejected('often-1')).toBe(0);
    expect((await storedOf(app, 'posted', 'often-1')).uplinks).toHaveLength(5);
  });
});
