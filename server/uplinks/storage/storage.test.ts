import { setTimeout as delay } from 'node:timers/promises';
import { dayMicros, dayOf } from '@telltale/domain/uplinks/retention.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { prepareReader } from '../../data-sources/prepare-reader.ts';
import { readerPass, readerUrl } from '../../data-sources/reader.ts';
import type { DeviceEntry } from '../../networks/directory.ts';
import type { Outcome } from '../../networks/uplink-sink.ts';
import { makeDevices } from '../../testing/fleet.ts';
import { servicesOf } from '../../testing/live-server.ts';
import { testApp } from '../../testing/test-app.ts';
import { createDirectory } from '../directory.ts';
import { settleGoneWriters, uplinkFigures } from '../gone-writers.ts';
import { Uplinks } from '../uplinks.ts';
import { columnNames, WideViews } from '../wide-views.ts';
import { Partitions, rangeFor } from './partitions.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' } });
const services = servicesOf(app);
const directory = createDirectory(services);
afterAll(() => directory.stop());
const made = await makeDevices(app.ctx, 'weather', 30);
const devices = (await Promise.all(made.map((one) => directory.findDevice(one.channel_id, one.device_id)))) as DeviceEntry[];
let used = 0;
const otherChannel = async () => {
  const [one] = await makeDevices(app.ctx, 'harbour', 1);
  return one && directory.findDevice(one.channel_id, one.device_id);
};
const aDevice = () => devices[used++] as DeviceEntry;

function store(options: ConstructorParameters<typeof Uplinks>[1] = {}) {
  const uplinks = new Uplinks(services, { settleMs: 50, ...options });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await uplinks.stop();
    isStopped = true;
  };
  // A writer that goes on would be counted in another test.
  onTestFinished(stop);
  const send = (device: DeviceEntry, payload: string, packet_id: number | null = null, isRepeat = false) =>
    new Promise<Outcome>((resolve) =>
      uplinks.receive(
        { device, topic: 'up', format: 'auto', fport: null, payload: Buffer.from(payload), source: 'mqtt', packet_id, isRepeat },
        resolve,
      ),
    );
  return { uplinks, send, stop };
}
const count = async (device: DeviceEntry) =>
  (await sql<{ n: number }>`select count(*)::int as n from telemetry.uplink where device_pk = ${device.pk}`.execute(app.ctx.db)).rows[0]?.n;
async function connected(): Promise<pg.Client> {
  const client = new pg.Client(app.databaseUrl);
  client.on('error', () => {});
  await client.connect();
  return client;
}

