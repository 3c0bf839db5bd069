import { devicesApi } from '@telltale/domain/channels/contract.ts';
import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import { breakerLimits } from '@telltale/domain/decoders/limits.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testBroker } from '../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../testing/fleet.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' } });
const client = app.as(await app.make.user());
const broker = await testBroker(app);
let count = 0;
const channel = async (script?: string, devices = 1) => {
  const id = `bytes-${++count}`;
  const made = await makeDevices(app.ctx, id, devices);
  if (script !== undefined) await client.get(decodersApi.save, { params: { id }, body: { script } });
  return { params: { id }, devices: made, device: made[0] as MadeDevice };
};
const script =
  'function decodeUplink(i) { if (i.bytes[0] === 255) return { errors: ["broken sensor"] }; return { data: { temperature: i.bytes[0] / 2, port: i.fPort }, warnings: i.bytes[0] === 254 ? ["battery low"] : [] } }';

const post = async ({ channel_id, device_id, api_key }: MadeDevice, path: string, bytes: number[]) => {
  const response = await fetch(`${app.origin}/api/v1/${channel_id}/devices/${device_id}/up${path}`, {
    method: 'POST',
    headers: { authorization: `Key ${api_key}` },
    body: Uint8Array.from(bytes),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const publish = async (device: MadeDevice, topic: string, bytes: Buffer) => {
  const connection = await broker.device(device);
  await connection.publishAsync(`v1/me/${topic}`, bytes, { qos: 1 });
  await connection.endAsync();
};
const uplinks = async ({ pk }: MadeDevice) =>
  (
    await sql<Record<string, unknown>>`
      select encode(raw, 'hex') as raw, fport, encoding, status, warnings, errors, points, decoder_version from telemetry.uplink
      where device_pk = ${pk} order by uplink_id`.execute(app.ctx.db)
  ).rows;
const points = async ({ pk }: MadeDevice) =>
  (
    await sql<{ name: string; value: number }>`
      select name, value from telemetry.metric_point join telemetry.attribute on attribute.id = attribute_id where device_pk = ${pk}
        and name not like 'sys.%' order by time, name`.execute(app.ctx.db)
  ).rows.map(({ name, value }) => [name, value]);

describe('iot-behaviour 1.3 and 4: bytes of devices', () => {
  test('up/raw/{fport} over MQTT and HTTP goes through the decoder of the channel', async () => {
    const { device } = await channel(script);
    await publish(device, 'up/raw/7', Buffer.from([42]));
    expect(await post(device, '/raw/9', [43])).toMatchObject({
      status: 200,
      body: { status: 'stored', points: 2, warnings: [], errors: [] },
    });
    expect(await uplinks(device)).toEqual([
      { raw: '2a', fport: 7, encoding: 'raw', status: 'stored', warnings: null, errors: null, points: 2, decoder_version: 1 },
      { raw: '2b', fport: 9, encoding: 'raw', status: 'stored', warnings: null, errors: null, points: 2, decoder_version: 1 },
    ]);
    expect(await points(device)).toEqual([
      ['port', 7],
      ['temperature', 21],
      ['port', 9],
      ['temperature', 21.5],
    ]);
  });

  test('iot-behaviour 4.1: the decoder gets the variables of the device, which only those who manage channels read', async () => {
    const { params, devices } = await channel(
      'function decodeUplink(i) { return { data: { level: i.bytes[0] + Number(i.variables.offset || 0) } } }',
      2,
    );
    const [calibrated, plain] = devices as [MadeDevice, MadeDevice];
    const at = { ...params, deviceId: calibrated.device_id };
    const save = (variables: Record<string, unknown>) =>
      client.json('POST', `/api/channels/${at.id}/devices/${at.deviceId}`, { variables });
    expect((await save({ 'not a name': '1' })).status).toBe(400);
    expect((await save({ offset: 1 })).status).toBe(400);
    await post(calibrated, '/raw/1', [10]);
    const saved = await client.get(devicesApi.save, { params: at, body: { variables: { offset: '100' } } });
    expect(saved.variables).toEqual({ offset: '100' });
    // Processes hear of the change by a notification.
    await until(
      async () => {
        await post(calibrated, '/raw/1', [10]);
        return (await points(calibrated)).at(-1)?.[1];
      },
      (level) => level === 110,
    );
    await post(plain, '/raw/1', [10]);
    expect(await points(plain)).toEqual([['level', 10]]);
    const recent = await client.get(decodersApi.recent, { params, body: {} });
    expect(new Set(recent.map(({ device_id, data }) => `${device_id} ${JSON.stringify(data)}`))).toEqual(
      new Set([`${calibrated.device_id} {"level":110}`, `${plain.device_id} {"level":10}`]),
    );
    const viewers = await app.as(app.admin).get(groupsApi.create, { body: { name: 'Viewers' } });
    await app.as(app.admin).get(groupsApi.save, { params: { id: viewers.id }, body: { permissions: ['view_channel'] } });
    const viewer = app.as(await app.make.user({ groups: [], group_ids: [viewers.id] }));
    expect((await viewer.get(devicesApi.get, { params: at })).variables).toEqual({ offset: secretMask });
    const seen = await viewer.get(decodersApi.recent, { params, body: {} });
    expect(new Set(seen.map(({ device_id, data, errors }) => `${device_id} ${JSON.stringify(data)} ${errors}`))).toEqual(
      new Set([
        `${calibrated.device_id} null This device has variables. Trying the decoder with them needs the right to manage channels.`,
        `${plain.device_id} {"level":10} `,
      ]),
    );
  });

  test('iot-behaviour 1.5: bytes on the plain topic that do not begin like JSON go there with fPort 1; JSON does not', async () => {
    const { device } = await channel(script);
    expect((await post(device, '', [2, 0xff])).body).toMatchObject({ status: 'stored', points: 2 });
    expect((await post(device, '', [...Buffer.from('{"a":1}')])).body).toMatchObject({ status: 'stored', points: 1 });
    expect(await post(device, '', [...Buffer.from('{"a":')])).toMatchObject({ status: 400, body: { code: 'bad_json' } });
    expect((await uplinks(device)).map(({ fport, encoding, decoder_version }) => [fport, encoding, decoder_version])).toEqual([
      [1, 'raw', 1],
      [null, 'json', null],
    ]);
    const { device: plain } = await channel();
    expect(await post(plain, '', [2, 0xff])).toMatchObject({ status: 400, body: { code: 'bad_json' } });
    expect((await post(plain, '/raw/3', [2])).body).toMatchObject({ status: 'stored', points: 0, errors: [] });
  });

  test('iot-behaviour 1.10: what does not decode keeps its bytes, status partial; warnings are kept', async () => {
    const { device } = await channel(script);
    expect(await post(device, '/raw/1', [255])).toMatchObject({
      status: 200,
      body: { status: 'partial', points: 0, errors: ['decoder_error: broken sensor'] },
    });
    expect((await post(device, '/raw/1', [254])).body).toMatchObject({ status: 'stored', points: 2, warnings: ['battery low'] });
    expect(await uplinks(device)).toMatchObject([
      { raw: 'ff', status: 'partial', errors: ['decoder_error: broken sensor'], points: 0 },
      { raw: 'fe', status: 'stored', warnings: ['battery low'], points: 2 },
    ]);
  });

  test('a list of entries with times of their own; ids are readings; limits are those of every payload', async () => {
    const at = Math.floor(Date.now() / 1000) - 60;
    const { device } = await channel(
      `function decodeUplink(i) {
        if (i.fPort === 2) return { data: Object.fromEntries(Array.from({ length: 1001 }, (_, n) => ["a" + n, n])) };
        if (i.fPort === 3) return { data: { ts: "yesterday", a: 1 } };
        return { data: [{ ts: ${at}, id: 1 }, { ts: ${at + 10}, id: 2, "lora.rssi": -1 }] } }`,
    );
    expect((await post(device, '/raw/1', [1])).body).toMatchObject({ status: 'stored', points: 3 });
    expect((await post(device, '/raw/1', [1])).body).toMatchObject({ status: 'stored', points: 3 });
    expect(await points(device)).toEqual([
      ['id', 1],
      ['id', 2],
      ['p.lora.rssi', -1],
    ]);
    expect((await post(device, '/raw/2', [1])).body).toMatchObject({
      status: 'partial',
      errors: [expect.stringMatching(/^too_many_points/)],
    });
    expect((await post(device, '/raw/3', [1])).body).toMatchObject({ status: 'partial', errors: [expect.stringMatching(/^bad_time/)] });
    expect(await uplinks(device)).toHaveLength(4);
  });

  test('what a device sends after bytes is stored after them, and a new version acts at once', async () => {
    const { device, params } = await channel(
      'function decodeUplink(i) { let n = 0; for (let k = 0; k < 20000; k++) n += k; return { data: { first: n } } }',
    );
    const connection = await broker.device(device);
    const sent = [connection.publishAsync('v1/me/up/raw/1', Buffer.from([1]), { qos: 1 })];
    for (let n = 0; n < 5; n++) sent.push(connection.publishAsync('v1/me/up', JSON.stringify({ n }), { qos: 1 }));
    await Promise.all(sent);
    expect((await points(device)).map(([name]) => name)).toEqual(['first', 'n', 'n', 'n', 'n', 'n']);
    await client.get(decodersApi.save, { params, body: { script: 'function decodeUplink() { return { data: { second: 2 } } }' } });
    // The broker hears of a new version by a notification, which may arrive after the answer to the save.
    const publish = () => connection.publishAsync('v1/me/up/raw/1', Buffer.from([1]), { qos: 1 });
    await expect.poll(() => publish().then(async () => (await points(device)).at(-1))).toEqual(['second', 2]);
    await client.get(decodersApi.save, { params, body: { script: '' } });
    await expect
      .poll(() => publish().then(async () => (await uplinks(device)).at(-1)))
      .toMatchObject({ points: 0, decoder_version: null, status: 'stored' });
  });

  test('a thousand messages of many devices are all decoded, each as its own', async () => {
    const { devices } = await channel(
      'let last; function decodeUplink(i) { const seen = last; last = i.bytes[0]; return { data: { v: i.bytes[0], leak: seen === undefined ? 0 : 1 } } }',
      20,
    );
    const connections = await Promise.all(devices.map((device) => broker.device(device)));
    await Promise.all(
      connections.flatMap((connection, index) =>
        Array.from({ length: 50 }, () => connection.publishAsync('v1/me/up/raw/1', Buffer.from([index]), { qos: 1 })),
      ),
    );
    for (const [index, device] of devices.entries()) {
      const stored = await points(device);
      expect(stored).toHaveLength(100);
      expect(stored.every(([name, value]) => value === (name === 'v' ? index : 0))).toBe(true);
    }
  });
});

describe('iot-behaviour 4.3: the circuit breaker', () => {
  test('a decoder that takes too long is paused; bytes are kept, others go on, and it is decoded again afterwards', async () => {
    await app.startWorker();
    const { device, params } = await channel('function decodeUplink() { for (;;); }');
    const { device: other } = await channel(script);
    const connection = await broker.device(device);
    const sent = Array.from({ length: breakerLimits.timeouts + 30 }, (_, n) =>
      connection.publishAsync('v1/me/up/raw/1', Buffer.from([n]), { qos: 1 }),
    );
    expect((await post(other, '/raw/1', [42])).body).toMatchObject({ status: 'stored', points: 2 });
    await Promise.all(sent);
    await connection.publishAsync('v1/me/up/raw/1', Buffer.from([99]), { qos: 1 });
    const stored = await uplinks(device);
    expect(stored.map(({ raw }) => raw).slice(0, 50)).toEqual(sent.map((_, n) => Buffer.from([n]).toString('hex')));
    expect(stored.every(({ status }) => status === 'partial')).toBe(true);
    expect(stored.at(-1)).toMatchObject({ errors: [expect.stringMatching(/^decoder_paused: /)] });
    const paused = await until(
      () => client.get(decodersApi.get, { params }),
      ({ paused_until }) => paused_until !== null,
    );
    expect(Date.parse(paused.paused_until ?? '')).toBeGreaterThan(Date.now() + 4 * 60_000);

    const saved = await client.get(decodersApi.save, { params, body: { script } });
    expect(saved.paused_until).toBeNull();
    const again = await until(
      () => uplinks(device),
      (rows) => rows.every(({ status }) => status === 'stored'),
    );
    expect(again).toHaveLength(breakerLimits.timeouts + 31);
    expect(again.every(({ points: n, decoder_version }) => n === 2 && decoder_version === 2)).toBe(true);
  });

  test('a second pause is told and decoded afterwards like the first, which still waits for its own end', async () => {
    const { device, params } = await channel('function decodeUplink() { for (;;); }');
    const connection = await broker.device(device);
    const timeOut = () =>
      Promise.all(
        Array.from({ length: breakerLimits.timeouts + 5 }, () => connection.publishAsync('v1/me/up/raw/1', Buffer.from([1]), { qos: 1 })),
      );
    const pauses = async () =>
      (
        await sql<{ version: number }>`
          select (properties ->> 'version')::int as version from events
          where action = 'pause_decoder' and object_id = ${params.id} order by id`.execute(app.ctx.db)
      ).rows.map(({ version }) => version);
    const decodedAfter = async (until: string) =>
      (
        await sql`
          select from jobs
          where name = 'decoders.rerun' and (payload ->> 'channel_pk')::int = ${device.channel_pk} and status = 1 and run_at > ${until}::timestamptz`.execute(
          app.ctx.db,
        )
      ).rows.length;
    const untilOf = async () => (await client.get(decodersApi.get, { params })).paused_until ?? '';
    await expect.poll(() => timeOut().then(pauses)).toEqual([1]);
    expect(await decodedAfter(await untilOf())).toBe(1);
    await client.get(decodersApi.save, { params, body: { script: 'function decodeUplink() { for (;;) {} }' } });
    await expect.poll(() => timeOut().then(pauses)).toEqual([1, 2]);
    expect(await decodedAfter(await untilOf())).toBe(1);
  });
});
