import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { sql } from 'kysely';
import mqttClient, { type MqttClient } from 'mqtt';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../connectors/testing/self-signed.ts';
import { testBroker } from '../../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../../testing/fleet.ts';
import { testApp } from '../../testing/test-app.ts';
import { quickest } from '../../testing/until.ts';
import { newDeviceKey } from '../device-key.ts';
import { listenTls } from './listeners.ts';

const app = await testApp({ env: { TELLTALE_RATE_CHANNEL: '0' } });
const mqtt = await testBroker(app);
const fleet = [...(await makeDevices(app.ctx, 'weather', 100)), ...(await makeDevices(app.ctx, 'other', 5))];
let used = 0;
const aDevice = () => fleet[used++] as MadeDevice;
const up = ({ channel_id, device_id }: MadeDevice) => `v1/${channel_id}/devices/${device_id}/up`;
const topic = ({ channel_id, device_id }: MadeDevice, what: string) => `v1/${channel_id}/devices/${device_id}/${what}`;
const points = async ({ pk }: MadeDevice) =>
  (
    await sql<{ name: string; value: number }>`
      select name, value from telemetry.metric_point p join telemetry.attribute a on a.id = attribute_id
      where device_pk = ${pk} and name not like 'sys.%' order by time, name`.execute(app.ctx.db)
  ).rows.map(({ name, value }) => [name, value]);
const closed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()));
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 0,
    (error: { code?: number }) => error.code,
  );
/** Retries until the broker has learned of a new key, but not so often that the name is locked out. */
async function onceKnown(open: () => Promise<MqttClient>): Promise<MqttClient> {
  for (let left = 10; left > 0; left--) {
    const client = await open().catch(() => undefined);
    if (client) return client;
    await delay(500);
  }
  return open();
}
const heard = (client: MqttClient) => {
  const messages: [string, string][] = [];
  client.on('message', (name, payload) => messages.push([name, payload.toString()]));
  return messages;
};

