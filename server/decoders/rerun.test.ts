import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { decodersApi, type RerunPreview } from '@telltale/domain/decoders/contract.ts';
import { type Job, jobsApi } from '@telltale/domain/jobs/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { DeviceEntry } from '../networks/directory.ts';
import { makeDevices } from '../testing/fleet.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { testUplinks } from '../testing/uplinks.ts';
import { rollUp } from '../uplinks/rollups.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' } });
const client = app.as(await app.make.user());
const { uplinks, directory, send } = await testUplinks(app, { devices: 1 });
await app.startWorker();

let count = 0;
/** Creates a channel whose devices have sent one byte per message, decoded by the first script. */
async function history(script: string, bytes: number[], devices = 1) {
  const id = `history-${++count}`;
  const made = await makeDevices(app.ctx, id, devices);
  const entries = await Promise.all(made.map(async (each) => (await directory.findDevice(id, each.device_id)) as DeviceEntry));
  if (script !== '') await client.get(decodersApi.save, { params: { id }, body: { script } });
  for (const device of entries) for (const byte of bytes) await send(device, Buffer.from([byte]), { format: 'raw', fport: 1 });
  await uplinks.drain();
  return {
    params: { id },
    device: entries[0] as DeviceEntry,
    save: (text: string) => client.get(decodersApi.save, { params: { id }, body: { script: text } }),
  };
}
const rerun = async (params: { id: string }): Promise<Job> => {
  const reply = (await client.get(decodersApi.rerun, { params, body: { days: 1 } })) as { job: Job };
  return until(
    async () => (await client.get(jobsApi.get, { params: { id: reply.job.id } })).job,
    ({ status }) => status >= 3,
  );
};
const preview = async (params: { id: string }, script?: string) =>
  (await client.get(decodersApi.rerun, { params, body: { days: 1, preview: true, script } })) as RerunPreview;
const points = async ({ pk }: DeviceEntry) =>
  (
    await sql<{ name: string; value: number }>`
      select name, value from telemetry.metric_point join telemetry.attribute on attribute.id = attribute_id where device_pk = ${pk}
      order by time, name`.execute(app.ctx.db)
  ).rows.map(({ name, value }) => [name, value]);
const last = async (params: { id: string }, { device_id }: DeviceEntry) =>
  (await client.get(deviceDataApi.last, { params: { ...params, deviceId: device_id } })).map(({ attribute, value }) => [attribute, value]);

/** Rolls up with the minute of now, as if it were over. */
const rollUpNow = () => rollUp(app.ctx, { settledSeconds: -60, longestWriteSeconds: 30 });
const rolledUp = async ({ pk }: DeviceEntry) =>
  (
    await sql<{ name: string }>`
      select distinct name from telemetry.metric_minute join telemetry.attribute on attribute.id = attribute_id where device_pk = ${pk}
      order by name`.execute(app.ctx.db)
  ).rows.map(({ name }) => name);

const first = 'function decodeUplink(i) { return { data: { temp: i.bytes[0], same: 1 } } }';

