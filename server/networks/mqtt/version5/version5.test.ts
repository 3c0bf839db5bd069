import { sql } from 'kysely';
import mqttClient, { type IClientOptions, type MqttClient, type Packet } from 'mqtt';
import mqttPacket from 'mqtt-packet';
import { afterAll, describe, expect, test } from 'vitest';
import { testBroker } from '../../../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../../../testing/fleet.ts';
import { testApp } from '../../../testing/test-app.ts';

const app = await testApp({ env: { TELLTALE_RATE_CHANNEL: '0' } });
const mqtt = await testBroker(app);
const fleet = await makeDevices(app.ctx, 'weather', 40);
let used = 0;
const aDevice = () => fleet[used++] as MadeDevice;
const topic = ({ channel_id, device_id }: MadeDevice, what: string) => `v1/${channel_id}/devices/${device_id}/${what}`;
const metaOf = async ({ device_id }: MadeDevice) =>
  (
    await sql<{ meta: unknown }>`select meta from app.uplink where device_id = ${device_id} order by uplink_id`.execute(app.ctx.db)
  ).rows.map(({ meta }) => meta);
const values = async ({ device_id }: MadeDevice) =>
  (
    await sql<{ value: number }>`select value from app.metric where device_id = ${device_id} and attribute = 't' order by time`.execute(
      app.ctx.db,
    )
  ).rows.map(({ value }) => value);
const codes = async ({ pk }: MadeDevice) =>
  (
    await sql<{ code: string }>`select code from telemetry.uplink_rejected where device_pk = ${pk} order by uplink_id`.execute(app.ctx.db)
  ).rows.map(({ code }) => code);

type Answer = {
  cmd: string;
  reasonCode?: number;
  granted?: number[];
  properties?: Record<string, unknown> & { reasonString?: string };
  sessionPresent?: boolean;
};
const opened: MqttClient[] = [];
afterAll(() => {
  for (const client of opened) client.end(true);
});
/** A client of version 5 and every packet that it is sent. */
function start({ channel_id, device_id, api_key }: MadeDevice, settings: IClientOptions = {}) {
  const client = mqttClient.connect(`mqtt://127.0.0.1:${mqtt.port}`, {
    protocolVersion: 5,
    reconnectPeriod: 0,
    username: `${channel_id}/${device_id}`,
    password: api_key,
    ...settings,
  });
  opened.push(client);
  const packets: Answer[] = [];
  client.on('packetreceive', (packet: Packet) => packets.push(packet as Answer));
  client.on('error', () => {});
  const heard = (cmd: string) =>
    expect
      .poll(() => packets.find((each) => each.cmd === cmd))
      .toBeDefined()
      .then(() => packets.filter((each) => each.cmd === cmd).at(-1) as Answer);
  return { client, packets, heard };
}
const reasonOf = ({ reasonCode, properties }: Answer) => [reasonCode, String(properties?.reasonString ?? '')];
async function connected(device: MadeDevice, settings: IClientOptions = {}) {
  const started = start(device, settings);
  expect((await started.heard('connack')).reasonCode).toBe(0);
  return started;
}