describe('iot-behaviour 1.2: credentials', () => {
  test('a device by its name and key, or by its key alone', async () => {
    const device = aDevice();
    for (const settings of [{}, { username: device.api_key, password: undefined }]) {
      const client = await mqtt.device(device, settings);
      await client.publishAsync(up(device), '{"t":1}', { qos: 1 });
      await client.endAsync();
    }
    expect(await points(device)).toEqual([
      ['t', 1],
      ['t', 1],
    ]);
  });

  test.each([
    ['a wrong key', (d: MadeDevice) => ({ password: 'x'.repeat(40), username: `${d.channel_id}/${d.device_id}` }), 4],
    ['a key with another end', (d: MadeDevice) => ({ password: `${d.api_key.slice(0, 39)}${d.api_key.endsWith('a') ? 'b' : 'a'}` }), 4],
    ['no key', () => ({ password: '' }), 4],
    ['the name of another device', () => ({ username: 'weather/d-00000' }), 4],
    ['the name of another channel', (d: MadeDevice) => ({ username: `other/${d.device_id}` }), 4],
    ['SQL', () => ({ username: "' or 1=1 --", password: "' or 1=1 --" }), 4],
    ['a client id of 129 bytes', () => ({ clientId: 'x'.repeat(129) }), 2],
    [
      'a will elsewhere',
      () => ({ will: { topic: 'v1/weather/devices/d-00000/state', payload: Buffer.from('x'), qos: 0 as const, retain: false } }),
      5,
    ],
  ])('%s is refused', async (_what, settings, code) => {
    const device = fleet[39] as MadeDevice;
    expect(await refusal(mqtt.device(device, settings(device)))).toBe(code);
  });

  test('a disabled device gets its reason; an unknown one gets the answer of a wrong key', async () => {
    const device = aDevice();
    await sql`update device_keys set disabled_at = now() where device_pk = ${device.pk}`.execute(app.ctx.db);
    await expect.poll(() => refusal(mqtt.device(device))).toBe(5);
  });

  test('a key that is replaced, a device that is deleted: open connections end within a second', async () => {
    const took = await quickest(1000, async () => {
      const [rotated, deleted] = [aDevice(), aDevice()];
      const clients = [await mqtt.device(rotated), await mqtt.device(deleted)] as const;
      const gone = Promise.all(clients.map(closed));
      const { record } = newDeviceKey(app.ctx.secrets);
      return async () => {
        await sql`update device_keys set lookup_id = ${record.lookup_id}, key_hash = ${record.key_hash} where device_pk = ${rotated.pk}`.execute(
          app.ctx.db,
        );
        await sql`update telemetry.device set deleted_at = now() where id = ${deleted.pk}`.execute(app.ctx.db);
        await gone;
        expect(await refusal(mqtt.device(rotated))).toBe(4);
      };
    });
    expect(took).toBeLessThan(1000);
  });

  test('a gateway speaks for the devices of its channel and for no others', async () => {
    const { api_key, record } = newDeviceKey(app.ctx.secrets);
    const device = aDevice();
    await sql`
      update channel_settings set lookup_id = ${record.lookup_id}, key_hash = ${record.key_hash}, key_sealed = ${record.key_sealed}
      where channel_pk = ${device.channel_pk}`.execute(app.ctx.db);
    const client = await onceKnown(() => mqtt.open({ username: 'weather', password: api_key }));
    await client.publishAsync(up(device), '{"t":5}', { qos: 1 });
    expect(await points(device)).toEqual([['t', 5]]);
    await client.publishAsync('v1/weather/devices/nobody/up', '{"t":5}', { qos: 1 });
    const { rows } = await sql`select code, device_id from app.uplink_rejected where device_id = 'nobody'`.execute(app.ctx.db);
    expect(rows).toEqual([{ code: 'unknown_device', device_id: 'nobody' }]);
    await sql`update channel_settings set auto_create = true where channel_pk = ${device.channel_pk}`.execute(app.ctx.db);
    const made = async () =>
      (await sql`select distinct device_id, value from app.metric where device_id not like 'd-%'`.execute(app.ctx.db)).rows;
    const tell = async () => {
      await client.publishAsync('v1/weather/devices/new-one/up', '{"t":7}', { qos: 1 });
      return made();
    };
    await expect.poll(tell).toEqual([{ device_id: 'new-one', value: 7 }]);
    await client.publishAsync('v1/weather/devices/Not An Id/up', '{"t":7}', { qos: 1 });
    expect(await made()).toEqual([{ device_id: 'new-one', value: 7 }]);
    const gone = closed(client);
    client.publish('v1/other/devices/d-00000/up', '{"t":5}', { qos: 1 });
    await gone;
  });

  test('20 wrong keys lock out the name, not its neighbours', async () => {
    const [bad, good] = [aDevice(), aDevice()];
    for (let n = 0; n < 20; n++) expect(await refusal(mqtt.device(bad, { password: 'x'.repeat(40) }))).toBe(4);
    await expect(mqtt.device(bad)).rejects.toThrow();
    await (await mqtt.device(good)).endAsync();
  });
});

