import { channelsApi, type Device, devicesApi } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { applicationId, chirpStackInfo, chirpStackUplink, heardAt, ttsIds, ttsUplink } from '../networks/testing/messages.ts';
import { foreignBroker } from '../testing/foreign-broker.ts';
import { storedOf, testNetworks } from '../testing/networks.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

const app = await testApp();
const admin = app.as(app.admin);
const networks = await testNetworks(app);
const broker = await foreignBroker();

interface MadeNetwork {
  id: number;
  webhook_secret: string;
}
let made = 0;
const makeNetwork = (type: string, options: Record<string, unknown> = {}) =>
  admin.get(networksApi.create, { body: { name: `${type} ${++made}`, type, options } });
const makeChannel = (channel_id: string, kind: 'tts' | 'chirpstack' | 'http', network_id: number, settings = {}) =>
  admin.get(channelsApi.create, { body: { channel_id, kind, settings: { network_id, ...settings } } });
const connected = (id: number) =>
  until(
    () => admin.get(networksApi.get, { params: { id } }),
    ({ state }) => state === 'connected',
  );
const post = (network: MadeNetwork, path: string, body: unknown, headers: Record<string, string> = {}) =>
  app
    .anonymous()
    .json('POST', `/api/networks/${network.id}/webhook${path}`, body, { authorization: `Bearer ${network.webhook_secret}`, ...headers });
const uplinksOf = (channel: string, device: string, count: number) =>
  until(
    () => storedOf(app, channel, device),
    ({ uplinks }) => uplinks.length >= count,
  );
/** Waits until the inbox of the network is empty. */
const settled = (network: MadeNetwork) =>
  until(
    async () => (await sql`select from network_inbox where network_id = ${network.id}`.execute(app.ctx.db)).rows.length,
    (waiting) => waiting === 0,
  );
const messagesOf = async (id: string, deviceId: string) => (await admin.get(deviceDataApi.messages, { params: { id, deviceId } })).results;

const ttsNetwork = await makeNetwork('tts', { application_id: 'weather-app' });
await makeChannel('weather-app', 'tts', ttsNetwork.id, { application_id: 'weather-app', metadata: 'full' });
const chirpStackOptions = { address: `127.0.0.1:${broker.port}`, tls: false, application_id: applicationId };
const chirpStackNetwork = await makeNetwork('chirpstack', chirpStackOptions);
await makeChannel('weather-cs', 'chirpstack', chirpStackNetwork.id, { application_id: applicationId });
await connected(chirpStackNetwork.id);
const topic = (event: string, eui = '0101010101010101') => `application/${applicationId}/device/${eui}/event/${event}`;

