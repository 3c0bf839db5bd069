import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { DeviceEntry } from '../networks/directory.ts';
import { testApp } from '../testing/test-app.ts';
import { testUplinks } from '../testing/uplinks.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' } });
const { uplinks, aDevice, send } = await testUplinks(app, { settleMs: 50 });
const metric = async (device: DeviceEntry) =>
  (
    await sql<Record<string, unknown>>`
      select time, attribute, value, value_text, kind, uplink_id from app.metric where device_id = ${device.device_id} order by time, attribute`.execute(
      app.ctx.db,
    )
  ).rows;

describe('iot-behaviour 1.8: stored rows', () => {
  test('a message is an uplink, its points and its last values', async () => {
    const device = await aDevice();
    const outcome = await send(device, '{"temperature":21.5,"door":true,"mode":"eco"}');
    expect(outcome).toMatchObject({ status: 'stored', points: 3, warnings: [], errors: [] });
    const { uplink_id } = outcome as { uplink_id: string };
    const points = await metric(device);
    expect(points).toMatchObject([
      { attribute: 'door', value: 1, value_text: null, kind: 'b', uplink_id },
      { attribute: 'mode', value: null, value_text: 'eco', kind: 's', uplink_id },
      { attribute: 'temperature', value: 21.5, value_text: null, kind: 'n', uplink_id },
    ]);
    const { rows } = await sql`
      select uplink_id, channel_id, source, encoding, status, points, warnings, errors, convert_from(raw, 'UTF8') as raw
      from app.uplink where device_id = ${device.device_id}`.execute(app.ctx.db);
    expect(rows).toEqual([
      {
        uplink_id,
        channel_id: 'weather',
        source: 'mqtt',
        encoding: 'json',
        status: 'stored',
        points: 3,
        warnings: null,
        errors: null,
        raw: '{"temperature":21.5,"door":true,"mode":"eco"}',
      },
    ]);
    await uplinks.drain();
    const last =
      await sql`select attribute, value, value_text from app.metric_last where device_id = ${device.device_id} order by 1`.execute(
        app.ctx.db,
      );
    expect(last.rows).toEqual([
      { attribute: 'door', value: 1, value_text: null },
      { attribute: 'mode', value: null, value_text: 'eco' },
      { attribute: 'temperature', value: 21.5, value_text: null },
    ]);
    const seen = await sql<{ seen: boolean }>`
      select last_seen_at > now() - interval '10 seconds' as seen from app.device where device_id = ${device.device_id}`.execute(
      app.ctx.db,
    );
    expect(seen.rows).toEqual([{ seen: true }]);
  });

  test('messages of the same millisecond never overwrite each other', async () => {
    const device = await aDevice();
    const outcomes = await Promise.all(Array.from({ length: 500 }, (_, n) => send(device, `{"n":${n}}`)));
    expect(outcomes.every(({ status }) => status === 'stored')).toBe(true);
    expect((await metric(device)).map(({ value }) => value)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  });

  test('times of the device’s own: sent again they replace, late ones do not move the last value', async () => {
    const device = await aDevice();
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const [early, late] = [at(10), at(5)];
    await send(device, `{"ts":"${late}","t":2}`);
    await send(device, `{"ts":"${early}","t":1}`);
    await send(device, `{"ts":"${early}","t":1.5}`);
    await send(device, `[{"ts":"${early}","t":7},{"ts":"${early}","t":8}]`);
    expect((await metric(device)).map(({ value }) => value)).toEqual([8, 2]);
    await uplinks.drain();
    const last = await sql`select value from app.metric_last where device_id = ${device.device_id}`.execute(app.ctx.db);
    expect(last.rows).toEqual([{ value: 2 }]);
  });

  test('old data finds a partition of its own, made while it waits', async () => {
    const device = await aDevice();
    const outcome = await send(device, `{"ts":"${new Date(Date.now() - 200 * 86_400_000).toISOString()}","t":1}`);
    expect(outcome.status).toBe('stored');
    expect(await metric(device)).toHaveLength(1);
  });

  test('a device has at most 500 attributes: new names are left out, known ones stay', async () => {
    const device = await aDevice();
    const many = (from: number, count: number) => `{${Array.from({ length: count }, (_, n) => `"a${from + n}":1`).join()}}`;
    expect((await send(device, many(0, 499))).status).toBe('stored');
    expect(await send(device, many(497, 5))).toMatchObject({
      status: 'partial',
      points: 3,
      errors: [expect.stringMatching(/^too_many_attributes: a500, a501/)],
    });
    expect((await send(device, many(0, 500))).status).toBe('stored');
  });

  test('a position is kept', async () => {
    const device = await aDevice();
    await send(device, '{"lat":47.5,"lon":8.25,"t":1}');
    await uplinks.drain();
    const { rows } = await sql`select latitude, longitude from app.device where device_id = ${device.device_id}`.execute(app.ctx.db);
    expect(rows).toEqual([{ latitude: 47.5, longitude: 8.25 }]);
  });
});

describe('iot-behaviour 1.9: repetitions', () => {
  test('the same id by two processes at one moment is stored once', async () => {
    const device = await aDevice();
    const other = await testUplinks(app, { settleMs: 50, devices: 0 });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => [send, other.send].map((by) => by(device, `{"id":"both-${n}","n":${n}}`))).flat(),
    );
    expect(outcomes.filter(({ status }) => status === 'stored')).toHaveLength(20);
    expect(outcomes.filter(({ status }) => status === 'duplicate')).toHaveLength(20);
    const { rows } = await sql`select from app.uplink where device_id = ${device.device_id}`.execute(app.ctx.db);
    expect(rows).toHaveLength(20);
  });

  test('an id is stored once, whether the first one waits, is on its way or is on disk', async () => {
    const device = await aDevice();
    const together = await Promise.all([1, 2, 3].map((n) => send(device, `{"id":"a","n":${n}}`)));
    expect(together.map(({ status }) => status)).toEqual(['stored', 'duplicate', 'duplicate']);
    const later = await send(device, '{"id":"a","n":4}');
    expect(later).toEqual({ status: 'duplicate', uplink_id: (together[0] as { uplink_id: string }).uplink_id });
    expect((await metric(device)).map(({ value }) => value)).toEqual([1]);
    const other = await aDevice();
    expect((await send(other, '{"id":"a","n":1}')).status).toBe('stored');
  });

  test('entries of a batch are known by ids of their own: those that were here before stay away', async () => {
    const device = await aDevice();
    const values = async () => (await metric(device)).map(({ value }) => value);
    const first = await send(device, '[{"id":"a","n":1},{"id":"b","n":2},{"n":3}]');
    expect(first).toMatchObject({ status: 'stored', points: 3, warnings: [] });
    expect(await send(device, '[{"id":"b","n":20},{"id":"c","n":4}]')).toMatchObject({
      status: 'stored',
      points: 1,
      warnings: ['duplicate_entries'],
    });
    expect(await values()).toEqual([1, 2, 3, 4]);
    const known = { status: 'duplicate', uplink_id: (first as { uplink_id: string }).uplink_id };
    expect(await send(device, '[{"id":"a","n":10},{"id":"c","n":40}]')).toEqual(known);
    expect(await send(device, '{"id":"a","n":10}')).toEqual(known);
    await send(device, '{"id":"d","n":5}');
    expect((await send(device, '[{"id":"d","n":50},{"id":"e","n":6},{"id":"e","n":60}]')).status).toBe('stored');
    const together = await Promise.all([
      send(device, '[{"id":"f","n":7},{"id":"g","n":8}]'),
      send(device, '[{"id":"g","n":80},{"id":"f","n":70}]'),
    ]);
    expect(together.map(({ status }) => status)).toEqual(['stored', 'duplicate']);
    expect(await values()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('QoS 2 without that mark is a reading of its own; the same bytes elsewhere are another message (design 8)', async () => {
    const device = await aDevice();
    const raw = (fport: number, isRepeat: boolean) =>
      send(device, 'x', { format: 'raw', fport, topic: `up/raw/${fport}`, packet_id: 3, isRepeat });
    expect((await raw(1, false)).status).toBe('stored');
    expect((await raw(2, true)).status).toBe('stored');
    expect((await raw(1, true)).status).toBe('duplicate');
    expect((await raw(1, false)).status).toBe('stored');
  });

  test('windows: an id for a day, a packet for ten minutes', async () => {
    const device = await aDevice();
    await send(device, '{"id":"old","t":1}');
    await send(device, '[{"id":"p","t":1},{"id":"q","t":2}]');
    await send(device, '{"t":5}', { packet_id: 12 });
    const age = (table: string, minutes: number) =>
      sql`update ${sql.table(table)} set received_at = received_at - make_interval(mins => ${minutes}) where device_pk = ${device.pk}`.execute(
        app.ctx.db,
      );
    const today = Math.floor(Date.now() / 86_400_000);
    await uplinks.partitions.ensure('uplink', [today - 1, today - 2]);
    await uplinks.partitions.ensure('entry_id', [today - 1, today - 2]);
    await age('telemetry.uplink', 11);
    expect((await send(device, '{"t":5}', { packet_id: 12, isRepeat: true })).status).toBe('stored');
    await age('telemetry.uplink', 23 * 60);
    await age('telemetry.entry_id', 23 * 60);
    expect((await send(device, '{"id":"old","t":1}')).status).toBe('duplicate');
    expect((await send(device, '[{"id":"p","t":1},{"id":"q","t":2}]')).status).toBe('duplicate');
    await age('telemetry.uplink', 2 * 60);
    await age('telemetry.entry_id', 2 * 60);
    expect((await send(device, '{"id":"old","t":1}')).status).toBe('stored');
    expect((await send(device, '[{"id":"p","t":1},{"id":"q","t":2}]')).status).toBe('stored');
  });

  test('a packet that its sender marks as sent before; equal readings without that mark are readings', async () => {
    const device = await aDevice();
    const payload = '{"t":20}';
    expect((await send(device, payload, { packet_id: 7 })).status).toBe('stored');
    expect((await send(device, payload, { packet_id: 7, isRepeat: true })).status).toBe('duplicate');
    expect((await send(device, '{"t":21}', { packet_id: 7, isRepeat: true })).status).toBe('stored');
    expect((await send(device, payload, { packet_id: 8, isRepeat: true })).status).toBe('stored');
    expect((await send(device, payload, { packet_id: 7 })).status).toBe('stored');
    const both = await Promise.all([send(device, '1', { packet_id: 9 }), send(device, '1', { packet_id: 9, isRepeat: true })]);
    expect(both.map(({ status }) => status)).toEqual(['stored', 'duplicate']);
  });
});

test('iot-behaviour 1.5: the dictionary keeps the unit that was last given', async () => {
  const device = await aDevice();
  const unit = async () =>
    (await sql<{ unit: string | null }>`select unit from telemetry.attribute where name = 'warmth'`.execute(app.ctx.db)).rows;
  await send(device, '{"warmth":1}');
  expect(await unit()).toEqual([{ unit: null }]);
  for (const given of ['Cel', 'K']) {
    await send(device, `[{"n":"warmth","u":"${given}","v":1}]`);
    await uplinks.drain();
    expect(await unit()).toEqual([{ unit: given }]);
  }
});

describe('iot-behaviour 1.10: rejections', () => {
  test('are on disk before they are answered, with the first bytes of the payload', async () => {
    const device = await aDevice();
    const told: string[] = [];
    const stop = uplinks.onRejected(({ code }) => told.push(code));
    const outcome = await send(device, `{${'x'.repeat(400)}`);
    stop();
    expect(outcome).toMatchObject({ status: 'rejected', code: 'bad_json' });
    expect(told).toEqual(['bad_json']);
    const { rows } = await sql`
      select code, topic, message, length(payload) as kept, bytes from app.uplink_rejected where device_id = ${device.device_id}`.execute(
      app.ctx.db,
    );
    expect(rows).toEqual([
      { code: 'bad_json', topic: 'v1/weather/devices/x/up', message: 'The payload is not valid JSON.', kept: 256, bytes: 401 },
    ]);
  });

  test('hostile bytes reject themselves and nobody else', async () => {
    const [device, other] = [await aDevice(), await aDevice()];
    const hostile = [
      Buffer.from([0xff, 0xfe]),
      Buffer.alloc(0),
      '[1]',
      '{"a":"\\u0000","b":1}',
      '{"\\u0000":1}',
      '"\\ud800"',
      '{"a":1e999}',
    ];
    const outcomes = await Promise.all(hostile.flatMap((payload) => [send(device, payload), send(other, '{"t":1}')]));
    expect(outcomes.filter((_, n) => n % 2 === 1).every(({ status }) => status === 'stored')).toBe(true);
    expect(outcomes.filter((_, n) => n % 2 === 0).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'partial',
      'stored',
      'stored',
      'partial',
    ]);
  });
});

test('in = stored + duplicate + rejected, as of what was committed', async () => {
  await uplinks.drain();
  const { rows } = await sql<Record<string, number>>`
    select sum(received)::int as received, sum(stored)::int as stored, sum(duplicate)::int as duplicate, sum(rejected)::int as rejected,
      (select count(*)::int from telemetry.uplink) as rows, (select count(*)::int from telemetry.uplink_rejected) as refused
    from ingest_marks`.execute(app.ctx.db);
  const { received = 0, stored = 0, duplicate = 0, rejected = 0, rows: kept, refused } = rows[0] ?? {};
  expect(received).toBe(stored + duplicate + rejected);
  expect([stored, rejected]).toEqual([kept, refused]);
  expect(duplicate).toBeGreaterThan(4);
});