describe('iot-behaviour 1.3 and 1.4: topics and rights', () => {
  test('own topics by their long name and by v1/me', async () => {
    const device = aDevice();
    const client = await mqtt.device(device);
    await client.publishAsync('v1/me/up', '{"a":1}', { qos: 1 });
    await client.publishAsync(topic(device, 'up/senml'), '[{"n":"b","v":2}]', { qos: 1 });
    await client.publishAsync('v1/me/up/lpp', Buffer.from([1, 103, 0, 200]), { qos: 1 });
    await client.publishAsync('v1/me/up/raw/7', Buffer.from([1, 2, 3]), { qos: 2 });
    expect(await points(device)).toEqual([
      ['a', 1],
      ['b', 2],
      ['temperature_1', 20],
    ]);
    const { rows } =
      await sql`select encoding, fport, raw from telemetry.uplink where device_pk = ${device.pk} and encoding = 'raw'`.execute(app.ctx.db);
    expect(rows).toEqual([{ encoding: 'raw', fport: 7, raw: Buffer.from([1, 2, 3]) }]);
  });

  test.each(['v1/weather/devices/d-00001/up', 'v1/other/devices/d-00000/up', '$SYS/x', 'x', `${'a/'.repeat(1000)}b`, 'v1/me/down'])(
    'publishing to %.40s ends the connection',
    async (name) => {
      const client = await mqtt.device(aDevice());
      const gone = closed(client);
      client.publish(name, '1', { qos: 1 });
      await gone;
    },
  );

  test('the third trespass within a minute locks out for one', async () => {
    const device = aDevice();
    for (let n = 0; n < 3; n++) {
      const client = await mqtt.device(device);
      const gone = closed(client);
      client.publish('x', '1', { qos: 1 });
      await gone;
    }
    expect(await refusal(mqtt.device(device))).toBe(5);
  });

  test('SUBACK grants at most QoS 1, and 0x80 for topics of others', async () => {
    const [device, other] = [aDevice(), aDevice()];
    const client = await mqtt.device(device);
    const granted = (filter: string, qos: 0 | 1 | 2) =>
      client.subscribeAsync(filter, { qos }).then(
        ([grant]) => grant?.qos,
        () => 0x80,
      );
    for (const [asked, given] of [
      [0, 0],
      [1, 1],
      [2, 1],
    ] as const)
      expect(await granted('v1/me/down', asked)).toBe(given);
    for (const filter of ['#', 'v1/#', `v1/${device.channel_id}/#`]) expect(await granted(filter, 2)).toBe(1);
    // Errors are published with QoS 0.
    expect(await granted(topic(device, 'error'), 2)).toBe(0);
    const foreign = [topic(other, 'down'), topic(device, 'up'), 'v1/other/#', '$SYS/#', '+/+', `${'a/'.repeat(50)}b`];
    for (const filter of foreign) expect(await granted(filter, 1)).toBe(0x80);
    expect(client.connected).toBe(true);
  });

  test('subscriptions: # is narrowed, topics of others are refused, own uplinks do not echo', async () => {
    const [device, other] = [aDevice(), aDevice()];
    const client = await mqtt.device(device);
    const all = heard(client);
    // The refusal is published on the error topic, which # includes.
    const messages = () => all.filter(([at]) => at !== topic(device, 'error'));
    const granted = await client
      .subscribeAsync({ '#': { qos: 2 }, [topic(other, 'down')]: { qos: 1 }, '$SYS/#': { qos: 0 } })
      .catch((error: Error) => error);
    expect(granted).toBeInstanceOf(Error);
    await client.publishAsync(up(device), '{"t":1}', { qos: 1 });
    await mqtt.broker.send(topic(device, 'down'), 'do', 1);
    await mqtt.broker.send(topic(other, 'down'), 'not for you', 1);
    await expect.poll(messages).toEqual([[topic(device, 'down'), 'do']]);
    await client.unsubscribeAsync('#');
    await mqtt.broker.send(topic(device, 'down'), 'again', 1);
    await delay(50);
    expect(messages()).toHaveLength(1);
  });

  test('somebody who looks on with their own key hears what devices say, and says nothing', async () => {
    const [device, person] = [aDevice(), await app.make.user()];
    const reader = await mqtt.open({ username: '$user', password: person.api_key });
    const messages: [string, string][] = [];
    // The states of before come as retained messages, which a slow database may send after the first live ones.
    reader.on('message', (name, payload, { retain }) => void (retain || messages.push([name, payload.toString()])));
    await reader.subscribeAsync(['v1/weather/devices/+/up', 'v1/weather/devices/+/state']);
    const client = await mqtt.device(device);
    await client.publishAsync('v1/me/up', '{"t":1}', { qos: 1 });
    await client.publishAsync('v1/me/state', '{"fw":"1.2"}', { qos: 1 });
    await expect
      .poll(() => messages)
      .toEqual([
        [up(device), '{"t":1}'],
        [topic(device, 'state'), '{"fw":"1.2"}'],
      ]);
    const gone = closed(reader);
    reader.publish(up(device), '{"t":2}');
    await gone;
    const latecomer = await mqtt.open({ username: '$user', password: person.api_key });
    const retained: [string, string, boolean][] = [];
    latecomer.on('message', (name, payload, { retain }) => retained.push([name, payload.toString(), retain]));
    await latecomer.subscribeAsync(`v1/${device.channel_id}/devices/${device.device_id}/#`);
    await expect.poll(() => retained).toEqual([[topic(device, 'state'), '{"fw": "1.2"}', true]]);
    const powerless = await app.make.user({ groups: [] });
    expect(await refusal(mqtt.open({ username: '$user', password: powerless.api_key }))).toBe(5);
  });
});

