import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { prepareReader } from '../data-sources/prepare-reader.ts';
import { readerPass, readerUrl } from '../data-sources/reader.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import { testApp } from '../testing/test-app.ts';
import { testUplinks } from '../testing/uplinks.ts';
import { settleGoneWriters } from './gone-writers.ts';
import { rollUp } from './rollups.ts';
import { Partitions, rangeFor } from './storage/partitions.ts';
import { Uplinks } from './uplinks.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' } });
const { services, uplinks, aDevice, send: sendText } = await testUplinks(app);
const send = (device: DeviceEntry, payload: unknown) => sendText(device, JSON.stringify(payload));
const minute = 60_000;
const hour = 60 * minute;
/** An hour that began some minutes ago at least: readings of its first seconds count as late. */
const thisHour = Math.floor((Date.now() - 2 * minute) / hour) * hour;
const rolledUntil = (ms: number) =>
  sql`update telemetry.rollup_state set minutes_until = ${new Date(ms).toISOString()}, hours_until = ${new Date(Math.floor(ms / hour) * hour).toISOString()}`.execute(
    app.ctx.db,
  );
const dueCount = async () => (await sql`select from telemetry.rollup_due`.execute(app.ctx.db)).rows.length;

/** The rollups of a device, and the same figures computed from its points. */
async function compare({ device_id }: DeviceEntry, grain: 'minute' | 'hour') {
  const rollups = await sql`
    select time, attribute, count, min, max, round(avg::numeric, 6)::float8 as avg, last from ${sql.table(`app.metric_${grain}`)}
    where device_id = ${device_id} order by time, attribute`.execute(app.ctx.db);
  const points = await sql`
    select date_bin(${`1 ${grain}`}::interval, time, '2000-01-01 00:00+00') as time, attribute, count(*)::int as count, min(value), max(value),
      round(avg(value)::numeric, 6)::float8 as avg, (array_agg(value order by time desc))[1] as last
    from app.metric where device_id = ${device_id} and value is not null group by 1, 2 order by 1, 2`.execute(app.ctx.db);
  return { rollups: rollups.rows, points: points.rows };
}
async function expectSame(device: DeviceEntry, buckets?: { minute: number; hour: number }) {
  for (const grain of ['minute', 'hour'] as const) {
    const { rollups, points } = await compare(device, grain);
    expect(rollups).toEqual(points);
    if (buckets) expect(rollups).toHaveLength(buckets[grain]);
    else expect(rollups).not.toEqual([]);
  }
}

beforeEach(() => rolledUntil(thisHour));