describe('iot-behaviour 4.2: decoding again', () => {
  test('a preview says what would be added, changed and gone, with examples, and writes nothing', async () => {
    const { params, device, save } = await history(first, [10, 20]);
    const before = await points(device);
    await save('function decodeUplink(i) { return { data: { temperature: i.bytes[0] / 2, same: i.bytes[0] === 10 ? 1 : 2 } } }');
    const found = await preview(params);
    expect(found).toMatchObject({ uplinks: 2, total: 2, added: 2, changed: 1, gone: 2, failed: 0, kept: 0, errors: [] });
    expect(found.examples).toHaveLength(5);
    expect(found.examples).toContainEqual(
      expect.objectContaining({ change: 'changed', attribute: 'same', before: 1, after: 2, device_id: device.device_id }),
    );
    expect(found.examples).toContainEqual(expect.objectContaining({ change: 'added', attribute: 'temperature', before: null, after: 5 }));
    expect(found.examples).toContainEqual(expect.objectContaining({ change: 'gone', attribute: 'temp', before: 10, after: null }));
    expect(await points(device)).toEqual(before);
    expect(await preview(params, first)).toMatchObject({ added: 0, changed: 0, gone: 0 });
  });

  test('the job rewrites points, last values, attributes and rollups; times stay', async () => {
    const { params, device, save } = await history(first, [10, 20]);
    const times = () =>
      sql`select distinct time from telemetry.metric_point where device_pk = ${device.pk} order by 1`
        .execute(app.ctx.db)
        .then(({ rows }) => rows);
    const before = await times();
    await rollUpNow();
    expect(await rolledUp(device)).toEqual(['same', 'temp']);
    await save('function decodeUplink(i) { return { data: { temperature: i.bytes[0] / 2, same: 2 }, warnings: ["w"] } }');
    expect(await rerun(params)).toMatchObject({ status: 3, result: { uplinks: 2, added: 2, changed: 2, gone: 2, failed: 0, kept: 0 } });
    expect(await points(device)).toEqual([
      ['same', 2],
      ['temperature', 5],
      ['same', 2],
      ['temperature', 10],
    ]);
    expect(await times()).toEqual(before);
    expect(await last(params, device)).toEqual([
      ['same', 2],
      ['temperature', 10],
    ]);
    const { rows } =
      await sql`select points, decoder_version, warnings, status from telemetry.uplink where device_pk = ${device.pk}`.execute(app.ctx.db);
    expect(rows).toEqual(Array(2).fill({ points: 2, decoder_version: 2, warnings: ['w'], status: 'stored' }));
    expect(await client.get(decodersApi.rerunState, { params })).toMatchObject({ uplinks: 2, total: 2, version: 2, job: { status: 3 } });
    await rollUpNow();
    expect(await rolledUp(device)).toEqual(['same', 'temperature']);
    expect(await rerun(params)).toMatchObject({ status: 3, result: { added: 0, changed: 0, gone: 0 } });
  });

  test('iot-behaviour 1.5: each entry of a list without times has a time of its own, and keeps it', async () => {
    const list = 'function decodeUplink(i) { return { data: [{ n: i.bytes[0] }, { n: i.bytes[0] + 1 }, { n: i.bytes[0] + 2 }] } }';
    const { params, device } = await history(list, [10]);
    const heard = { object: null, points: [], message_id: null, at: Date.now() * 1000 - 3_600_000_000, fcnt: null, meta: {}, warnings: [] };
    const radio = { name: 'lora.rssi', kind: 'n', value: -90, text: null, at: heard.at, entry: 0, unit: null } as const;
    const network = { ...heard, points: [radio] };
    await send(device, Buffer.from([20]), { format: 'raw', fport: 1, source: 'tts', network });
    await send(device, Buffer.from([30]), { format: 'raw', fport: 1, source: 'tts', network: { ...heard, at: heard.at + 1_000_000 } });
    await uplinks.drain();
    const readings = async () => (await points(device)).flatMap(([name, value]) => (name === 'n' ? [value] : []));
    expect(await readings()).toEqual([20, 21, 22, 30, 31, 32, 10, 11, 12]);
    expect(await preview(params, list)).toMatchObject({ uplinks: 3, added: 0, changed: 0, gone: 0 });
    expect(await rerun(params)).toMatchObject({ status: 3, result: { uplinks: 3, added: 0, changed: 0, gone: 0 } });
    expect(await readings()).toEqual([20, 21, 22, 30, 31, 32, 10, 11, 12]);
  });

  test('iot-behaviour 2.5: an object that a network decoded is no bytes of the device: a script never reads it, and its points stay', async () => {
    const { params, device, save } = await history('', [10]);
    const facts = { points: [], message_id: null, at: null, fcnt: null, meta: { gateways: [] }, warnings: [] };
    const report = (object: Record<string, unknown> | null) =>
      send(device, object === null ? Buffer.alloc(0) : JSON.stringify(object), {
        format: object === null ? 'raw' : 'json',
        fport: 1,
        source: 'tts',
        network: { ...facts, object },
      });
    await report({ flow: 3 });
    await uplinks.drain();
    // Kept as earlier versions did.
    await sql`update telemetry.uplink set encoding = 'raw' where device_pk = ${device.pk}`.execute(app.ctx.db);
    await report({ flow: 4 });
    await report(null);
    await uplinks.drain();
    const { rows } = await sql<{ encoding: string }>`
      select encoding from telemetry.uplink where device_pk = ${device.pk} order by uplink_id`.execute(app.ctx.db);
    expect(rows.map(({ encoding }) => encoding)).toEqual(['raw', 'raw', 'json', 'raw']);

    await save('function decodeUplink(i) { return { data: { first: i.bytes[0] } } }');
    expect(await client.get(decodersApi.recent, { params, body: {} })).toMatchObject([{ bytes: '0a' }]);
    expect(await preview(params)).toMatchObject({ uplinks: 1, added: 1, gone: 0 });
    expect(await rerun(params)).toMatchObject({ status: 3, result: { uplinks: 1, added: 1, changed: 0, gone: 0 } });
    expect(await points(device)).toEqual([
      ['first', 10],
      ['flow', 3],
      ['flow', 4],
    ]);
  });

  test('an attribute that went away comes back with the next reading of it', async () => {
    const { params, device, save } = await history(first, [10]);
    await save('function decodeUplink(i) { return { data: { other: 1 } } }');
    await rerun(params);
    expect(await last(params, device)).toEqual([['other', 1]]);
    await until(
      async () => {
        await send(device, '{"temp": 7}');
        await uplinks.drain();
        return last(params, device);
      },
      (found) => found.length === 2,
    );
    expect(await last(params, device)).toEqual([
      ['other', 1],
      ['temp', 7],
    ]);
  });

  test('a script that fails keeps the old points and counts them', async () => {
    const { params, device, save } = await history(first, [10, 20, 30]);
    const before = await points(device);
    await save('function decodeUplink(i) { if (i.bytes[0] !== 20) throw new Error("no"); return { data: { temp: 21, same: 1 } } }');
    expect(await preview(params)).toMatchObject({ changed: 1, failed: 2, kept: 4, errors: ['decoder_error: Error: no (line 1)'] });
    expect(await rerun(params)).toMatchObject({ status: 3, result: { uplinks: 3, changed: 1, added: 0, gone: 0, failed: 2, kept: 4 } });
    expect(await points(device)).toEqual(before.map(([name, value]) => [name, value === 20 ? 21 : value]));
  });

  test('bytes that came before there was a decoder', async () => {
    const { params, device, save } = await history('', [1, 2]);
    expect(await points(device)).toEqual([]);
    await save(first);
    expect(await rerun(params)).toMatchObject({ status: 3, result: { uplinks: 2, added: 4 } });
    expect(await points(device)).toHaveLength(4);
  });

  test('what Telltale wrote beside the payload, and a later reading of the same time, stay', async () => {
    const at = Math.floor(Date.now() / 1000) - 30;
    const timed = (value: number) => `function decodeUplink(i) { return { data: { ts: ${at}, temp: ${value}, more: 1 } } }`;
    const { params, device, save } = await history(timed(1), [1]);
    const { rows } = await sql<{ uplink_id: string }>`select uplink_id from telemetry.uplink where device_pk = ${device.pk}`.execute(
      app.ctx.db,
    );
    await send(device, `{"ts": ${at}, "temp": 99, "lora_x": 1}`);
    await send(device, '{"radio": -90}');
    await sql`update telemetry.attribute set name = 'lora.rssi' where channel_pk = ${device.channel.pk} and name = 'radio'`.execute(
      app.ctx.db,
    );
    await sql`update telemetry.metric_point set uplink_id = ${rows[0]?.uplink_id}, time = ${new Date(at * 1000).toISOString()}
      where device_pk = ${device.pk} and value = -90`.execute(app.ctx.db);
    await save(timed(2));
    expect((await rerun(params)).status).toBe(3);
    expect(await points(device)).toEqual([
      ['lora.rssi', -90],
      ['lora_x', 1],
      ['more', 1],
      ['temp', 99],
    ]);
  });

  test('many devices and batches; two at once are one; it can be cancelled', async () => {
    const { params, save } = await history(
      first,
      Array.from({ length: 110 }, (_, n) => n),
      3,
    );
    await save('function decodeUplink(i) { return { data: { temp: i.bytes[0] + 1, same: 1 } } }');
    const both = await Promise.all([1, 2].map(() => client.call(decodersApi.rerun, { params, body: { days: 1 } })));
    const ids = new Set(both.filter(({ status }) => status === 200).map(({ body }) => (body as { job: Job }).job.id));
    expect(ids.size).toBe(1);
    expect(both.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const done = await until(
      () => client.get(decodersApi.rerunState, { params }),
      (state) => (state?.job.status ?? 0) >= 3,
    );
    expect(done).toMatchObject({ total: 330, uplinks: 330, changed: 330, job: { status: 3 } });

    await client.get(decodersApi.rerun, { params, body: { days: 1 } });
    expect((await client.call(decodersApi.cancelRerun, { params })).status).toBe(200);
    const ended = await until(
      () => client.get(decodersApi.rerunState, { params }),
      (state) => (state?.job.status ?? 0) >= 3,
    );
    expect(ended?.job.status).toBeOneOf([3, 4]);
  });

  test('a script that never ends is stopped', async () => {
    const { params, device, save } = await history(
      first,
      Array.from({ length: 25 }, (_, n) => n),
    );
    const before = await points(device);
    await save('function decodeUplink(i) { for (;;); }');
    expect(await rerun(params)).toMatchObject({ status: 4, error: 'The decoder takes too long: decoding again was stopped.' });
    expect(await points(device)).toEqual(before);
  });

  test.each([
    [{}, /days/],
    [{ days: 0 }, /days|Too small/],
    [{ days: -1 }, /days|Too small/],
    [{ days: 31 }, 'Messages are kept for 30 days.'],
    [{ days: '7' }, /days/],
    [{ days: 7, preview: 'yes' }, /preview/],
  ])('%j is refused with a reason', async (body, message) => {
    const { params } = await history(first, []);
    expect(await client.call(decodersApi.rerun, { params, body: body as never })).toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  test('without a decoder there is nothing to run', async () => {
    const { params } = await history('', []);
    for (const more of [{}, { preview: true }])
      expect(await client.call(decodersApi.rerun, { params, body: { days: 1, ...more } })).toMatchObject({
        status: 400,
        message: 'The channel has no decoder.',
      });
    expect(await client.get(decodersApi.rerunState, { params })).toBeNull();
  });
});

test('design 8.1: run on the last 20 messages', async () => {
  const { params } = await history(
    '',
    Array.from({ length: 25 }, (_, n) => n),
  );
  const found = await client.get(decodersApi.recent, { params, body: { script: first } });
  expect(found).toHaveLength(20);
  expect(found[0]).toMatchObject({ bytes: '18', f_port: 1, data: { temp: 24, same: 1 }, errors: [], decoder_version: null });
  expect(found.at(-1)).toMatchObject({ bytes: '05' });
});