describe('iot-behaviour 1.2: somebody who looks on', () => {
  test('hears the channels that they reach and no others, also when that changes while they look on', async () => {
    const admin = app.as(app.admin);
    const [seen, hidden] = [aDevice(), (await makeDevices(app.ctx, 'cellar', 1))[0] as MadeDevice];
    const group = await admin.get(groupsApi.create, { body: { name: 'Weather only' } });
    await admin.get(groupsApi.save, { params: { id: group.id }, body: { permissions: ['view_channel'], all_channels: false } });
    await admin.get(groupsApi.addChannel, { params: { id: group.id }, body: { channel_id: seen.channel_id } });
    const person = await app.make.user({ groups: [], group_ids: [group.id] });
    const [seenClient, hiddenClient] = [await mqtt.device(seen), await mqtt.device(hidden)];
    await hiddenClient.publishAsync('v1/me/state', '{"fw":"secret"}', { qos: 1 });

    const reader = await mqtt.open({ username: '$user', password: person.api_key });
    const messages: [string, string][] = [];
    reader.on(
      'message',
      (name, payload, { retain }) => void ((retain && name.includes(seen.channel_id)) || messages.push([name, payload.toString()])),
    );
    const granted = await reader.subscribeAsync(['#', 'v1/cellar/devices/+/up']).catch((error: Error) => error.message);
    expect(granted, 'a channel that they do not reach').toContain('Unspecified error');
    await hiddenClient.publishAsync('v1/me/up', '{"t":1}', { qos: 1 });
    await seenClient.publishAsync('v1/me/up', '{"t":2}', { qos: 1 });
    await expect.poll(() => messages).toEqual([[up(seen), '{"t":2}']]);

    await admin.get(groupsApi.removeChannel, { params: { id: group.id, channelId: seen.channel_id } });
    await admin.get(groupsApi.addChannel, { params: { id: group.id }, body: { channel_id: hidden.channel_id } });
    let n = 2;
    await expect
      .poll(async () => {
        await seenClient.publishAsync('v1/me/up', `{"t":${++n}}`, { qos: 1 });
        await hiddenClient.publishAsync('v1/me/up', `{"t":${++n}}`, { qos: 1 });
        return messages.at(-1)?.[0];
      })
      .toBe(up(hidden));
    await seenClient.publishAsync('v1/me/up', '{"t":0}', { qos: 1 });
    await hiddenClient.publishAsync('v1/me/up', '{"t":0}', { qos: 1 });
    await expect.poll(() => messages.filter(([, payload]) => payload === '{"t":0}')).toEqual([[up(hidden), '{"t":0}']]);
  });

  test('is hung up on within a second when their key is replaced', async () => {
    const took = await quickest(1000, async () => {
      const person = await app.make.user();
      const reader = await mqtt.open({ username: '$user', password: person.api_key });
      const gone = closed(reader);
      return async () => {
        await sql`update users set api_key_hash = ${randomBytes(32)} where id = ${person.id}`.execute(app.ctx.db);
        await gone;
      };
    });
    expect(took).toBeLessThan(1000);
  });

  test('and does not read holds up nobody', async () => {
    const [device, person] = [aDevice(), await app.make.user()];
    const reader = await mqtt.open({ username: '$user', password: person.api_key });
    await reader.subscribeAsync('#');
    reader.stream.pause();
    const client = await mqtt.device(device);
    const messages = heard(client);
    await client.subscribeAsync('v1/me/down', { qos: 1 });
    const payload = JSON.stringify({ text: 'x'.repeat(4000) });
    for (let n = 0; n < 190; n++) await client.publishAsync('v1/me/up', payload, { qos: 1 });
    await mqtt.broker.send(topic(device, 'down'), 'do', 1);
    await expect.poll(() => messages).toEqual([[topic(device, 'down'), 'do']]);
    reader.stream.resume();
  });
});