describe('MQTT 5: CONNACK', () => {
  test('says what the broker takes, and names a client that has no name', async () => {
    const { heard } = await connected(aDevice(), { clientId: '', keepalive: 60_000 });
    expect((await heard('connack')).properties).toMatchObject({
      assignedClientIdentifier: expect.any(String),
      serverKeepAlive: 1200,
      topicAliasMaximum: 100,
      receiveMaximum: 1000,
      maximumPacketSize: 70_004,
      sharedSubscriptionAvailable: false,
    });
  });

  test('a wrong key is 0x86, a disabled device 0x87, a will elsewhere 0x87, each with a sentence', async () => {
    const [device, disabled] = [aDevice(), aDevice()];
    const wrong = start(device, { password: 'x'.repeat(40) });
    expect(reasonOf(await wrong.heard('connack'))).toEqual([0x86, expect.stringContaining('copy the key from the page of the device')]);
    const will = { topic: 'v1/weather/devices/d-00000/state', payload: Buffer.from('x'), qos: 0 as const, retain: false };
    expect(reasonOf(await start(device, { will }).heard('connack'))).toEqual([0x87, expect.stringContaining('last will')]);
    expect(reasonOf(await start(device, { clientId: 'x'.repeat(129) }).heard('connack'))).toEqual([
      0x85,
      expect.stringContaining('128 bytes'),
    ]);
    await sql`update device_keys set disabled_at = now() where device_pk = ${disabled.pk}`.execute(app.ctx.db);
    await expect.poll(async () => (await start(disabled).heard('connack')).reasonCode).toBe(0x87);
  });

  test('20 wrong keys: 0x8A and for how long', async () => {
    const device = aDevice();
    for (let n = 0; n < 20; n++) await start(device, { password: 'x'.repeat(40) }).heard('connack');
    expect(reasonOf(await start(device).heard('connack'))).toEqual([0x8a, expect.stringContaining('Locked out for a minute')]);
    await expect.poll(() => codes(device)).toEqual(['locked_out']);
  });
});

describe('MQTT 5: PUBLISH', () => {
  test.each([0, 1, 2] as const)('QoS %i is stored with its user properties', async (qos) => {
    const device = aDevice();
    const { client } = await connected(device);
    const userProperties = { site: 'roof', probe: ['a', 'b'], zero: 'x\u0000'.slice(0, 1), __proto__x: 'y' };
    await client.publishAsync('v1/me/up', '{"t":1}', {
      qos,
      properties: { userProperties, messageExpiryInterval: 60, contentType: 'json' },
    });
    await client.publishAsync('v1/me/up', '{"t":2}', { qos });
    await expect.poll(() => values(device)).toEqual([1, 2]);
    expect(await metaOf(device)).toEqual([{ user_properties: userProperties }, null]);
  });

  test('topic aliases: a number stands for a topic, also after it was given to another', async () => {
    const device = aDevice();
    const { client, heard } = await connected(device);
    const say = (name: string, t: number, topicAlias: number, qos: 0 | 1 | 2 = 1) =>
      client.publishAsync(name, `{"t":${t}}`, { qos, properties: { topicAlias } });
    await say(topic(device, 'up'), 1, 1);
    await Promise.all([say('', 2, 1), say('v1/me/up', 3, 2, 2), say('', 4, 2), say('v1/me/state', 9, 1, 2), say('', 9, 1, 1)]);
    expect((await values(device)).sort()).toEqual([1, 2, 3, 4]);
    // The client itself would refuse it.
    const unknown = {
      cmd: 'publish',
      topic: '',
      payload: '{"t":5}',
      qos: 0,
      dup: false,
      retain: false,
      properties: { topicAlias: 77 },
    } as const;
    client.stream.write(mqttPacket.generate(unknown, { protocolVersion: 5 }));
    expect((await heard('disconnect')).reasonCode).toBe(0x94);
  });

  test('what cannot be read is 0x99 with the reason, and the connection stays', async () => {
    const device = aDevice();
    const { client, heard } = await connected(device);
    const refused = await client.publishAsync('v1/me/up', '{', { qos: 1 }).catch((error: { code: number }) => error.code);
    expect(refused).toBe(0x99);
    expect(reasonOf(await heard('puback'))).toEqual([0x99, 'The payload is not valid JSON.']);
    expect(await client.publishAsync('v1/me/up', '[', { qos: 2 }).catch((error: { code: number }) => error.code)).toBe(0x99);
    await client.publishAsync('v1/me/up', '{"t":1}', { qos: 1 });
    expect(await values(device)).toEqual([1]);
  });

  test('without problem information there is a code and no sentence', async () => {
    const { client, heard } = await connected(aDevice(), { properties: { requestProblemInformation: false } });
    await client.publishAsync('v1/me/up', '{', { qos: 1 }).catch(() => {});
    expect(reasonOf(await heard('puback'))).toEqual([0x99, '']);
  });

  test('a forbidden topic is 0x87 with the topics that are allowed; the third time ends the connection and bans for a minute', async () => {
    const device = aDevice();
    const { client, heard, packets } = await connected(device);
    const trespass = (qos: 0 | 1 | 2) =>
      client.publishAsync('v1/other/devices/x/up', '1', { qos }).catch((error: { code: number }) => error.code);
    expect(await trespass(1)).toBe(0x87);
    expect(reasonOf(packets.find(({ cmd }) => cmd === 'puback') as Answer)[1]).toContain(`publishes on ${topic(device, 'up')}`);
    expect(client.connected).toBe(true);
    expect(await trespass(2)).toBe(0x87);
    void trespass(0);
    expect(reasonOf(await heard('disconnect'))).toEqual([0x87, expect.stringContaining('third time')]);
    expect(reasonOf(await start(device).heard('connack'))).toEqual([0x8a, expect.stringContaining('three times within a minute')]);
    await expect.poll(() => codes(device)).toEqual(expect.arrayContaining(['forbidden_topic', 'blocked']));
  });

  test('a packet that is too large ends with 0x95', async () => {
    const { client, heard } = await connected(aDevice());
    client.stream.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]));
    expect(reasonOf(await heard('disconnect'))).toEqual([0x95, expect.stringContaining('at most 70000')]);
  });

  test('10 at once are all stored and acknowledged in order; acknowledged is stored', async () => {
    const device = aDevice();
    const { client, packets } = await connected(device);
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => client.publishAsync('v1/me/up', `{"ts":${Date.now() - 1000 + n},"t":${n}}`, { qos: 1 })),
    );
    expect(await values(device)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const ids = packets.filter(({ cmd }) => cmd === 'puback').map((each) => (each as { messageId?: number }).messageId ?? 0);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });
});