describe('iot-behaviour 1.9: a database that is slow or away', () => {
  test('while commits are held nothing is answered, and nothing is lost when they are released', async () => {
    const { send } = store();
    const device = aDevice();
    await send(device, '{"n":-1}');
    const holder = await connected();
    await holder.query('begin; lock table telemetry.uplink in exclusive mode');
    let answered = 0;
    const sent = Array.from({ length: 5000 }, (_, n) => send(device, `{"n":${n}}`).finally(() => answered++));
    await delay(300);
    expect(answered).toBe(0);
    await holder.query('rollback');
    await holder.end();
    expect((await Promise.all(sent)).every(({ status }) => status === 'stored')).toBe(true);
    expect(await count(device)).toBe(5001);
  });

  test('a flood of one channel does not delay the answers of another', async () => {
    const { send } = store({ shards: 1 });
    const [flooding, quiet] = [aDevice(), (await otherChannel()) as DeviceEntry];
    await Promise.all([send(flooding, '{"n":-1}'), send(quiet, '{"n":-1}')]);
    const holder = await connected();
    await holder.query('begin; lock table telemetry.uplink in exclusive mode');
    let flooded = 0;
    const flood = Array.from({ length: 20_000 }, (_, n) => send(flooding, `{"n":${n}}`).finally(() => flooded++));
    const answer = send(quiet, '{"n":0}').then(({ status }) => ({ status, flooded }));
    await holder.query('rollback');
    await holder.end();
    // Two flushes were under way when it came; it is in the one after them.
    expect(await answer).toMatchObject({ status: 'stored', flooded: expect.toSatisfy((n: number) => n <= 8000) });
    await Promise.all(flood);
    expect(await count(flooding)).toBe(20_001);
  });

  test('connections that are cut under a flush: each message is stored exactly once', async () => {
    const { send, uplinks } = store();
    const device = aDevice();
    const killer = await connected();
    const cut = () =>
      killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'telltale uplinks' and datname = current_database()`,
      );
    const outcomes: Outcome[] = [];
    for (let n = 0; n < 20; n++) {
      const sent = Array.from({ length: 60 }, (_, m) => send(device, `{"n":${n * 60 + m}}`));
      await delay(n % 10);
      await cut();
      outcomes.push(...(await Promise.all(sent)));
    }
    await killer.end();
    await uplinks.drain();
    expect(outcomes.every(({ status }) => status === 'stored')).toBe(true);
    expect(await count(device)).toBe(1200);
    const { rows } = await sql<{ n: number }>`
      select count(distinct value)::int as n from telemetry.metric_point where device_pk = ${device.pk}`.execute(app.ctx.db);
    expect(rows[0]?.n).toBe(1200);
  });

  test('what waits longer than its time limit is not acknowledged, and sent again it is stored once', async () => {
    const { send } = store({ timing: { timeoutMs: 400 } });
    const device = aDevice();
    await send(device, '{"n":0}', 1);
    const holder = await connected();
    await holder.query('begin; lock table telemetry.uplink in exclusive mode');
    expect(await send(device, '{"n":1}', 2)).toEqual({ status: 'unavailable' });
    await holder.query('rollback');
    await holder.end();
    // A device without an answer sends again and again.
    await expect.poll(async () => (await send(device, '{"n":1}', 2, true)).status).toMatch(/^(stored|duplicate)$/);
    expect(await count(device)).toBe(2);
  });

  test('points of our own that could not be stored are an error, so that whoever brought them is not acknowledged', async () => {
    const { uplinks } = store({ timing: { timeoutMs: 400 } });
    const device = aDevice();
    const holder = await connected();
    await holder.query('begin; lock table telemetry.metric_point in exclusive mode');
    await expect(uplinks.note(device, { 'sys.joined': 1 })).rejects.toMatchObject({ status: 503 });
    await holder.query('rollback');
    await holder.end();
    const again = () =>
      uplinks.note(device, { 'sys.joined': 1 }).then(
        () => 'stored',
        () => 'not stored',
      );
    await expect.poll(again).toBe('stored');
  });

  test('a message that nobody can prepare for is rejected alone, whatever it is', async () => {
    const { send } = store();
    const [device, other] = [aDevice(), aDevice()];
    // The dictionary refuses it before any row is written.
    const broken = { ...device, channel: { ...device.channel, pk: 2 ** 40 } };
    const outcomes = await Promise.all([send(other, '{"n":1}'), send(broken, '{"never-seen":1}'), send(other, '{"n":2}')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['stored', 'rejected', 'stored']);
  });

  test('a time that was thought to be new and is not costs no message', async () => {
    const { send } = store();
    const device = aDevice();
    await send(device, '{"t":1}');
    const { rows } = await sql<{
      id: number;
    }>`select attribute_id as id from telemetry.metric_point where device_pk = ${device.pk}`.execute(app.ctx.db);
    // Points of the next second, as if another process had written them.
    await sql`
      insert into telemetry.metric_point (time, device_pk, attribute_id, value, kind)
      select date_trunc('milliseconds', now()) + n * interval '1 millisecond', ${device.pk}, ${rows[0]?.id}, 0, 'n' from generate_series(-100, 900) n
      on conflict do nothing`.execute(app.ctx.db);
    expect((await send(device, '{"t":2}')).status).toBe('stored');
  });
});

describe('design 9: partitions', () => {
  test('one analyst who reads for long stops neither new partitions nor writers', async () => {
    const { send, uplinks } = store();
    const device = aDevice();
    await send(device, '{"t":1}');
    const analyst = await connected();
    await analyst.query('begin; select count(*) from telemetry.metric_point; select count(*) from telemetry.uplink');
    const old = new Date(Date.now() - 3 * 86_400_000).toISOString();
    expect((await send(device, `{"ts":"${old}","t":1}`)).status).toBe('stored');
    await uplinks.partitions.makeAhead();
    await analyst.query('rollback');
    await analyst.end();
  });

  test('expired partitions are dropped while messages arrive', async () => {
    const { send } = store();
    const device = aDevice();
    const partitions = new Partitions(services.db, services.log);
    const today = dayOf(Date.now() * 1000);
    await partitions.ensure('uplink', [today - 31, today - 40]);
    const names = async () =>
      (
        await sql<{ name: string }>`select relname as name from pg_class where relname ~ '^uplink_2' and relkind = 'r' order by 1`.execute(
          app.ctx.db,
        )
      ).rows.map(({ name }) => name);
    const before = await names();
    const [outcome] = await Promise.all([send(device, '{"t":1}'), partitions.dropExpired()]);
    expect(outcome.status).toBe('stored');
    expect(before.length - (await names()).length).toBe(2);
  });

  test('iot-behaviour 1.8: months for old times, weeks or days for recent ones, days beside days', () => {
    const now = dayOf(Date.UTC(2026, 5, 15) * 1000);
    const day = (month: number, date: number) => Date.UTC(2026, month - 1, date) / 86_400_000;
    expect(rangeFor(day(1, 15), [], now)).toEqual({ from: day(1, 1), to: day(2, 1) });
    expect(rangeFor(day(6, 14), [], now)).toEqual({ from: day(6, 14), to: day(6, 15) });
    expect(rangeFor(day(4, 1), [], now)).toEqual({ from: day(4, 1), to: day(4, 2) });
    expect(rangeFor(day(1, 15), [{ from: day(1, 3), to: day(1, 4) }], now)).toEqual({ from: day(1, 15), to: day(1, 16) });
    // 2026-06-15 is a Monday.
    expect(rangeFor(day(6, 15), [], now, 'week')).toEqual({ from: day(6, 15), to: day(6, 22) });
    expect(rangeFor(day(6, 14), [], now, 'week')).toEqual({ from: day(6, 8), to: day(6, 15) });
    expect(rangeFor(day(6, 14), [{ from: day(6, 9), to: day(6, 10) }], now, 'week')).toEqual({ from: day(6, 14), to: day(6, 15) });
    expect(rangeFor(day(1, 15), [], now, 'week')).toEqual({ from: day(1, 1), to: day(2, 1) });
    expect(dayMicros).toBe(86_400_000_000);
  });
});

describe('a writer that is gone', () => {
  test('what it did not get to is made up for, and its figures stay', async () => {
    const { send, stop } = store({ settleMs: 3_600_000 });
    const device = aDevice();
    await send(device, '{"lost":42}');
    const last = async () =>
      (await sql`select value from app.metric_last where device_id = ${device.device_id} and attribute = 'lost'`.execute(app.ctx.db)).rows;
    expect(await last()).toEqual([]);
    const before = await uplinkFigures(app.ctx.db);
    await sql`update ingest_marks set settled_at = now() - interval '1 minute'`.execute(app.ctx.db);
    await settleGoneWriters(services.db);
    expect(await last()).toEqual([{ value: 42 }]);
    expect(await uplinkFigures(app.ctx.db)).toEqual(before);
    expect((await sql`select from ingest_marks`.execute(app.ctx.db)).rows).toHaveLength(1);
    await send(device, '{"lost":43}');
    expect((await uplinkFigures(app.ctx.db)).received).toBe(before.received + 1);
    await stop();
  });
});

describe('design 8: wide views', () => {
  test('own columns win, long names are cut and stay unique', () => {
    const long = 'x'.repeat(70);
    expect(columnNames(['a', 'time', 'device_id', `${long}1`, `${long}2`])).toEqual([
      'a',
      'attr_time',
      'attr_device_id',
      'x'.repeat(63),
      `${'x'.repeat(61)}_2`,
    ]);
  });

  test('one per channel, in step with its attributes, readable by query text and gone with the channel', async () => {
    const [one] = await makeDevices(app.ctx, 'north-wind', 1);
    const device = (await directory.findDevice('north-wind', one?.device_id ?? '')) as DeviceEntry;
    const { send } = store();
    const views = new WideViews(services.db, services.log);
    await send(device, '{"t":1,"time":5,"say \\"x\\"; drop table":"y"}');
    await views.keep();
    await prepareReader(app.ctx, inject('postgres').superuserUrl);
    const reader = new pg.Client({
      connectionString: await readerUrl(app.ctx),
      options: `-c telltale.pass=${await readerPass(app.ctx, null)}`,
    });
    await reader.connect();
    const read = async () => (await reader.query('select * from app.channel_north_wind order by time')).rows;
    expect(await read()).toMatchObject([{ device_id: device.device_id, t: 1, attr_time: 5, say_x_drop_table: 'y' }]);
    await send(device, '{"h":2}');
    await views.keep();
    expect((await read()).at(-1)).toMatchObject({ t: null, h: 2 });
    await sql`update telemetry.channel set deleted_at = now() where channel_id = 'north-wind'`.execute(app.ctx.db);
    await views.keep();
    await expect(read()).rejects.toThrow('does not exist');
    await reader.end();
  });
});