describe('iot-behaviour 1.7: sessions and state', () => {
  const stateOf = async ({ pk }: MadeDevice) =>
    (
      await sql<{ online: boolean; sessions: number; state: unknown }>`
      select online, connected_sessions as sessions, state from telemetry.device_state where device_pk = ${pk}`.execute(app.ctx.db)
    ).rows[0];

  test('online while connected, offline with its last will when the line breaks', async () => {
    const device = aDevice();
    const will = { topic: topic(device, 'state'), payload: Buffer.from('{"online":false}'), qos: 1 as const, retain: false };
    const client = await mqtt.device(device, { will });
    await expect.poll(() => stateOf(device)).toMatchObject({ online: true, sessions: 1 });
    client.stream.destroy();
    await expect.poll(() => stateOf(device)).toMatchObject({ online: false, sessions: 0, state: { online: false } });
    const turns = async () =>
      (
        await sql<{ value: number }>`
          select value from app.metric where device_id = ${device.device_id} and attribute = 'sys.online' order by time`.execute(app.ctx.db)
      ).rows.map(({ value }) => value);
    await expect.poll(turns).toEqual([1, 0]);
  });

  test('the same client id: the newer one wins, and never that of somebody else', async () => {
    const [device, other] = [aDevice(), aDevice()];
    const first = await mqtt.device(device, { clientId: 'same' });
    const foreign = await mqtt.device(other, { clientId: 'same' });
    const gone = closed(first);
    const second = await mqtt.device(device, { clientId: 'same' });
    await gone;
    expect([second.connected, foreign.connected]).toEqual([true, true]);
  });

  test('design 8: a sixth client id evicts the oldest', async () => {
    const device = aDevice();
    const clients = [];
    for (let n = 0; n < 5; n++) clients.push(await mqtt.device(device, { clientId: `c${n}` }));
    const gone = closed(clients[0] as MqttClient);
    await mqtt.device(device, { clientId: 'c5' });
    await gone;
    expect(clients.slice(1).every(({ connected }) => connected)).toBe(true);
  });

  test('of a session that is kept the subscriptions are remembered', async () => {
    const device = aDevice();
    const first = await mqtt.device(device, { clientId: 'kept', clean: false });
    await first.subscribeAsync('v1/me/down', { qos: 1 });
    await first.endAsync();
    const second = await mqtt.device(device, { clientId: 'kept', clean: false });
    const messages = heard(second);
    await mqtt.broker.send(topic(device, 'down'), 'still here', 1);
    await expect.poll(() => messages).toEqual([[topic(device, 'down'), 'still here']]);
    await second.endAsync();
    await (await mqtt.device(device, { clientId: 'kept', clean: true })).endAsync();
    await expect
      .poll(async () => (await sql`select from mqtt_sessions where client_id like ${`d${device.pk}/%`}`.execute(app.ctx.db)).rows)
      .toEqual([]);
  });
});

