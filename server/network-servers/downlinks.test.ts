import { createServer } from 'node:http';
import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { commandsApi, deliveriesApi } from '@telltale/domain/commands/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidOfUlid } from '../networks/attempt-uuid.ts';
import type { Downlink } from '../networks/downlinks.ts';
import { applicationId, chirpStackInfo, chirpStackUplink, heardAt, ttsIds, ttsUplink } from '../networks/testing/messages.ts';
import { foreignBroker } from '../testing/foreign-broker.ts';
import { storedOf, testNetworks } from '../testing/networks.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

/** An address that a webhook names has to be allowed, one that an administrator typed (127.0.0.1) not. */
const app = await testApp({ env: { TELLTALE_ALLOW_PRIVATE: 'localhost' } });
const admin = app.as(app.admin);
const networks = await testNetworks(app, { sends: true });
const broker = await foreignBroker();

/** A stand-in for ChirpStack's REST API, which records its requests. */
const asked: { method: string; url: string; key: string; body: unknown }[] = [];
/** So many requests to delete something are answered with 503. */
let refusedDeletes = 0;
/** Requests for this device are answered with 401. */
let revokedPath: string | undefined;
const api = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    const key = String(request.headers['grpc-metadata-authorization'] ?? request.headers.authorization ?? '');
    asked.push({ method: request.method ?? '', url: request.url ?? '', key, body: text ? JSON.parse(text) : null });
    response
      .writeHead(
        key.includes('wrong') || (revokedPath && request.url?.includes(revokedPath))
          ? 401
          : request.method === 'DELETE' && refusedDeletes-- > 0
            ? 503
            : 200,
      )
      .end(request.method === 'POST' ? '{"id":"5f1e0000-0000-4000-8000-000000000001"}' : '{}');
  });
});
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
const apiPort = (api.address() as { port: number }).port;
afterAll(() => api.close());

const connected = (id: number) =>
  until(
    () => admin.get(networksApi.get, { params: { id } }),
    ({ state }) => state === 'connected',
  );
const attempt = '01JH0000000000000000000001';
const downlink = (more: Partial<Downlink> = {}): Downlink => ({
  attempt_id: attempt,
  attempt: 1,
  command: 'open',
  fport: 15,
  mode: 'push',
  confirm: true,
  payload: { encoding: 'hex', bytes: Buffer.from([0xbe, 0xef]) },
  network_attempts: 3,
  created: Date.now(),
  expires: Date.parse('2030-01-01T00:00:00Z'),
  ...more,
});
const device = async (channelId: string, deviceId: string) => {
  const found = await networks.directory.findDevice(channelId, deviceId);
  if (!found) throw new Error('There is no such device.');
  return found;
};
const heard = (topic: string) =>
  until(
    () => broker.received.filter((each) => each.topic === topic),
    (all) => all.length > 0,
  );
const reachable = async (channelId: string, deviceId: string) => {
  const found = await device(channelId, deviceId);
  await until(() => networks.carrier.reaches(found), Boolean);
  return found;
};

