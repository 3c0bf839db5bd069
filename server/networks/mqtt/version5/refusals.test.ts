import { sql } from 'kysely';
import mqttClient, { type IClientOptions, type MqttClient, type Packet } from 'mqtt';
import mqttPacket from 'mqtt-packet';
import { afterAll, describe, expect, test } from 'vitest';
import { testBroker } from '../../../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../../../testing/fleet.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { UplinkSink } from '../../uplink-sink.ts';
import { listenPlain } from '../listeners.ts';

const app = await testApp({ env: { TELLTALE_RATE_CHANNEL: '0' } });
const mqtt = await testBroker(app);
const fleet = await makeDevices(app.ctx, 'weather', 20);
let used = 0;
const aDevice = () => fleet[used++] as MadeDevice;
const down = ({ channel_id, device_id }: MadeDevice) => `v1/${channel_id}/devices/${device_id}/down`;
const codes = async ({ pk }: MadeDevice) =>
  (await sql<{ code: string }>`select code from telemetry.uplink_rejected where device_pk = ${pk}`.execute(app.ctx.db)).rows.map(
    ({ code }) => code,
  );

interface Answer {
  cmd: string;
  reasonCode?: number;
  granted?: number[];
  properties?: { reasonString?: string };
}
const opened: MqttClient[] = [];
afterAll(() => {
  for (const client of opened) client.end(true);
});
/** A connected client and what it is sent: MQTT.js hands on every packet with its reason. */
async function connected({ channel_id, device_id, api_key }: MadeDevice, settings: IClientOptions & { url?: string } = {}) {
  const { url = `mqtt://127.0.0.1:${mqtt.port}`, ...more } = settings;
  const client = mqttClient.connect(url, {
    protocolVersion: 5,
    reconnectPeriod: 0,
    username: `${channel_id}/${device_id}`,
    password: api_key,
    ...more,
  });
  opened.push(client);
  const packets: Answer[] = [];
  client.on('packetreceive', (packet: Packet) => packets.push(packet as Answer));
  client.on('error', () => {});
  await new Promise<void>((done) => client.once('connect', () => done()));
  const heard = async (cmd: string): Promise<Answer> => {
    await expect.poll(() => packets.some((each) => each.cmd === cmd)).toBe(true);
    return packets.find((each) => each.cmd === cmd) as Answer;
  };
  /** Sends what the client itself would refuse to send. */
  const raw = (packet: object) =>
    client.stream.write(mqttPacket.generate(packet as Packet, { protocolVersion: settings.protocolVersion ?? 5 }));
  return { client, packets, heard, raw };
}
const reasonOf = ({ reasonCode, properties }: Answer) => [reasonCode, properties?.reasonString ?? ''];
const subscribe = (filters: string[]) => ({
  cmd: 'subscribe',
  messageId: 7,
  subscriptions: filters.map((topic) => ({ topic, qos: 1, nl: false, rap: false, rh: 0 })),
});