describe('iot-behaviour 3.3: answers to commands', () => {
  const acks = async ({ pk }: MadeDevice) =>
    (
      await sql<{ command_id: string; is_ok: boolean; raw: Buffer }>`
        select command_id, is_ok, raw from device_acks where device_pk = ${pk} order by id`.execute(app.ctx.db)
    ).rows.map(({ raw, ...row }) => ({ ...row, raw: raw.toString() }));

  test('are on disk before they are acknowledged; what answers nothing is rejected', async () => {
    const device = aDevice();
    const client = await mqtt.device(device);
    const said = '{"id":"01JH","ok":false,"error":"busy","data":{"t":1}}';
    for (const qos of [1, 2] as const) await client.publishAsync('v1/me/ack', said, { qos });
    for (const bad of ['', '{}', '[', '{"id":"x"}']) await client.publishAsync(topic(device, 'ack'), bad, { qos: 1 });
    const kept = { command_id: '01JH', is_ok: false, raw: said };
    expect(await acks(device)).toEqual([kept, kept]);
    const { rows } = await sql`
      select code from app.uplink_rejected where device_id = ${device.device_id} and channel_id = ${device.channel_id} order by uplink_id`.execute(
      app.ctx.db,
    );
    expect(rows).toEqual([{ code: 'bad_json' }, { code: 'bad_shape' }, { code: 'bad_json' }, { code: 'bad_shape' }]);
    expect(client.connected).toBe(true);
  });
});

describe('iot-behaviour 1.10: rejected messages', () => {
  test("are acknowledged, and reported on the device's error topic", async () => {
    const device = aDevice();
    const client = await mqtt.device(device);
    const messages = heard(client);
    await client.subscribeAsync('v1/me/error');
    for (let n = 0; n < 3; n++) await client.publishAsync('v1/me/up', '{', { qos: 1 });
    await expect.poll(() => messages.length).toBe(1);
    expect(messages[0]?.[0]).toBe(topic(device, 'error'));
    expect(JSON.parse(messages[0]?.[1] ?? '')).toMatchObject({ code: 'bad_json', count: 1, message: 'The payload is not valid JSON.' });
  });
});

describe('iot-behaviour 1.1: other ways in', () => {
  test('MQTT over web socket on the console’s port; a plain GET there is the page', async () => {
    const device = aDevice();
    const client = await mqtt.overWebSocket(device);
    await client.publishAsync('v1/me/up', '{"t":3}', { qos: 1 });
    expect(await points(device)).toEqual([['t', 3]]);
    expect((await app.anonymous().fetch('/mqtt', { redirect: 'manual' })).status).toBe(302);
  });

  test('MQTT over TLS', async () => {
    const device = aDevice();
    const folder = mkdtempSync(join(tmpdir(), 'telltale-tls-'));
    const certificate = selfSigned('localhost');
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, certificate.cert);
    writeFileSync(key, certificate.key);
    const accept = mqtt.broker.accept.bind(mqtt.broker);
    const listener = await listenTls('127.0.0.1', { port: 0, cert, key }, accept, app.ctx.log);
    onTestFinished(async () => {
      await listener.close();
      rmSync(folder, { recursive: true });
    });
    const { username, password } = { username: `${device.channel_id}/${device.device_id}`, password: device.api_key };
    const settings = { username, password, ca: certificate.cert, servername: 'localhost', protocolVersion: 4 as const, reconnectPeriod: 0 };
    const client = await mqttClient.connectAsync(`mqtts://127.0.0.1:${listener.port}`, settings);
    await client.publishAsync('v1/me/up', '{"t":4}', { qos: 1 });
    await client.endAsync();
    expect(await points(device)).toEqual([['t', 4]]);
  });
});