describe('iot-behaviour 2.2: The Things Stack by webhook', () => {
  test('An uplink is stored with its device, its values and its radio facts, before it is answered', async () => {
    expect((await post(ttsNetwork, '/up', ttsUplink())).status).toBe(200);
    await settled(ttsNetwork);
    const { points, uplinks } = await storedOf(app, 'weather-app', 'roof-1');
    expect(points).toEqual({
      temperature: 21,
      'air.humidity': 52,
      'lora.rssi': -60,
      'lora.snr': 9.5,
      'lora.sf': 7,
      'lora.fcnt': 118,
      'lora.battery': 81.5,
      'lora.frequency': 868_300_000,
      'lora.bw': 125_000,
      'lora.fport': 2,
      'lora.gateways': 3,
      'lora.airtime_ms': 56.576,
      'lora.per': 0.25,
      'lora.lost': 0,
      'lora.gateway': 'gtw-near',
    });
    expect(uplinks).toMatchObject([{ source: 'tts', fport: 2, fcnt: 118, time: heardAt(110), warnings: ['the sensor is warming up'] }]);
  });

  test('The device is made by its id and EUI, and the record carries the facts of 1.11', async () => {
    const [device] = (await admin.get(devicesApi.list, { params: { id: 'weather-app' } })) as Device[];
    expect(device).toMatchObject({ device_id: 'roof-1', dev_eui: '0004a30b001c0530' });
    const [message] = await messagesOf('weather-app', 'roof-1');
    expect(message).toMatchObject({
      source: 'tts',
      status: 'stored',
      fport: 2,
      fcnt: 118,
      confirmed: true,
      dev_eui: '0004a30b001c0530',
      lora: {
        rssi: -60,
        snr: 9.5,
        sf: 7,
        bw: 125_000,
        frequency: 868_300_000,
        gateway: 'gtw-near',
        gateways: 3,
        airtime_ms: 56.576,
        dr: null,
      },
    });
  });

  test('iot-behaviour 1.9: the same session, counter and port is a repetition, whichever way it comes', async () => {
    for (const path of ['/up', '', '/join']) await post(ttsNetwork, path, ttsUplink());
    await settled(ttsNetwork);
    expect((await storedOf(app, 'weather-app', 'roof-1')).uplinks).toHaveLength(1);
  });

  test('iot-behaviour 2.1: a jump of the counter is counted as lost uplinks; a new session starts anew', async () => {
    await post(ttsNetwork, '/up', ttsUplink({ f_cnt: 122, rx_metadata: [] }));
    await settled(ttsNetwork);
    expect((await storedOf(app, 'weather-app', 'roof-1')).points['lora.lost']).toBe(3);
    await post(
      ttsNetwork,
      '/up',
      ttsUplink({ f_cnt: 500, session_key_id: 'AnotherSession==', rx_metadata: [], received_at: heardAt(9000) }),
    );
    await settled(ttsNetwork);
    const { points, uplinks } = await storedOf(app, 'weather-app', 'roof-1');
    expect(points['lora.lost']).toBe(0);
    expect(uplinks.map(({ meta }) => meta?.lost)).toEqual([0, 3, 0]);
    // A repetition does not count again.
    await post(ttsNetwork, '/up', ttsUplink({ f_cnt: 122, rx_metadata: [] }));
    await settled(ttsNetwork);
    const channel = await app.as(app.admin).get(channelsApi.get, { params: { id: 'weather-app' } });
    expect(channel).toMatchObject({ lost_frames: 3, lost_frame_at: expect.any(String) });
  });

  test('No decoded payload: bytes and radio facts are kept', async () => {
    await post(ttsNetwork, '/up', ttsUplink({ decoded_payload: undefined }, ttsIds('roof-2', '0004A30B001C0531')));
    await settled(ttsNetwork);
    const { points, uplinks } = await storedOf(app, 'weather-app', 'roof-2');
    expect(points).toMatchObject({ 'lora.rssi': -60 });
    expect(points).not.toHaveProperty('temperature');
    expect(uplinks[0]?.raw).toEqual(Buffer.from([0x08, 0x34]));
  });

  test('iot-behaviour 2.6: a device is found by its EUI first, also under another id', async () => {
    await post(ttsNetwork, '/up', ttsUplink({ f_cnt: 900, session_key_id: 'x' }, ttsIds('renamed-1', '0004-A30B-001C-0531')));
    await settled(ttsNetwork);
    expect((await storedOf(app, 'weather-app', 'roof-2')).uplinks).toHaveLength(2);
  });

  test('iot-behaviour 2.5: join, queued and failed downlinks stand in the message log; a join is a point', async () => {
    const of = (more: object) => ({ end_device_ids: ttsIds(), received_at: heardAt(0), ...more });
    const downlink = { f_port: 1, f_cnt: 3, correlation_ids: ['cmd:01JH00000000000000000000AA'] };
    await post(ttsNetwork, '/join', of({ join_accept: { session_key_id: 'j-1' } }));
    await post(ttsNetwork, '/join', of({ join_accept: { session_key_id: 'j-1' } }));
    await post(ttsNetwork, '/queued', of({ downlink_queued: downlink }));
    await post(ttsNetwork, '/failed', of({ downlink_failed: { downlink, error: { name: 'too_long', message_format: 'too long' } } }));
    await settled(ttsNetwork);
    const events = (await messagesOf('weather-app', 'roof-1')).filter(({ status }) => status === 'event');
    expect(events.map(({ event }) => event?.name)).toEqual(['failed', 'queued', 'join']);
    expect((await storedOf(app, 'weather-app', 'roof-1')).points['sys.joined']).toBe(1);
    expect(networks.reported.map(({ attempt_id, kind, reason }) => [attempt_id, kind, reason])).toEqual([
      ['01JH00000000000000000000AA', 'queued', undefined],
      ['01JH00000000000000000000AA', 'failed', 'too_long: too long'],
    ]);
  });

  test('design 8.1: the secret of the network opens its webhook, nothing else does', async () => {
    const statusOf = async (headers: Record<string, string>, id: number | string = ttsNetwork.id) =>
      (await app.anonymous().json('POST', `/api/networks/${id}/webhook/up`, ttsUplink(), headers)).status;
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await statusOf({ authorization: `Key ${app.admin.api_key}` })).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${ttsNetwork.webhook_secret}` }, chirpStackNetwork.id)).toBe(401);
    for (const id of [999_999, 'x', '1%27']) expect(await statusOf({ authorization: 'Bearer wrong' }, id)).toBe(401);
    const rotated = await admin.get(networksApi.rotateSecret, { params: { id: ttsNetwork.id } });
    expect((await post(ttsNetwork, '/up', ttsUplink())).status).toBe(401);
    ttsNetwork.webhook_secret = rotated.webhook_secret;
    expect((await post(ttsNetwork, '/up', ttsUplink())).status).toBe(200);
  });

  test.each([['{'], ['[]'], ['7'], ['{}'], [''], ['{"end_device_ids":{"device_id":"a\\u0000b"}}']])(
    'What cannot be read is a 400: %s',
    async (body) => {
      const reply = await app.anonymous().fetch(`/api/networks/${ttsNetwork.id}/webhook/up`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${ttsNetwork.webhook_secret}` },
      });
      expect(reply.status).toBe(400);
    },
  );

  test('Script, SQL and other oddities in names are data', async () => {
    const odd = { "x'); drop table telemetry.uplink; --": 1, '<script>': 2, __proto__: 3, constructor: 'a', 'lora.rssi': 5 };
    const body = ttsUplink({ f_cnt: 7, decoded_payload: odd, attributes: { 'a\u0000b': 'c\u0000' } }, ttsIds('odd-1', '00000000000000AA'));
    expect((await post(ttsNetwork, '/up', body)).status).toBeLessThan(500);
    await settled(ttsNetwork);
    expect((await storedOf(app, 'weather-app', 'odd-1')).uplinks.length).toBeLessThanOrEqual(1);
  });
});