describe('MQTT 5: filters that cannot be used', () => {
  test('a malformed one is 0x8F at its place with a sentence; the others are granted and the connection stays', async () => {
    const device = aDevice();
    const { client, heard, raw } = await connected(device, {
      clientId: 'kept',
      clean: false,
      properties: { sessionExpiryInterval: 60 },
    });
    raw(subscribe(['a#', down(device), '7', 'v1/me/error', 'v1/x+/devices', down(device), 'v1/other/devices/x/down', 'a/'.repeat(150)]));
    const suback = await heard('suback');
    expect(suback.granted).toEqual([0x8f, 1, 0x8f, 0, 0x8f, 1, 0x87, 0x8f]);
    expect(suback.properties?.reasonString).toMatch(/^Not subscribed to /);
    await expect.poll(() => codes(device)).toContain('forbidden_topic');
    await client.publishAsync('v1/me/up', '{"t":1}', { qos: 1 });
    const { rows } = await sql<{ topics: string }>`
      select jsonb_path_query_array(subscriptions, '$[*].topic')::text as topics from mqtt_sessions where client_id like ${`d${device.pk}/%`}`.execute(
      app.ctx.db,
    );
    expect(rows[0]?.topics).not.toMatch(/refused|#|\+/);
  });

  test('all of them: each is refused, and the sentence explains the last', async () => {
    const { heard, raw, client } = await connected(aDevice());
    raw(subscribe(['#/a', '']));
    const suback = await heard('suback');
    expect([suback.granted, suback.properties?.reasonString]).toEqual([[0x8f, 0x8f], 'Not subscribed to "": it is empty.']);
    expect(client.connected).toBe(true);
  });

  test('shared subscriptions are 0x9E with a sentence', async () => {
    const { heard, client } = await connected(aDevice());
    client.subscribe('$share/group/v1/me/down');
    const suback = await heard('suback');
    expect([suback.granted, suback.properties?.reasonString]).toEqual([[0x9e], expect.stringContaining('not offered')]);
  });

  test('3.1.1: 0x80 for the malformed one, and the connection stays', async () => {
    const device = aDevice();
    const { heard, raw, client } = await connected(device, { protocolVersion: 4 });
    raw(subscribe(['a#', down(device)]));
    expect((await heard('suback')).granted).toEqual([0x80, 1]);
    await client.publishAsync('v1/me/up', '{"t":1}', { qos: 1 });
  });

  test('UNSUBSCRIBE from a malformed one ends with 0x8F', async () => {
    const { heard, raw } = await connected(aDevice());
    raw({ cmd: 'unsubscribe', messageId: 8, unsubscriptions: ['a/#/b'] });
    expect(reasonOf(await heard('disconnect'))).toEqual([0x8f, expect.stringContaining('# is only allowed')]);
  });
});

describe('MQTT 5: what ends a connection says why', () => {
  test('a message on a topic with wildcards is 0x90', async () => {
    const { heard, raw } = await connected(aDevice());
    raw({ cmd: 'publish', topic: 'v1/me/#', payload: 'x', qos: 1, messageId: 3, dup: false, retain: false });
    expect(reasonOf(await heard('disconnect'))).toEqual([0x90, expect.stringContaining('# is not allowed in PUBLISH')]);
  });

  test('bytes that are no packet are 0x81', async () => {
    const { client, heard } = await connected(aDevice());
    client.stream.write(Buffer.from([0x82, 0x05, 0x00, 0x01, 0x00, 0x00, 0x05]));
    expect(reasonOf(await heard('disconnect'))).toEqual([0x81, expect.stringContaining('cannot be read')]);
  });

  test('a second CONNECT is 0x82', async () => {
    const { heard, raw } = await connected(aDevice());
    raw({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 5, clientId: 'again', clean: true, keepalive: 5 });
    expect(reasonOf(await heard('disconnect'))).toEqual([0x82, expect.stringContaining('second CONNECT')]);
  });

  test.each([
    ['over TCP', {}],
    ['over a web socket', { url: `${app.origin.replace('http', 'ws')}/mqtt` }],
  ])('keep alive passed in silence is 0x8D, %s', async (_way, settings) => {
    // A client without a clock sends no PINGREQ.
    const timerVariant = { set: () => 0, clear: () => {} };
    const { heard } = await connected(aDevice(), { keepalive: 1, timerVariant, ...settings });
    expect(reasonOf(await heard('disconnect'))).toEqual([0x8d, expect.stringContaining('keep alive')]);
  });

  /** A broker beside, whose uplinks are taken in another way. */
  async function besides(receive: UplinkSink['receive']): Promise<string> {
    const uplinks = new Proxy(mqtt.uplinks, {
      get: (target, name) => {
        const value = name === 'receive' ? receive : Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const broker = await mqtt.another({ uplinks });
    const listener = await listenPlain('127.0.0.1', 0, broker.accept.bind(broker));
    afterAll(() => listener.close());
    return `mqtt://127.0.0.1:${listener.port}`;
  }

  test('more unacknowledged messages than the receive maximum is 0x93', async () => {
    const { client, packets, heard } = await connected(aDevice(), { url: await besides(() => {}) });
    const publish = (messageId: number) =>
      mqttPacket.generate(
        { cmd: 'publish', topic: 'v1/me/up', payload: '1', qos: 1, messageId, dup: false, retain: false },
        { protocolVersion: 5 },
      );
    client.stream.write(Buffer.concat(Array.from({ length: 1001 }, (_, n) => publish(n + 1))));
    expect(reasonOf(await heard('disconnect'))).toEqual([0x93, expect.stringContaining('At most 1000 messages')]);
    expect(packets.filter(({ cmd }) => cmd === 'puback')).toEqual([]);
  });

  test('a message that cannot be stored now is 0x89: connect again and send it again', async () => {
    const url = await besides((_uplink, done) => void queueMicrotask(() => done({ status: 'unavailable' })));
    const { client, packets, heard } = await connected(aDevice(), { url });
    client.publish('v1/me/up', '{"t":1}', { qos: 1 });
    expect(reasonOf(await heard('disconnect'))).toEqual([0x89, expect.stringContaining('send it again')]);
    expect(packets.filter(({ cmd }) => cmd === 'puback')).toEqual([]);
  });
});