describe('hostile bytes', () => {
  const rawConnect = ({ channel_id, device_id, api_key }: MadeDevice, clientId: string): Buffer => {
    const field = (text: string) => Buffer.concat([Buffer.from([text.length >> 8, text.length & 255]), Buffer.from(text)]);
    const body = Buffer.concat([
      field('MQTT'),
      Buffer.from([4, 0xc2, 0, 60]),
      field(clientId),
      field(`${channel_id}/${device_id}`),
      field(api_key),
    ]);
    return Buffer.concat([Buffer.from([0x10, body.length]), body]);
  };
  const opened = (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(mqtt.port, '127.0.0.1', () => resolve(socket));
      socket.on('error', () => {});
    });
  const ended = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()).resume());

  test.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a packet before CONNECT', Buffer.from([0x30, 3, 0, 1, 65])],
    ['zeros', Buffer.alloc(100)],
    ['a length without end', Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff])],
    ['a CONNECT of 10 MB', Buffer.from([0x10, 0x80, 0xda, 0xc4, 0x04])],
  ])('%s is hung up on', async (_what, bytes) => {
    const socket = await opened();
    socket.write(bytes);
    await ended(socket);
  });

  test('a publish of 10 MB is hung up on before its body is read, and others go on', async () => {
    const [device, other] = [aDevice(), aDevice()];
    const client = await mqtt.device(other);
    const socket = await opened();
    socket.write(rawConnect(device, 'big'));
    await delay(100);
    socket.write(Buffer.concat([Buffer.from([0x32, 0x80, 0xad, 0xe2, 0x04]), Buffer.alloc(64 * 1024)]));
    await ended(socket);
    await client.publishAsync('v1/me/up', '{"t":1}', { qos: 1 });
    expect(await points(other)).toEqual([['t', 1]]);
  });

  test('1,000 wrong keys: the name is locked out, its neighbours go on', async () => {
    const [device, other] = [aDevice(), aDevice()];
    const client = await mqtt.device(other);
    const wrong = rawConnect({ ...device, api_key: 'x'.repeat(40) }, 'guess');
    const answers: number[] = [];
    for (let turn = 0; turn < 20; turn++) {
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const socket = await opened();
          socket.on('data', (answer: Buffer) => answers.push(answer[3] ?? 0));
          socket.write(wrong);
          await ended(socket);
        }),
      );
      await client.publishAsync('v1/me/up', '{"t":1}', { qos: 1 });
    }
    // The code is 4 for a wrong key, then 5 when locked out, and the socket is not just closed.
    expect(answers.every((code) => code === 4 || code === 5)).toBe(true);
    expect(answers.filter((code) => code === 4).length).toBeLessThan(200);
    expect(await points(other)).toHaveLength(20);
    await (await mqtt.device(aDevice())).endAsync();
  });

  const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
  const hostile: [string, string | Buffer, string][] = [
    ['deep lists', deep('[', ']', 30_000), 'bad_shape'],
    ['deep lists in an object', `{"a":${deep('[', ']', 30_000)}}`, 'partial'],
    ['deep objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 'partial'],
    ['deep meta', `{"values":{"a":1},"meta":{"a":${deep('[', ']', 20_000)}}}`, 'stored'],
    ['lone surrogates in meta', '{"values":{"a":1},"meta":{"a":"\\ud800"}}', 'stored'],
    ['__proto__', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}', 'stored'],
    ['NaN', '{"a":NaN}', 'bad_json'],
    ['Infinity', '{"a":-Infinity}', 'bad_json'],
    ['U+0000 as a unit', '[{"n":"new-unit","u":"c\\u0000","v":1}]', 'stored'],
    ['U+0000 as a name', '{"a\\u0000b":1e999,"c":1}', 'partial'],
    ['U+0000 as a label of SenML', '[{"n":"a","v":1},{"n":"b","v":1,"x\\u0000_":1}]', 'partial'],
    ['a number beyond all numbers', '{"a":1e999,"b":1}', 'partial'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]), 'bad_json'],
    ['an empty payload', '', 'bad_json'],
    ['zeros', Buffer.alloc(1000), 'bad_json'],
    ['a time in 1970', '{"ts":1,"a":1}', 'clock_shifted'],
    ['a time in 2100', '{"ts":"2100-01-01T00:00:00Z","a":1}', 'clock_shifted'],
    ['a time at the end of time', '{"ts":1e300,"a":1}', 'bad_time'],
    ['a name of 100 kB is cut', `{"${'n'.repeat(60_000)}":1}`, 'stored'],
    ['2,000 attributes', `{${Array.from({ length: 2000 }, (_, n) => `"a${n}":1`).join()}}`, 'too_many_points'],
    ['SQL', `{"a'); drop table telemetry.uplink; --":"'; drop table telemetry.uplink; --"}`, 'stored'],
  ];
  const neighbour = aDevice();
  test.each(hostile)('%s: acknowledged by the rules, and others are unaffected', async (_what, payload, expected) => {
    const device = aDevice();
    const [client, other] = [await mqtt.device(device), await mqtt.device(neighbour)];
    const before = (await points(neighbour)).length;
    await Promise.all([client.publishAsync('v1/me/up', payload, { qos: 1 }), other.publishAsync('v1/me/up', '{"t":1}', { qos: 1 })]);
    const { rows } = await sql<{ status: string }>`
      select case when warnings && array['clock_shifted'] then 'clock_shifted' else status end as status from app.uplink where device_id = ${device.device_id}
      union all select code from app.uplink_rejected where device_id = ${device.device_id}`.execute(app.ctx.db);
    expect(rows).toEqual([{ status: expected }]);
    expect(await points(neighbour)).toHaveLength(before + 1);
    expect([client.connected, other.connected]).toEqual([true, true]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    await Promise.all([client.endAsync(), other.endAsync()]);
  });

  test.each([
    ['lone surrogates', '{"a":"\\ud800"}'],
    ['U+0000', '{"a":"\\u0000"}'],
    ['deep lists', deep('[', ']', 2000)],
    ['deeper ones than are kept', deep('[', ']', 30_000)],
    ['bytes', Buffer.from([0xff, 0, 0xfe])],
    ['nothing', ''],
  ])('a state of %s is taken and ends nothing', async (_what, payload) => {
    const client = await mqtt.device(aDevice());
    await client.publishAsync('v1/me/state', payload, { qos: 1 });
    expect(client.connected).toBe(true);
    await client.endAsync();
  });

  test('a gateway that names impossible devices gets an error, and others are unaffected', async () => {
    const other = aDevice();
    const { api_key, record } = newDeviceKey(app.ctx.secrets);
    await sql`
      update channel_settings set lookup_id = ${record.lookup_id}, key_hash = ${record.key_hash}, key_sealed = ${record.key_sealed}
      where channel_pk = ${other.channel_pk}`.execute(app.ctx.db);
    const gateway = await onceKnown(() => mqtt.open({ username: 'weather', password: api_key }));
    const client = await mqtt.device(other);
    for (const name of ['a\u0001b', 'x'.repeat(200), '..', '%00', '\u{1f326}', ' ']) {
      await Promise.all([
        gateway.publishAsync(`v1/weather/devices/${name}/up`, '{"t":1}', { qos: 1 }),
        client.publishAsync('v1/me/up', '{"t":1}', { qos: 1 }),
      ]);
    }
    expect(await points(other)).toHaveLength(6);
    expect(gateway.connected).toBe(true);
    // MQTT 3.1.1 forbids U+0000 in a topic: the sender is disconnected, or gets an error that there is no such device.
    gateway.publish('v1/weather/devices/a\u0000b/up', '{"t":1}', { qos: 1 });
    await client.publishAsync('v1/me/up', '{"t":1}', { qos: 1 });
    expect(await points(other)).toHaveLength(7);
    gateway.end(true);
  });

  test('acknowledgements keep the order of arrival, with good and bad ones mixed', async () => {
    const device = aDevice();
    const socket = await opened();
    const acks: number[] = [];
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (; rest.length >= 4; rest = rest.subarray(4)) if (rest[0] === 0x40) acks.push(rest.readUInt16BE(2));
    });
    socket.write(rawConnect(device, 'order'));
    await delay(100);
    const name = up(device);
    const packet = (id: number, payload: string) => {
      const body = Buffer.concat([
        Buffer.from([0, name.length]),
        Buffer.from(name),
        Buffer.from([id >> 8, id & 255]),
        Buffer.from(payload),
      ]);
      return Buffer.concat([Buffer.from([0x32, body.length]), body]);
    };
    socket.write(Buffer.concat(Array.from({ length: 150 }, (_, n) => packet(n + 1, n % 3 === 0 ? '{' : `{"n":${n}}`))));
    await expect.poll(() => acks.length).toBe(150);
    expect(acks).toEqual(Array.from({ length: 150 }, (_, n) => n + 1));
    socket.destroy();
  });
});
