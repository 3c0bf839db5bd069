import { duplexPair } from 'node:stream';
import { sql } from 'kysely';
import mqttPacket from 'mqtt-packet';
import { describe, expect, inject, test } from 'vitest';
import { testBroker } from '../../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../../testing/fleet.ts';
import { testApp } from '../../testing/test-app.ts';
import { Attempts } from './attempts.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url } });
const mqtt = await testBroker(app);
const fleet = await makeDevices(app.ctx, 'weather', 10);
let used = 0;
const aDevice = () => fleet[used++] as MadeDevice;
const topic = ({ channel_id, device_id }: MadeDevice, what: string) => `v1/${channel_id}/devices/${device_id}/${what}`;
const told = async ({ pk }: MadeDevice) =>
  (
    await sql<{ code: string; message: string }>`
      select code, message from telemetry.uplink_rejected where device_pk = ${pk} order by uplink_id`.execute(app.ctx.db)
  ).rows;
const codes = async (device: MadeDevice) => (await told(device)).map(({ code }) => code);
const ends = (client: { once(event: 'close', listener: () => void): unknown }) => new Promise<void>((done) => client.once('close', done));

const refusal = (connecting: Promise<unknown>) =>
  connecting.then(
    () => 0,
    (error: { code?: number }) => error.code,
  );

describe('issue 19: the message log explains refusals to device developers', () => {
  test.each([0, 1] as const)('a publish with QoS %i on a forbidden topic stands in the message log, with the address', async (qos) => {
    const device = aDevice();
    const client = await mqtt.device(device);
    const ended = ends(client);
    client.publish('v1/other/devices/x/up', '{"t":1}', { qos });
    await ended;
    await expect.poll(() => codes(device)).toEqual(['forbidden_topic']);
    expect((await told(device))[0]?.message).toMatch(/v1\/other\/devices\/x\/up.*publishes on v1\/weather\/devices\/.*from 127\.0\.0\.1/);
  });

  test('the third time blocks: CONNACK 5, and the message log says for how long', async () => {
    const device = aDevice();
    for (const name of ['a', 'b', 'c']) {
      const client = await mqtt.device(device, { clientId: name });
      const ended = ends(client);
      client.publish(`v1/other/${name}`, 'x', { qos: 1 });
      await ended;
    }
    expect(await refusal(mqtt.device(device))).toBe(5);
    await expect.poll(() => codes(device)).toContain('blocked');
    expect((await told(device)).find(({ code }) => code === 'blocked')?.message).toContain('a minute');
  });

  test('too many wrong keys: CONNACK 5 instead of a dead socket, and the device’s log names the address', async () => {
    const device = aDevice();
    const wrong = () => refusal(mqtt.device({ ...device, api_key: 'x'.repeat(40) }));
    for (let n = 0; n < 20; n++) expect(await wrong()).toBe(4);
    expect(await wrong()).toBe(5);
    await expect.poll(() => codes(device)).toEqual(['locked_out']);
    expect((await told(device))[0]?.message).toContain('127.0.0.1');
  });

  test('a packet that is too large closes the connection and stands in the message log', async () => {
    const device = aDevice();
    const client = await mqtt.device(device);
    const ended = ends(client);
    client.stream.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]));
    await ended;
    await expect.poll(() => codes(device)).toEqual(['packet_too_large']);
    expect((await told(device))[0]?.message).toContain('at most 70000');
  });

  test('a sixth client id closes the oldest connection, and the message log names it', async () => {
    const device = aDevice();
    const first = await mqtt.device(device, { clientId: 'first' });
    const ended = ends(first);
    for (let n = 0; n < 5; n++) await mqtt.device(device, { clientId: `more-${n}` });
    await ended;
    await expect.poll(() => codes(device)).toEqual(['session_evicted']);
    expect((await told(device))[0]?.message).toContain('"first"');
  });

  test('SUBACK grants what will be delivered, and a refused filter stands in the message log', async () => {
    const device = aDevice();
    const client = await mqtt.device(device);
    const granted = await client.subscribeAsync({ [topic(device, 'down')]: { qos: 2 }, [topic(device, 'error')]: { qos: 1 } });
    expect(granted.map(({ qos }) => qos)).toEqual([1, 0]);
    await client.subscribeAsync('v1/other/devices/x/down').catch(() => {});
    await expect.poll(() => codes(device)).toEqual(['forbidden_topic']);
    const reader = await mqtt.open({ username: '$user', password: app.admin.api_key });
    expect((await reader.subscribeAsync(topic(device, 'up'), { qos: 1 })).map(({ qos }) => qos)).toEqual([0]);
  });

  test('1.10: different codes on the error topic are counted apart', async () => {
    const device = aDevice();
    const client = await mqtt.device(device);
    await client.subscribeAsync(topic(device, 'error'));
    const heard: string[] = [];
    client.on('message', (_topic, payload) => heard.push((JSON.parse(payload.toString()) as { code: string }).code));
    await client.publishAsync('v1/me/up', '{', { qos: 1 });
    await client.publishAsync('v1/me/up', '[1]', { qos: 1 });
    await expect.poll(() => heard.toSorted()).toEqual(['bad_json', 'bad_shape']);
  });

  test('1,000 wrong keys from an address: CONNACK 5 for everybody there, and the device’s log says so', async () => {
    const device = aDevice();
    const attempts = new Attempts();
    for (let n = 0; n < 1000; n++) attempts.failed('192.0.2.7', `name-${n % 100}`);
    const broker = await mqtt.another({ attempts });
    const [ours, theirs] = duplexPair();
    broker.accept(theirs, '192.0.2.7');
    const answer = new Promise<Buffer>((done) => ours.once('data', done));
    const { channel_id, device_id, api_key } = device;
    ours.write(
      mqttPacket.generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: 'x',
        keepalive: 60,
        username: `${channel_id}/${device_id}`,
        password: Buffer.from(api_key),
      }),
    );
    expect([...(await answer)]).toEqual([0x20, 2, 0, 5]);
    await expect.poll(() => codes(device)).toEqual(['locked_out']);
    expect((await told(device))[0]?.message).toContain('192.0.2.7');
  });
});

describe('issue 19: the HTTP twin explains a refused key', () => {
  const post = async (device: MadeDevice, headers: Record<string, string>, query = '') => {
    const answer = await fetch(`${app.origin}/api/v1/weather/devices/${device.device_id}/up${query}`, {
      method: 'POST',
      headers,
      body: '{"t":1}',
    });
    return [answer.status, ((await answer.json()) as { code?: string }).code, answer.headers.get('www-authenticate')];
  };

  test('missing, misplaced, wrong, of another device; and how to do it right', async () => {
    const [device, other] = [fleet[0] as MadeDevice, fleet[1] as MadeDevice];
    const how = 'Key realm="devices"';
    expect(await post(device, {})).toEqual([401, 'missing_key', how]);
    expect(await post(device, {}, `?api_key=${device.api_key}`)).toEqual([401, 'misplaced_key', how]);
    expect(await post(device, { authorization: `Bearer ${device.api_key}` })).toEqual([401, 'misplaced_key', how]);
    expect(await post(device, { authorization: `Key ${'x'.repeat(40)}` })).toEqual([401, 'wrong_key', how]);
    expect(await post(device, { authorization: `Key ${other.api_key}` })).toEqual([401, 'other_device', how]);
    expect(await post(device, { authorization: `Key ${device.api_key}` })).toEqual([200, undefined, null]);
  });
});