describe('iot-behaviour 1.8: rollups', () => {
  test('late readings, corrected ones and those of a clock that is ahead: rollups say what the points say', async () => {
    const device = await aDevice();
    const begin = thisHour - 3 * hour;
    await send(
      device,
      Array.from({ length: 480 }, (_, n) => ({ ts: begin + n * 15_000, values: { t: Math.sin(n) * 10, ok: n % 7 === 0 } })),
    );
    await send(device, { ts: Date.now() + 5 * minute, values: { t: 3 } });
    expect(await dueCount()).toBeGreaterThan(0);
    await rollUp(app.ctx);
    expect(await dueCount()).toBe(0);
    await expectSame(device, { minute: 241, hour: 5 });
    await send(device, { ts: begin + 15_000, values: { t: 99 } });
    await send(device, { ts: begin - 30 * 86_400_000, values: { t: 1 } });
    await send(device, { ts: begin, values: { t: 'broken', ok: true } });
    await rollUp(app.ctx);
    await expectSame(device, { minute: 242, hour: 6 });
  });

  test('readings of now cost nothing extra and are rolled up when their minute is over', async () => {
    const device = await aDevice();
    for (let n = 0; n < 5; n++) await send(device, { t: n });
    await uplinks.drain();
    expect(await dueCount()).toBe(0);
    // Moves the points back as if they had come an hour and some minutes ago.
    await sql`update telemetry.metric_point set time = time - interval '70 minutes' where device_pk = ${device.pk}`.execute(app.ctx.db);
    await rolledUntil(Math.floor(Date.now() / hour) * hour - 3 * hour);
    const begun = new Date();
    await rollUp(app.ctx);
    await expectSame(device);
    const { rows } = await sql<{ late: number; hours: number }>`
      select extract(epoch from ${begun}::timestamptz - minutes_until)::float8 as late, extract(epoch from minutes_until - hours_until)::float8 as hours
      from telemetry.rollup_state`.execute(app.ctx.db);
    expect(rows[0]?.late).toBeLessThan(75 + 60 + 5);
    expect(rows[0]?.hours).toBeLessThan(3600);
  });

  test('what Telltale notes about a silent device is rolled up, too', async () => {
    const device = await aDevice();
    await uplinks.note(device, { 'sys.online': 1 }, thisHour - 30 * minute);
    await rolledUntil(thisHour - 2 * hour);
    await rollUp(app.ctx);
    expect(await dueCount()).toBe(0);
    await expectSame(device, { minute: 1, hour: 1 });
  });

  test('a change of a minute that is not over waits for its end', async () => {
    const device = await aDevice();
    await uplinks.note(device, { 'sys.online': 1 });
    await rollUp(app.ctx);
    expect([await dueCount(), (await compare(device, 'minute')).rollups]).toEqual([1, []]);
    await sql`update telemetry.rollup_due set from_time = from_time - interval '2 hours', to_time = to_time - interval '2 hours'`.execute(
      app.ctx.db,
    );
    await sql`update telemetry.metric_point set time = time - interval '2 hours' where device_pk = ${device.pk}`.execute(app.ctx.db);
    await rolledUntil(thisHour - 4 * hour);
    await rollUp(app.ctx);
    expect(await dueCount()).toBe(0);
    await expectSame(device, { minute: 1, hour: 1 });
  });

  test('numbers at the end of all numbers stop nobody', async () => {
    const [device, other] = [await aDevice(), await aDevice()];
    const ts = thisHour - hour;
    await Promise.all([
      send(
        device,
        [1, 2, 3].map((n) => ({ ts: ts + n, values: { t: 1.7e308, u: n % 2 ? 1e300 : -1e300 } })),
      ),
      send(other, { ts, values: { t: 1 } }),
    ]);
    await rollUp(app.ctx);
    await expectSame(other, { minute: 1, hour: 1 });
    const { rows } = await sql`select max, count from app.metric_hour where device_id = ${device.device_id} and attribute = 't'`.execute(
      app.ctx.db,
    );
    expect(rows).toEqual([{ max: 1.7e308, count: 3 }]);
  });

  test('while a writer takes longer than it should no minute counts as over', async () => {
    const client = new pg.Client({ connectionString: app.databaseUrl, application_name: 'telltale uplinks' });
    await client.connect();
    await client.query('begin; lock table telemetry.metric_point in row exclusive mode');
    const until = async () =>
      (await sql<{ at: string }>`select minutes_until as at from telemetry.rollup_state`.execute(app.ctx.db)).rows[0]?.at;
    await rolledUntil(thisHour - hour);
    const before = await until();
    await rollUp(app.ctx, { settledSeconds: 75, longestWriteSeconds: 0 });
    expect(await until()).toBe(before);
    await client.query('rollback');
    await client.end();
    // Writers of the tests before this one may still be at work, and each of them counts as too long here.
    const rolledUp = async () => {
      await rollUp(app.ctx, { settledSeconds: 75, longestWriteSeconds: 0 });
      return until();
    };
    await expect.poll(rolledUp).not.toBe(before);
  });

  test('what a writer that was killed did not say is made up for', async () => {
    const device = await aDevice();
    const dying = new Uplinks(services, { settleMs: 3_600_000 });
    const message = { device, topic: 'up', format: 'auto', fport: null, source: 'mqtt', packet_id: null, isRepeat: false } as const;
    await new Promise((done) => dying.receive({ ...message, payload: Buffer.from('{"lost":1}') }, done));
    await sql`update ingest_marks set settled_at = now() - interval '1 minute' where writer = ${dying.writer}`.execute(app.ctx.db);
    await settleGoneWriters(services.db);
    await rolledUntil(Date.now() + minute);
    await rollUp(app.ctx);
    await expectSame(device, { minute: 1, hour: 1 });
    await dying.stop();
  });

  test('query text may read existing rollups only', async () => {
    await prepareReader(app.ctx, inject('postgres').superuserUrl);
    const reader = new pg.Client({
      connectionString: await readerUrl(app.ctx),
      options: `-c telltale.pass=${await readerPass(app.ctx, null)}`,
    });
    await reader.connect();
    const { fields } = await reader.query('select * from app.metric_hour where false');
    expect(fields.map(({ name }) => name)).toEqual([
      'time',
      'channel_id',
      'channel_name',
      'device_id',
      'device_name',
      'attribute',
      'min',
      'max',
      'avg',
      'last',
      'count',
    ]);
    expect((await reader.query('select count(*)::int as n from app.metric_minute')).rows[0].n).toBeGreaterThan(200);
    await expect(reader.query('select * from telemetry.metric_minute')).rejects.toThrow('permission denied');
    await reader.end();
  });

  test('minutes are dropped after 400 days, hours never; hours lie in months', async () => {
    const partitions = new Partitions(services.db, services.log);
    const today = Math.floor(Date.now() / 86_400_000);
    await partitions.ensure('metric_minute', [today - 500]);
    await partitions.ensure('metric_hour', [today - 500]);
    await partitions.dropExpired();
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relname ~ '^metric_(minute|hour)_2' and relkind = 'r'`.execute(app.ctx.db);
    const month = new Date((today - 500) * 86_400_000).toISOString().slice(0, 7).replace('-', '');
    expect(rows.filter(({ name }) => name.includes(`_${month}`))).toEqual([{ name: `metric_hour_${month}01m` }]);
    const day = (date: number) => Date.UTC(2026, 5, date) / 86_400_000;
    expect(rangeFor(day(15), [], day(15), 'month')).toEqual({ from: day(1), to: day(31) });
  });
});

describe('history', () => {
  const history = (device: DeviceEntry, query: object) =>
    app.as(app.admin).get(deviceDataApi.history, { params: { id: 'weather', deviceId: device.device_id }, query: query as never });

  test('is the same from rollups and from points, whatever is asked for', async () => {
    const device = await aDevice();
    const begin = thisHour - 30 * hour;
    for (let part = 0; part < 4; part++) {
      await send(
        device,
        Array.from({ length: 450 }, (_, n) => ({
          ts: begin + (part * 450 + n) * minute + (n % 50) * 1000,
          values: { t: Math.round(Math.cos(n) * 100) },
        })),
      );
    }
    const questions = [
      { seconds: 86_400, buckets: 120 },
      { seconds: 86_400, buckets: 2000 },
      { seconds: 30 * 3600, buckets: 7, until: new Date(thisHour - 90 * minute - 17_500).toISOString() },
      { seconds: 40 * 3600, buckets: 40, until: new Date(thisHour + 61_234).toISOString() },
      { seconds: 400 * 86_400, buckets: 2000 },
      { seconds: 3600, buckets: 60, until: new Date(thisHour - 5 * hour + 30_000).toISOString() },
    ].map((question) => ({ until: new Date().toISOString(), ...question }));
    const ask = () => Promise.all(questions.map((question) => history(device, question)));
    const fromPoints = await ask();
    await rollUp(app.ctx);
    expect(await ask()).toEqual(fromPoints);
    expect(fromPoints.map(([series]) => (series?.buckets.length ?? 0) > 0)).toEqual(questions.map(() => true));
    for (const [place, [series]] of fromPoints.entries())
      expect(series?.buckets.length).toBeLessThanOrEqual((questions[place]?.buckets ?? 0) + 1);
    await send(device, { ts: begin + 1, values: { t: 1e6 } });
    expect((await history(device, { seconds: 40 * 3600, buckets: 10 }))[0]?.buckets.some(({ max }) => max === 1e6)).toBe(true);
  });
});