describe('iot-behaviour 2.7: downlinks in the exact JSON of the network', () => {
  beforeAll(async () => {
    const address = `127.0.0.1:${broker.port}`;
    const options = { address, tls: false, application_id: 'weather-app', tenant_id: 'ttn', api_key: 'NNSXS.A.B' };
    const tts = await admin.get(networksApi.create, { body: { name: 'TTS', type: 'tts', options } });
    await admin.get(channelsApi.create, { body: { channel_id: 'weather-app', kind: 'tts', settings: { network_id: tts.id } } });
    const chirpStack = {
      address,
      tls: false,
      application_id: applicationId,
      api_address: `http://127.0.0.1:${apiPort}`,
      api_key: 'api-key',
    };
    const cs = await admin.get(networksApi.create, { body: { name: 'CS', type: 'chirpstack', options: chirpStack } });
    await admin.get(channelsApi.create, { body: { channel_id: 'weather-cs', kind: 'chirpstack', settings: { network_id: cs.id } } });
    await Promise.all([connected(tts.id), connected(cs.id)]);
    await broker.publish('v3/weather-app@ttn/devices/roof-1/up', ttsUplink());
    await broker.publish(`application/${applicationId}/device/0101010101010101/event/up`, chirpStackUplink());
    await until(
      () => storedOf(app, 'weather-app', 'roof-1'),
      ({ uplinks }) => uplinks.length > 0,
    );
    await until(
      () => storedOf(app, 'weather-cs', '0101010101010101'),
      ({ uplinks }) => uplinks.length > 0,
    );
  });

  test('The Things Stack: push, on the topic of the device', async () => {
    expect(await networks.carrier.send(await reachable('weather-app', 'roof-1'), downlink())).toEqual({ status: 'queued' });
    const [sent] = await heard('v3/weather-app@ttn/devices/roof-1/down/push');
    expect(sent?.body).toEqual({
      downlinks: [
        {
          f_port: 15,
          frm_payload: 'vu8=',
          confirmed: true,
          priority: 'NORMAL',
          correlation_ids: [`cmd:${attempt}`],
          confirmed_retry: { max_attempts: 3 },
        },
      ],
    });
  });

  test('The Things Stack: replace, with an object that their formatter encodes', async () => {
    const payload = { encoding: 'json' as const, value: { open: true }, bytes: Buffer.from('{"open":true}'), isEncoded: false };
    await networks.carrier.send(
      await device('weather-app', 'roof-1'),
      downlink({ mode: 'replace', confirm: false, payload, attempt_id: `${attempt.slice(0, -1)}2` }),
    );
    const [sent] = await heard('v3/weather-app@ttn/devices/roof-1/down/replace');
    expect(sent?.body).toEqual({
      downlinks: [
        {
          f_port: 15,
          decoded_payload: { open: true },
          confirmed: false,
          priority: 'NORMAL',
          correlation_ids: [`cmd:${attempt.slice(0, -1)}2`],
        },
      ],
    });
  });

  test('ChirpStack: a command with our id as a UUID', async () => {
    await networks.carrier.send(await reachable('weather-cs', '0101010101010101'), downlink({ attempt_id: `${attempt.slice(0, -1)}3` }));
    const [sent] = await heard(`application/${applicationId}/device/0101010101010101/command/down`);
    expect(sent?.body).toEqual({
      id: uuidOfUlid(`${attempt.slice(0, -1)}3`),
      devEui: '0101010101010101',
      confirmed: true,
      fPort: 15,
      data: 'vu8=',
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
  });

  test('ChirpStack: replace empties the queue by the API first', async () => {
    await networks.carrier.send(
      await device('weather-cs', '0101010101010101'),
      downlink({ mode: 'replace', attempt_id: `${attempt.slice(0, -1)}4` }),
    );
    expect(asked).toEqual([{ method: 'DELETE', url: '/api/devices/0101010101010101/queue', key: 'Bearer api-key', body: null }]);
  });

  test('iot-behaviour 3.1: fport 0 and above 223 are refused', async () => {
    for (const fport of [0, 224])
      expect(await networks.carrier.send(await device('weather-app', 'roof-1'), downlink({ fport }))).toEqual({
        status: 'failed',
        reason: 'fport must be between 1 and 223',
      });
  });

  test('iot-behaviour 3.4: events of ChirpStack move the delivery of a command', async () => {
    const body = {
      name: 'open',
      channel_id: 'weather-cs',
      device_ids: ['0101010101010101'],
      fport: 7,
      mode: 'push',
      confirm: true,
      payload: 'be ef',
    };
    const { id } = await admin.get(commandsApi.create, { body });
    const { deliveries } = await admin.get(commandsApi.send, { params: { id }, body: {} });
    const state = async () => (await admin.get(deliveriesApi.get, { params: { id: deliveries[0]?.id ?? 0 } })).state;
    const sent = await until(() => broker.received.findLast(({ body: sentBody }) => (sentBody as { fPort?: number }).fPort === 7), Boolean);
    const { id: queueItemId } = (sent?.body ?? { id: '' }) as { id: string };
    const tell = (event: string, more: object) =>
      broker.publish(`application/${applicationId}/device/0101010101010101/event/${event}`, {
        deviceInfo: chirpStackInfo(),
        time: heardAt(0),
        queueItemId,
        ...more,
      });
    await expect.poll(state).toBe('queued');
    await tell('txack', { fCntDown: 4, gatewayId: 'g' });
    await expect.poll(state).toBe('sent');
    await tell('ack', { fCntDown: 4, acknowledged: true });
    await expect.poll(state).toBe('acknowledged');
  });

  test('iot-behaviour 3.8: what waited at ChirpStack when the device joined anew is handed over again under its id', async () => {
    const body = {
      name: 'close',
      channel_id: 'weather-cs',
      device_ids: ['0101010101010101'],
      fport: 8,
      mode: 'push',
      confirm: true,
      payload: 'be ef',
    };
    const { id } = await admin.get(commandsApi.create, { body });
    const send = async () => (await admin.get(commandsApi.send, { params: { id }, body: {} })).deliveries[0]?.id ?? 0;
    const read = (deliveryId: number) => admin.get(deliveriesApi.get, { params: { id: deliveryId } });
    const handed = () =>
      broker.received.flatMap(({ body: sentBody }) => {
        const item = sentBody as { fPort?: number; id: string };
        return item.fPort === 8 ? [item.id] : [];
      });
    const tell = (event: string, more: object) =>
      broker.publish(`application/${applicationId}/device/0101010101010101/event/${event}`, {
        deviceInfo: chirpStackInfo(),
        time: heardAt(0),
        ...more,
      });
    const gone = await send();
    await expect.poll(handed).toHaveLength(1);
    await tell('txack', { queueItemId: handed()[0], fCntDown: 5, gatewayId: 'g' });
    await expect.poll(async () => (await read(gone)).state).toBe('sent');
    const waiting = await send();
    await expect.poll(async () => (await read(waiting)).state).toBe('queued');

    await tell('join', { deduplicationId: 'join-anew', devAddr: '00189441' });
    await expect.poll(async () => (await read(waiting)).log.map(({ state }) => state)).toContain('requeued');
    // The pause before it is handed over again is cut short.
    await sql`update command_deliveries set next_at = now() where id = ${waiting}`.execute(app.ctx.db);
    await expect.poll(handed).toHaveLength(3);
    expect(handed()[2], 'the same downlink').toBe(handed()[1]);
    await tell('txack', { queueItemId: handed()[2], fCntDown: 0, gatewayId: 'g' });
    await expect.poll(async () => (await read(waiting)).state).toBe('sent');
    expect(await read(waiting)).toMatchObject({ attempt: 1 });
    expect(
      (await read(gone)).log.map(({ state }) => state),
      'what was sent before the join is not sent again',
    ).not.toContain('requeued');
  });
});

test('iot-behaviour 2.8: by the API alone, what ChirpStack calls a downlink is known to be ours', async () => {
  const options = { api_address: `http://127.0.0.1:${apiPort}`, api_key: 'api-key' };
  const network = await admin.get(networksApi.create, { body: { name: 'API alone', type: 'chirpstack', options } });
  await admin.get(channelsApi.create, { body: { channel_id: 'by-api', kind: 'chirpstack', settings: { network_id: network.id } } });
  await connected(network.id);
  const post = (event: string, body: object) =>
    app
      .anonymous()
      .json('POST', `/api/networks/${network.id}/webhook?event=${event}`, body, { authorization: `Bearer ${network.webhook_secret}` });
  await post('up', chirpStackUplink());
  await until(
    () => storedOf(app, 'by-api', '0101010101010101'),
    ({ uplinks }) => uplinks.length > 0,
  );
  const body = {
    name: 'open',
    channel_id: 'by-api',
    device_ids: ['0101010101010101'],
    fport: 9,
    mode: 'push',
    confirm: true,
    payload: '01',
  };
  const { id } = await admin.get(commandsApi.create, { body });
  const { deliveries } = await admin.get(commandsApi.send, { params: { id }, body: {} });
  const state = async () => (await admin.get(deliveriesApi.get, { params: { id: deliveries[0]?.id ?? 0 } })).state;
  await expect.poll(state).toBe('queued');
  const queueItemId = '5f1e0000-0000-4000-8000-000000000001';
  const told = { deviceInfo: chirpStackInfo(), time: heardAt(0), queueItemId, fCntDown: 1 };
  await expect
    .poll(async () => (await sql`select from network_downlinks where network_ref = ${queueItemId}`.execute(app.ctx.db)).rows.length)
    .toBe(1);
  await post('txack', told);
  await expect.poll(state).toBe('sent');
});

test('iot-behaviour 3.8: revoked credentials fail the command; the network and its channels say so until it accepts a downlink again', async () => {
  const options = { api_address: `http://127.0.0.1:${apiPort}`, api_key: 'api-key' };
  const network = await admin.get(networksApi.create, { body: { name: 'Revoked', type: 'chirpstack', options } });
  await admin.get(channelsApi.create, { body: { channel_id: 'revoked', kind: 'chirpstack', settings: { network_id: network.id } } });
  await connected(network.id);
  await app.anonymous().json('POST', `/api/networks/${network.id}/webhook?event=up`, chirpStackUplink({}, '0101010101010188'), {
    authorization: `Bearer ${network.webhook_secret}`,
  });
  await until(
    () => storedOf(app, 'revoked', '0101010101010188'),
    ({ uplinks }) => uplinks.length > 0,
  );
  const body = { name: 'open', channel_id: 'revoked', device_ids: ['0101010101010188'], fport: 9, mode: 'push' as const, payload: '01' };
  const { id } = await admin.get(commandsApi.create, { body });
  const send = async () => {
    const { deliveries } = await admin.get(commandsApi.send, { params: { id }, body: {} });
    const read = () => admin.get(deliveriesApi.get, { params: { id: deliveries[0]?.id ?? 0 } });
    return until(read, ({ state }) => state === 'queued' || state === 'failed');
  };
  const lastError = async () => (await admin.get(networksApi.get, { params: { id: network.id } })).last_error;
  const channel = () => admin.get(channelsApi.get, { params: { id: 'revoked' } });
  expect(await channel()).toMatchObject({ has_network_error: false, are_credentials_refused: false });
  revokedPath = '0101010101010188';
  expect(await send()).toMatchObject({ state: 'failed', reason: 'network_auth' });
  expect(await lastError()).toBe(
    'The network refuses our credentials. Commands fail until a valid key or password is entered below and saved.',
  );
  expect(await channel()).toMatchObject({ has_network_error: true, are_credentials_refused: true });
  revokedPath = undefined;
  expect(await send()).toMatchObject({ state: 'queued' });
  await expect.poll(lastError).toBeNull();
  expect(await channel()).toMatchObject({ has_network_error: false, are_credentials_refused: false });
});

test('iot-behaviour 3.8: a cancelled command is asked back again from a network that was busy', async () => {
  const options = { api_address: `http://127.0.0.1:${apiPort}`, api_key: 'api-key' };
  const network = await admin.get(networksApi.create, { body: { name: 'Busy', type: 'chirpstack', options } });
  await admin.get(channelsApi.create, { body: { channel_id: 'busy', kind: 'chirpstack', settings: { network_id: network.id } } });
  await connected(network.id);
  await app.anonymous().json('POST', `/api/networks/${network.id}/webhook?event=up`, chirpStackUplink({}, '0101010101010177'), {
    authorization: `Bearer ${network.webhook_secret}`,
  });
  await until(
    () => storedOf(app, 'busy', '0101010101010177'),
    ({ uplinks }) => uplinks.length > 0,
  );
  const body = { name: 'close', channel_id: 'busy', device_ids: ['0101010101010177'], fport: 9, mode: 'push' as const, payload: '01' };
  const { id } = await admin.get(commandsApi.create, { body });
  const { deliveries } = await admin.get(commandsApi.send, { params: { id }, body: {} });
  const params = { id: deliveries[0]?.id ?? 0 };
  await expect.poll(async () => (await admin.get(deliveriesApi.get, { params })).state).toBe('queued');
  refusedDeletes = 1;
  await admin.get(deliveriesApi.cancel, { params });
  const deletes = () => asked.filter(({ method, url }) => method === 'DELETE' && url.includes('0101010101010177'));
  await expect.poll(() => deletes().length).toBeGreaterThanOrEqual(2);
  await expect.poll(async () => (await sql`select from command_deliveries where to_withdraw`.execute(app.ctx.db)).rows).toEqual([]);
});

test('iot-behaviour 2.2: without a broker downlinks go where the webhook said, with the key that it brought', async () => {
  const tts = await admin.get(networksApi.create, {
    body: { name: 'By webhook', type: 'tts', options: { application_id: 'hooked', api_key: 'saved-key' } },
  });
  await admin.get(channelsApi.create, { body: { channel_id: 'hooked', kind: 'tts', settings: { network_id: tts.id } } });
  await connected(tts.id);
  const push = `http://localhost:${apiPort}/api/v3/as/applications/hooked/webhooks/telltale/devices/roof-9/down/push`;
  const headers = { authorization: `Bearer ${tts.webhook_secret}`, 'x-downlink-push': push, 'x-downlink-apikey': 'brought-key' };
  const ids = { ...ttsIds('roof-9', '0004A30B001C0599'), application_ids: { application_id: 'hooked' } };
  await app.anonymous().json('POST', `/api/networks/${tts.id}/webhook/up`, ttsUplink({}, ids), headers);
  await until(
    () => storedOf(app, 'hooked', 'roof-9'),
    ({ uplinks }) => uplinks.length > 0,
  );
  const found = await reachable('hooked', 'roof-9');
  await until(
    () => networks.carrier.send(found, downlink({ attempt_id: `${attempt.slice(0, -1)}5` })),
    ({ status }) => status === 'queued',
  );
  const request = asked.at(-1);
  expect(request).toMatchObject({ method: 'POST', url: new URL(push).pathname, key: 'Bearer brought-key' });
  expect(request?.body).toMatchObject({ downlinks: [{ f_port: 15, frm_payload: 'vu8=' }] });
  // security 9: whoever holds the secret of the webhook reaches nothing in the private network.
  const inside = { ...headers, 'x-downlink-push': push.replace('localhost', '127.0.0.1') };
  await app.anonymous().json('POST', `/api/networks/${tts.id}/webhook/up`, ttsUplink({ f_cnt: 2 }, ids), inside);
  const count = asked.length;
  await expect
    .poll(() => networks.carrier.send(found, downlink({ attempt_id: `${attempt.slice(0, -1)}6` })))
    .toMatchObject({ status: 'later', reason: "Can't query private addresses." });
  expect(asked.length - count).toBeLessThanOrEqual(1);
});

test('Simulated network: join, uplinks, a confirmed downlink that is sent in a receive window and acknowledged by the next uplink', async () => {
  const options = { devices: 1, interval_seconds: 4, loss_percent: 0, speed: 20 };
  const network = await admin.get(networksApi.create, { body: { name: 'Sim', type: 'simulated', options } });
  await admin.get(channelsApi.create, { body: { channel_id: 'sim', kind: 'simulated', settings: { network_id: network.id } } });
  await until(
    () => storedOf(app, 'sim', 'sim-01'),
    ({ uplinks }) => uplinks.length > 1,
  );
  const body = {
    name: 'light',
    channel_id: 'sim',
    device_ids: ['sim-01'],
    fport: 10,
    mode: 'push',
    confirm: true,
    payload: '{"led":true}',
  };
  const { id } = await admin.get(commandsApi.create, { body });
  const { deliveries } = await admin.get(commandsApi.send, { params: { id }, body: {} });
  const read = () => admin.get(deliveriesApi.get, { params: { id: deliveries[0]?.id ?? 0 } });
  await expect.poll(async () => (await read()).state).toBe('acknowledged');
  expect((await read()).log.map(({ state }) => state)).toEqual(expect.arrayContaining(['queued', 'sent', 'acknowledged']));
  const { points, uplinks } = await until(
    () => storedOf(app, 'sim', 'sim-01'),
    (stored) => stored.points.led === 1,
  );
  expect(points).toMatchObject({ led: 1, 'sys.joined': 1 });
  expect(uplinks[0]).toMatchObject({ source: 'simulated', fcnt: 0 });
  await admin.get(networksApi.remove, { params: { id: network.id } });
});
