import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testBroker } from '../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../testing/fleet.ts';
import { type LiveClient, openedLive } from '../testing/live-client.ts';
import { liveServer, servicesOf } from '../testing/live-server.ts';
import { testApp } from '../testing/test-app.ts';
import { quickest } from '../testing/until.ts';
import { UplinkFeed } from './uplink-feed.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' } });
// A message that is held back in a test must not be given up meanwhile.
const mqtt = await testBroker(app, { timing: { timeoutMs: 240_000 } });
const fleet = [...(await makeDevices(app.ctx, 'weather', 60)), ...(await makeDevices(app.ctx, 'other', 2))];
let used = 0;
const aDevice = () => fleet[used++] as MadeDevice;
const ann = await app.make.user();
const live = (person: { api_key: string } = ann, origin = app.origin) => openedLive(origin, { query: `?api_key=${person.api_key}` });
const records = (client: LiveClient) => client.frames.flatMap((frame) => (frame.event === 'uplink' ? Object.entries(frame.data) : []));
/** Returns the next frame of this kind; frames about the online state may come before it. */
async function next(client: LiveClient, event: string) {
  for (;;) {
    const frame = await client.next();
    if (frame.event === event) return frame;
  }
}

describe('iot-behaviour 1.11: the live feed', () => {
  test('an uplink is there within 200 ms of its publishing, under the key of its device', async () => {
    const device = aDevice();
    const client = await live();
    expect(await client.ask('start', { channel: 'weather', device: device.device_id })).toEqual({
      event: 'started',
      data: { channel: 'weather', device: [device.device_id], tail: 0 },
    });
    const sender = await mqtt.device(device);
    await sender.publishAsync('v1/me/up', '{"warm":1}', { qos: 1 });
    await next(client, 'uplink');
    const took = await quickest(200, async () => async () => {
      sender.publish('v1/me/up', '{"warm":2}', { qos: 1 });
      await next(client, 'uplink');
    });
    expect(took).toBeLessThan(200);
    sender.publish('v1/me/up', '{"temperature":21.5,"door":true,"mode":"eco","__proto__":{"x":1}}', { qos: 1 });
    const frame = await next(client, 'uplink');
    expect(Object.keys(frame.data)).toEqual([device.device_id]);
    expect(records(client).at(-1)?.[1]).toMatchObject({
      channel_id: 'weather',
      device_id: device.device_id,
      device_name: `Device ${device.device_id}`,
      source: 'mqtt',
      status: 'stored',
      points: 4,
      encoding: 'json',
      raw_truncated: false,
      values: { temperature: 21.5, door: true, mode: 'eco', '__proto__.x': 1 },
      fport: null,
      lora: null,
      warnings: [],
      errors: [],
    });
  });

  test('a tail comes first, oldest first, and nothing comes twice', async () => {
    const device = aDevice();
    const sender = await mqtt.device(device);
    for (let n = 0; n < 5; n++) await sender.publishAsync('v1/me/up', `{"n":${n}}`, { qos: 1 });
    const client = await live();
    client.send('start', { channel: 'weather', device: [device.device_id], tail: 3 });
    await expect.poll(() => records(client).map(([, { values }]) => values.n)).toEqual([2, 3, 4]);
    await sender.publishAsync('v1/me/up', '{"n":5}', { qos: 1 });
    await expect.poll(() => records(client).map(([, { values }]) => values.n)).toEqual([2, 3, 4, 5]);
    await delay(150);
    expect(records(client)).toHaveLength(4);
    const after = records(client)[1]?.[1].uplink_id;
    const again = await live();
    again.send('start', { channel: 'weather', device: device.device_id, after });
    await expect.poll(() => records(again).map(([, { values }]) => values.n)).toEqual([4, 5]);
    again.send('stop', { channel: 'weather', device: device.device_id });
    await again.ask('nonsense');
    await sender.publishAsync('v1/me/up', '{"n":6}', { qos: 1 });
    await delay(150);
    expect(records(again)).toHaveLength(2);
  });

  test('rejected and repeated ones are shown as what they are', async () => {
    const device = aDevice();
    const client = await live();
    await client.ask('start', { channel: 'weather', device: device.device_id });
    const sender = await mqtt.device(device);
    await sender.publishAsync('v1/me/up', '{', { qos: 1 });
    await sender.publishAsync('v1/me/up', '{"id":"a","n":1}', { qos: 1 });
    await sender.publishAsync('v1/me/up', '{"id":"a","n":2}', { qos: 1 });
    await expect
      .poll(() =>
        records(client)
          .map(([, { status }]) => status)
          .sort(),
      )
      .toEqual(['duplicate', 'rejected', 'stored']);
    expect(records(client).find(([, { status }]) => status === 'rejected')?.[1].errors).toEqual([
      'bad_json: The payload is not valid JSON.',
    ]);
  });

  test('at most 20 records a second; dropped ones are counted', async () => {
    const device = aDevice();
    const client = await live();
    await client.ask('start', { channel: 'weather', device: device.device_id });
    const sender = await mqtt.device(device);
    const begun = performance.now();
    await Promise.all(Array.from({ length: 100 }, (_, n) => sender.publishAsync('v1/me/up', `{"n":${n}}`, { qos: 1 })));
    const gaps = () => client.frames.reduce((sum, frame) => sum + (frame.event === 'gap' ? (frame.data[device.device_id] ?? 0) : 0), 0);
    await expect.poll(() => gaps() + records(client).length).toBe(100);
    const seconds = (performance.now() - begun) / 1000;
    expect(records(client).length).toBeLessThan(Math.max(50, 20 * (seconds + 1)));
    expect(records(client).at(-1)?.[1].values.n).toBe(99);
    // Two channels may have devices with the same id.
    for (const frame of client.frames.filter(({ event }) => event === 'gap')) expect(frame.channel).toBe('weather');
  });

  test('who was away for more than a tail learns how much of it is left out', async () => {
    const device = aDevice();
    const sender = await mqtt.device(device);
    await sender.publishAsync('v1/me/up', '{"n":-1}', { qos: 1 });
    const client = await live();
    client.send('start', { channel: 'weather', device: device.device_id });
    await expect.poll(() => records(client)).toHaveLength(1);
    const after = records(client)[0]?.[1].uplink_id;
    client.ws.close();
    await Promise.all(Array.from({ length: 129 }, (_, n) => sender.publishAsync('v1/me/up', `{"n":${n}}`, { qos: 1 })));
    await sender.publishAsync('v1/me/up', '{', { qos: 1 });
    const again = await live();
    again.send('start', { channel: 'weather', device: device.device_id, after });
    await expect.poll(() => records(again)).toHaveLength(100);
    expect(again.frames.slice(0, 2)).toEqual([
      { event: 'started', data: { channel: 'weather', device: [device.device_id], tail: 100 } },
      { event: 'gap', channel: 'weather', data: { [device.device_id]: 30 } },
    ]);
    const back = await live();
    expect(
      await back.ask('start', { channel: 'weather', device: device.device_id, after: records(again).at(-1)?.[1].uplink_id }),
    ).toMatchObject({
      data: { tail: 0 },
    });
  });

  test('what is committed long after it came is shown once, and nothing that was committed before the subscription', async () => {
    const device = aDevice();
    const sender = await mqtt.device(device);
    await sender.publishAsync('v1/me/up', '{"n":0}', { qos: 1 });
    const holder = new pg.Client(app.databaseUrl);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('begin; lock table telemetry.uplink in exclusive mode');
    const sentAt = Date.now();
    sender.publish('v1/me/up', '{"n":1}', { qos: 1 });
    const blocked = async () =>
      (await sql`select from pg_locks where relation = 'telemetry.uplink'::regclass and not granted`.execute(app.ctx.db)).rows.length;
    await expect.poll(blocked).toBe(1);
    // Another process stores a rejected message meanwhile, which needs no lock on the table of messages.
    const reject = async () => {
      const headers = { authorization: `Key ${device.api_key}` };
      const { status } = await fetch(`${app.origin}/api/v1/weather/devices/${device.device_id}/up`, { method: 'POST', headers, body: '{' });
      expect(status).toBe(400);
    };
    await reject();
    const client = await live();
    await client.ask('start', { channel: 'weather', device: device.device_id, tail: 0 });
    const shown = () => records(client).map(([, { values, status }]) => values.n ?? status);
    // The feed looks at the device long after the message came, and does not see it yet.
    await expect.poll(() => Date.now() - sentAt).toBeGreaterThan(5000);
    await reject();
    await expect.poll(shown).toEqual(['rejected']);
    await holder.query('rollback');
    await expect.poll(shown).toEqual(['rejected', 1]);
    await sender.publishAsync('v1/me/up', '{"n":2}', { qos: 1 });
    await expect.poll(shown).toEqual(['rejected', 1, 2]);
  });

  test('one device of several that is not there does not silence the others', async () => {
    const device = aDevice();
    const client = await live();
    const asked = { channel: 'weather', device: [device.device_id, 'gone-1', 'gone-2'] };
    expect(await client.ask('start', asked)).toMatchObject({
      event: 'error',
      data: { code: 'not_found', event: 'start', asked: { channel: 'weather', device: ['gone-1', 'gone-2'] } },
    });
    expect(await client.next()).toMatchObject({ event: 'started', data: { device: [device.device_id] } });
    await (await mqtt.device(device)).publishAsync('v1/me/up', '{"n":1}', { qos: 1 });
    await expect.poll(() => records(client)).toHaveLength(1);
  });

  test('refused: users without view_channel, missing devices, more than 50 devices', async () => {
    const group = await app.make.group({ permissions: ['view_query'] });
    const client = await live(await app.make.user({ groups: [], group_ids: [group.id] }));
    expect(await client.ask('start', { channel: 'weather', device: 'd-00000' })).toMatchObject({
      event: 'error',
      data: { code: 'forbidden' },
    });
    const own = await live();
    for (const device of ['nobody', "' or 1=1 --", fleet[61]?.device_id.replace('0000', '9999')])
      expect(await own.ask('start', { channel: 'weather', device })).toMatchObject({ event: 'error', data: { code: 'not_found' } });
    const ids = fleet.slice(0, 51).map(({ device_id }) => device_id);
    expect(await own.ask('start', { channel: 'weather', device: ids })).toMatchObject({ event: 'error' });
    expect(await own.ask('start', { channel: 'weather', device: ids.slice(0, 50), tail: 0 })).toMatchObject({ event: 'started' });
    own.send('start', { channel: 'weather', device: ids[50], tail: 0 });
    expect(await next(own, 'error')).toMatchObject({ data: { code: 'too_many' } });
    const asker = await live();
    for (const data of [
      {},
      { channel: 'weather' },
      { channel: 'weather', device: [] },
      { channel: 'weather', device: 'x', tail: 101 },
      { channel: 7, device: {} },
    ])
      expect(await asker.ask('start', data)).toMatchObject({ event: 'error' });
  });

  test('iot-behaviour 1.7: whether a device is there, at the start and as it comes and goes', async () => {
    const device = aDevice();
    const client = await live();
    client.send('start', { channel: 'weather', device: device.device_id });
    const states = () => client.frames.flatMap((frame) => (frame.event === 'state' ? (frame.data[device.device_id]?.online ?? []) : []));
    await expect.poll(states).toEqual([false]);
    const sender = await mqtt.device(device);
    await expect.poll(states).toEqual([false, true]);
    await sender.publishAsync('v1/me/up', '{"n":1}', { qos: 1 });
    await sender.endAsync();
    await expect.poll(states).toEqual([false, true, false]);
  });

  test('rights that are taken away, and devices that are deleted, end it', async () => {
    const [device, doomed] = [aDevice(), aDevice()];
    const group = await app.make.group();
    const person = await app.make.user({ groups: [], group_ids: [group.id] });
    const { origin } = await liveServer(app, { recheckMs: 100 }, [new UplinkFeed(servicesOf(app))]);
    const client = await live(person, origin);
    await client.ask('start', { channel: 'weather', device: [device.device_id, doomed.device_id], tail: 0 });
    await sql`update telemetry.device set deleted_at = now() where id = ${doomed.pk}`.execute(app.ctx.db);
    await expect
      .poll(() => client.frames.at(-1))
      .toMatchObject({ event: 'error', data: { code: 'not_found', asked: { device: [doomed.device_id] } } });
    await sql`update groups set permissions = '{view_query}' where id = ${group.id}`.execute(app.ctx.db);
    await expect.poll(() => client.frames.at(-1)).toMatchObject({ event: 'error', data: { code: 'forbidden' } });
  });
});