describe('iot-behaviour 2.3: ChirpStack over MQTT', () => {
  test('An uplink is stored under its EUI with the name of its device; basic metadata are four points', async () => {
    await broker.publish(topic('up'), chirpStackUplink());
    const { points, uplinks } = await uplinksOf('weather-cs', '0101010101010101', 1);
    expect(points).toEqual({ temperature: 21.5, led: 1, 'lora.rssi': -36, 'lora.snr': 10.5, 'lora.sf': 7, 'lora.fcnt': 12 });
    expect(uplinks).toMatchObject([{ source: 'chirpstack', fport: 2, fcnt: 12 }]);
    const device = await admin.get(devicesApi.get, { params: { id: 'weather-cs', deviceId: '0101010101010101' } });
    expect(device).toMatchObject({ name: 'Roof sensor', dev_eui: '0101010101010101' });
  });

  test('Status, location and log become points, a position and lines of the log', async () => {
    const of = (more: object) => ({ deviceInfo: chirpStackInfo(), time: heardAt(0), ...more });
    await broker.publish(topic('status'), of({ deduplicationId: 's-1', margin: 8, batteryLevel: 75.5 }));
    await broker.publish(topic('location'), of({ deduplicationId: 'l-1', location: { latitude: 52.1, longitude: 4.2 } }));
    await broker.publish(topic('log'), of({ level: 'WARNING', code: 'UPLINK_CODEC', description: 'no decoder' }));
    const messages = await until(
      () => messagesOf('weather-cs', '0101010101010101'),
      (all) => all.filter(({ status }) => status === 'event').length === 3,
    );
    expect(messages.filter(({ event }) => event).map(({ event }) => event)).toEqual([
      { name: 'log', level: 'warning', message: 'UPLINK_CODEC: no decoder' },
      { name: 'location', level: 'info', message: 'The network found its position' },
      { name: 'status', level: 'info', message: 'Margin 8 dB, battery 75.5 %' },
    ]);
    const { points } = await until(
      () => storedOf(app, 'weather-cs', '0101010101010101'),
      (stored) => 'lora.latitude' in stored.points,
    );
    expect(points).toMatchObject({ 'lora.margin': 8, 'lora.battery': 75.5, 'lora.latitude': 52.1, 'lora.longitude': 4.2 });
    const device = () => admin.get(devicesApi.get, { params: { id: 'weather-cs', deviceId: '0101010101010101' } });
    expect(await until(device, ({ latitude }) => latitude !== null)).toMatchObject({ latitude: 52.1, longitude: 4.2 });
  });

  test('Nothing is lost or doubled: duplicates, reordering, a broker that goes away, a process that restarts', async () => {
    const eui = '0202020202020202';
    const send = (fCnt: number) =>
      broker.publish(
        topic('up', eui),
        chirpStackUplink({ fCnt, deduplicationId: `dedupe-${fCnt}`, object: { n: fCnt }, rxInfo: [], time: heardAt(fCnt) }, eui),
      );
    for (const fCnt of [1, 2, 4, 3, 4, 2]) await send(fCnt);
    await uplinksOf('weather-cs', eui, 4);
    await broker.goAway();
    for (const fCnt of [5, 6, 6, 7]) await send(fCnt);
    await broker.comeBack();
    await uplinksOf('weather-cs', eui, 7);
    await networks.stop();
    for (const fCnt of [8, 9, 9]) await send(fCnt);
    await networks.start();
    await uplinksOf('weather-cs', eui, 9);
    for (let fCnt = 10; fCnt < 210; fCnt++) await send(fCnt);
    const { uplinks, all } = await uplinksOf('weather-cs', eui, 209);
    expect(uplinks.map(({ fcnt }) => fcnt).sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(Array.from({ length: 209 }, (_, n) => n + 1));
    expect(all.filter(({ attribute }) => attribute === 'n')).toHaveLength(209);
  });

  test('A message that cannot be read is acknowledged and named, and the next one is stored', async () => {
    await broker.publish(topic('up', '0303030303030303'), Buffer.from([0x0a, 0x24]));
    await broker.publish(topic('up', '0303030303030303'), chirpStackUplink({ deduplicationId: 'after' }, '0303030303030303'));
    await uplinksOf('weather-cs', '0303030303030303', 1);
    const network = await until(
      () => admin.get(networksApi.get, { params: { id: chirpStackNetwork.id } }),
      ({ last_error }) => last_error !== null,
    );
    expect(network).toMatchObject({ state: 'connected', last_error: expect.stringContaining('Set its marshaler to JSON') });
    expect(network.last_message_at).not.toBeNull();
  });

  test('iot-behaviour 2.4: by the HTTP integration, with the event in the query; Protobuf gets advice in its error', async () => {
    const eui = '0404040404040404';
    await connected(chirpStackNetwork.id);
    expect((await post(chirpStackNetwork, '?event=up', chirpStackUplink({ deduplicationId: 'by-http' }, eui))).status).toBe(200);
    await uplinksOf('weather-cs', eui, 1);
    expect((await post(chirpStackNetwork, '', chirpStackUplink({}, eui))).status).toBe(400);
    const protobuf = await post(chirpStackNetwork, '?event=up', 'x', { 'content-type': 'application/octet-stream' });
    expect(protobuf.status).toBe(415);
  });

  test('iot-behaviour 2.6: where a channel creates no devices, an unknown one is rejected by name', async () => {
    await admin.get(channelsApi.save, { params: { id: 'weather-cs' }, body: { settings: { auto_create: false } } });
    // The process that holds the network gets the setting by a notification.
    await until(
      () => networks.directory.findNetworkChannels(chirpStackNetwork.id),
      (channels) => channels.every(({ auto_create }) => !auto_create),
    );
    await post(chirpStackNetwork, '?event=up', chirpStackUplink({ deduplicationId: 'stranger' }, '0505050505050505'));
    await settled(chirpStackNetwork);
    const { rows } = await sql<{ code: string }>`select code from app.uplink_rejected where device_id = '0505050505050505'`.execute(
      app.ctx.db,
    );
    expect(rows).toEqual([{ code: 'unknown_device' }]);
  });
});

test('iot-behaviour 2.1: The Things Stack over MQTT; a wrong key is an error with its reason', async () => {
  const strict = await foreignBroker({ username: 'mqtt-app@ttn', password: 'NNSXS.A.B' });
  const options = { address: `mqtt://127.0.0.1:${strict.port}`, application_id: 'mqtt-app', tenant_id: 'ttn' };
  const network = await makeNetwork('tts', { ...options, api_key: 'NNSXS.A.wrong' });
  await makeChannel('mqtt-app', 'tts', network.id);
  const refused = await until(
    () => admin.get(networksApi.get, { params: { id: network.id } }),
    ({ state }) => state === 'error',
  );
  expect(refused.last_error).toContain('does not accept the user name or key');
  await admin.get(networksApi.save, { params: { id: network.id }, body: { options: { ...options, api_key: 'NNSXS.A.B' } } });
  await connected(network.id);
  const ids = { ...ttsIds(), application_ids: { application_id: 'mqtt-app' } };
  await strict.publish('v3/mqtt-app@ttn/devices/roof-1/up', ttsUplink({}, ids), 0);
  expect((await uplinksOf('mqtt-app', 'roof-1', 1)).uplinks).toHaveLength(1);
});

describe('design 8.1: generic HTTP uplink', () => {
  test('Bytes, objects, lists and times', async () => {
    const network = await makeNetwork('http');
    await makeChannel('posted', 'http', network.id);
    await connected(network.id);
    const list = [
      { device_id: 'pump-1', data: { flow: 3 }, ts: 1_700_000_000 + 86_400 * 900, rssi: -80, snr: 4.5, sf: 9, gateway_id: 'gw' },
      { dev_eui: 'AA-BB-CC-DD-EE-FF-00-11', f_port: 3, payload_hex: '01 02' },
      { device_id: 'pump-1', payload_base64: 'AQI=', data: { flow: 4 } },
    ];
    expect((await post(network, '', list)).status).toBe(200);
    await settled(network);
    const pump = await storedOf(app, 'posted', 'pump-1');
    expect(pump.points).toMatchObject({ 'lora.rssi': -80, 'lora.snr': 4.5, 'lora.sf': 9 });
    expect(pump.uplinks).toHaveLength(2);
    const other = await storedOf(app, 'posted', 'aabbccddeeff0011');
    expect(other.uplinks).toMatchObject([{ source: 'http', fport: 3, raw: Buffer.from([1, 2]) }]);
    for (const body of [{}, { device_id: 'a' }, { device_id: 'abc', payload_hex: '0' }, { dev_eui: 'zz', data: {} }, [], { data: {} }])
      expect((await post(network, '', body)).status).toBe(400);
  });
});

test('a message of an application without a channel is shown at the network', async () => {
  const network = await makeNetwork('tts', { application_id: 'alone' });
  await connected(network.id);
  await post(network, '/up', ttsUplink());
  const told = await until(
    () => admin.get(networksApi.get, { params: { id: network.id } }),
    ({ last_error }) => last_error !== null,
  );
  expect(told.last_error).toBe('No channel takes the application weather-app.');
});

test('Turning a network off and on again leaves its options as they are', async () => {
  const network = await makeNetwork('tts', { application_id: 'kept' });
  for (const is_disabled of [true, false]) {
    const saved = await admin.get(networksApi.save, { params: { id: network.id }, body: { is_disabled } });
    expect(saved).toMatchObject({ is_disabled, options: { application_id: 'kept' } });
  }
});

test('A disabled network is closed, and says so', async () => {
  const network = await makeNetwork('http');
  const saved = await admin.get(networksApi.save, { params: { id: network.id }, body: { is_disabled: true } });
  expect(saved.state).toBe('disabled');
  expect((await post(network, '', { device_id: 'abc', data: {} })).status).toBe(403);
});

test('iot-behaviour 2.5: our own decoder wins over what the network decoded, and the radio facts stay', async () => {
  const network = await makeNetwork('tts', { application_id: 'decoded' });
  await makeChannel('decoded', 'tts', network.id);
  await connected(network.id);
  const script = 'function decodeUplink(input) { return { data: { first: input.bytes[0], port: input.fPort } }; }';
  await admin.get(decodersApi.save, { params: { id: 'decoded' }, body: { script, examples: [] } });
  const ids = { ...ttsIds(), application_ids: { application_id: 'decoded' } };
  await post(network, '/up', ttsUplink({}, ids));
  await settled(network);
  const { points, uplinks } = await storedOf(app, 'decoded', 'roof-1');
  expect(points).toEqual({ first: 8, port: 2, 'lora.rssi': -60, 'lora.snr': 9.5, 'lora.sf': 7, 'lora.fcnt': 118, 'lora.battery': 81.5 });
  expect(uplinks).toMatchObject([{ time: heardAt(110) }]);
  const { rows } = await sql`select decoder_version from app.uplink where channel_id = 'decoded'`.execute(app.ctx.db);
  expect(rows).toEqual([{ decoder_version: 1 }]);
});

test('iot-behaviour 2.5: a frame without bytes is stored as it is, whatever the decoder would make of nothing', async () => {
  const network = await makeNetwork('tts', { application_id: 'silent' });
  await makeChannel('silent', 'tts', network.id);
  await connected(network.id);
  const script = 'function decodeUplink(input) { return { errors: ["no bytes"] }; }';
  await admin.get(decodersApi.save, { params: { id: 'silent' }, body: { script, examples: [] } });
  const ids = { ...ttsIds(), application_ids: { application_id: 'silent' } };
  await post(network, '/up', ttsUplink({ frm_payload: '', decoded_payload: undefined }, ids));
  await settled(network);
  const { points } = await storedOf(app, 'silent', 'roof-1');
  expect(points).toMatchObject({ 'lora.rssi': -60, 'lora.fcnt': 118 });
  await post(network, '/up', ttsUplink({ frm_payload: '', decoded_payload: { flow: 3 }, f_cnt: 119 }, ids));
  await settled(network);
  const { rows } = await sql`
    select encoding, status, decoder_version from app.uplink where channel_id = 'silent' order by uplink_id`.execute(app.ctx.db);
  expect(rows).toEqual([
    { encoding: 'raw', status: 'stored', decoder_version: null },
    { encoding: 'json', status: 'stored', decoder_version: null },
  ]);
});