describe('MQTT 5: subscriptions and commands', () => {
  test('SUBACK has the granted QoS, and the reason of a refusal', async () => {
    const device = aDevice();
    const { client, heard } = await connected(device);
    client.subscribe([topic(device, 'down'), topic(device, 'error'), 'v1/other/devices/x/down', '$share/a/v1/me/down'], { qos: 2 });
    const suback = await heard('suback');
    expect(suback.granted).toEqual([1, 0, 0x87, 0x9e]);
    expect(suback.properties?.reasonString).toContain('v1/other/devices/x/down');
  });

  test('a command carries its expiry and the identifier of the subscription; at most receive maximum are under way', async () => {
    const device = aDevice();
    const { client, packets } = await connected(device, { properties: { receiveMaximum: 1, maximumPacketSize: 1000 } });
    const held: (() => void)[] = [];
    client.handleMessage = (_packet, done) => void held.push(done);
    await client.subscribeAsync('v1/me/down', { qos: 1, properties: { subscriptionIdentifier: 7 } });
    const entry = await mqtt.directory.findDevice(device.channel_id, device.device_id);
    if (!entry) throw new Error('no device');
    await expect.poll(() => mqtt.broker.isListening(entry)).toBe(true);
    const first = mqtt.broker.hand(entry, '{"a":1}', Date.now() + 60_000);
    await expect.poll(() => held.length).toBe(1);
    expect(packets.find(({ cmd }) => cmd === 'publish')?.properties).toMatchObject({
      messageExpiryInterval: 60,
      subscriptionIdentifier: 7,
    });
    expect(await mqtt.broker.hand(entry, '{"a":2}', Date.now() + 60_000)).toBe('full');
    held[0]?.();
    expect(await first).toBe('sent');
    expect(await mqtt.broker.hand(entry, 'x'.repeat(1000), Date.now() + 60_000)).toBe('too_large');
  });
});

describe('MQTT 5: sessions', () => {
  const kept = async ({ pk }: MadeDevice) =>
    (
      await sql<{ seconds: number | null }>`
        select round(extract(epoch from expires_at - now()))::int as seconds from mqtt_sessions where client_id like ${`d${pk}/%`}`.execute(
        app.ctx.db,
      )
    ).rows.map(({ seconds }) => seconds);
  const session = { clientId: 'kept', clean: false };

  test('is kept for the seconds that were asked for, at most 30 days, and not after them', async () => {
    const device = aDevice();
    const first = await connected(device, { ...session, properties: { sessionExpiryInterval: 4_294_967_295 } });
    expect((await first.heard('connack')).properties).toMatchObject({ sessionExpiryInterval: 2_592_000 });
    await first.client.subscribeAsync('v1/me/down', { qos: 1 });
    expect(await kept(device)).toEqual([null]);
    await first.client.endAsync(false, { properties: { sessionExpiryInterval: 100 } });
    await expect.poll(() => kept(device)).toEqual([expect.closeTo(100, -1)]);
    const second = await connected(device, { ...session, properties: { sessionExpiryInterval: 100 } });
    expect((await second.heard('connack')).sessionPresent).toBe(true);
    await second.client.endAsync();
    await expect.poll(async () => (await kept(device))[0]).not.toBeNull();
    await sql`update mqtt_sessions set expires_at = now() - interval '1 second' where client_id like ${`d${device.pk}/%`}`.execute(
      app.ctx.db,
    );
    const third = await connected(device, { ...session });
    expect((await third.heard('connack')).sessionPresent).toBe(false);
    await third.client.endAsync();
    await expect.poll(() => kept(device)).toEqual([]);
  });

  test('taken over: 0x8E; a key that is replaced: 0x87; a sixth connection: 0x97', async () => {
    const [device, replaced] = [aDevice(), aDevice()];
    const first = await connected(device, { clientId: 'same' });
    await connected(device, { clientId: 'same' });
    expect((await first.heard('disconnect')).reasonCode).toBe(0x8e);
    const revoked = await connected(replaced);
    await sql`update device_keys set disabled_at = now() where device_pk = ${replaced.pk}`.execute(app.ctx.db);
    expect(reasonOf(await revoked.heard('disconnect'))).toEqual([0x87, expect.stringContaining('disabled')]);
    const many = aDevice();
    const oldest = await connected(many, { clientId: 'c0' });
    for (let n = 1; n < 6; n++) await connected(many, { clientId: `c${n}` });
    expect(reasonOf(await oldest.heard('disconnect'))).toEqual([0x97, expect.stringContaining('at most 5 connections')]);
  });

  test('a last will waits for its delay, and is not published when the client comes back before', async () => {
    const [device, back] = [aDevice(), aDevice()];
    const willOf = (each: MadeDevice, willDelayInterval: number) => ({
      will: {
        topic: topic(each, 'state'),
        payload: Buffer.from('{"online":false}'),
        qos: 1 as const,
        retain: false,
        properties: { willDelayInterval },
      },
      properties: { sessionExpiryInterval: 60 },
      clientId: 'w',
    });
    const stateOf = async ({ pk }: MadeDevice) =>
      (await sql<{ state: unknown }>`select state from telemetry.device_state where device_pk = ${pk}`.execute(app.ctx.db)).rows[0]?.state;
    const gone = await connected(device, willOf(device, 1));
    const returning = await connected(back, willOf(back, 1));
    gone.client.stream.destroy();
    returning.client.stream.destroy();
    await connected(back, { clientId: 'w', properties: { sessionExpiryInterval: 60 } });
    await expect.poll(() => stateOf(device)).toEqual({ online: false });
    expect(await stateOf(back)).not.toEqual({ online: false });
  });

  test('3.1.1 beside it: told nothing that it cannot read', async () => {
    const device = aDevice();
    const { client, heard } = start(device, { protocolVersion: 4 });
    expect(await heard('connack')).toMatchObject({ returnCode: 0 });
    await client.publishAsync('v1/me/up', '{', { qos: 1 });
    expect(await heard('puback')).toMatchObject({ length: 2 });
  });

  test('the broker shuts down: 0x8B', async () => {
    const { heard } = await connected(aDevice());
    await mqtt.broker.close();
    expect((await heard('disconnect')).reasonCode).toBe(0x8b);
  });
});
