import { connect } from 'node:net';
import tls from 'node:tls';
import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../connectors/testing/self-signed.ts';
import { applicationId, chirpStackUplink, heardAt, ttsIds, ttsUplink } from '../networks/testing/messages.ts';
import { foreignBroker } from '../testing/foreign-broker.ts';
import { storedOf, testNetworks } from '../testing/networks.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '1:5', TELLTALE_RATE_CHANNEL: '0', TELLTALE_CHANNEL_DEVICES: '3' } });
const admin = app.as(app.admin);
await testNetworks(app);
const broker = await foreignBroker();

let made = 0;
const makeNetwork = (type: string, options: Record<string, unknown> = {}) =>
  admin.get(networksApi.create, { body: { name: `${type} ${++made}`, type, options } });
const makeChannel = (channel_id: string, kind: 'tts' | 'chirpstack', network_id: number, settings = {}) =>
  admin.get(channelsApi.create, { body: { channel_id, kind, settings: { network_id, ...settings } } });
const stateOf = (id: number, state: string) =>
  until(
    () => admin.get(networksApi.get, { params: { id } }),
    (network) => network.state === state,
  );
const post = (network: { id: number; webhook_secret: string }, path: string, body: unknown) =>
  app.anonymous().json('POST', `/api/networks/${network.id}/webhook${path}`, body, { authorization: `Bearer ${network.webhook_secret}` });
const settled = ({ id }: { id: number }) =>
  until(
    async () => (await sql`select from network_inbox where network_id = ${id}`.execute(app.ctx.db)).rows.length,
    (waiting) => waiting === 0,
  );
const rejections = async (channel: string) =>
  (await sql<{ code: string }>`select code from app.uplink_rejected where channel_id = ${channel}`.execute(app.ctx.db)).rows.map(
    ({ code }) => code,
  );

describe('limits of messages from networks', () => {
  test('1.6: who cannot be made to wait is refused above the rate of the device, who can is slowed down and loses nothing', async () => {
    const network = await makeNetwork('tts', { application_id: 'weather-app' });
    await makeChannel('weather-app', 'tts', network.id, { application_id: 'weather-app' });
    await stateOf(network.id, 'connected');
    await Promise.all(
      Array.from({ length: 12 }, (_, n) => post(network, '/up', ttsUplink({ f_cnt: 200 + n, received_at: heardAt(n), rx_metadata: [] }))),
    );
    await settled(network);
    const { uplinks } = await storedOf(app, 'weather-app', 'roof-1');
    expect(uplinks.length).toBeLessThan(12);
    expect(uplinks.length).toBeGreaterThanOrEqual(5);
    expect(await rejections('weather-app')).toContain('rate_limited');

    const options = { address: `127.0.0.1:${broker.port}`, tls: false, application_id: applicationId };
    const byMqtt = await makeNetwork('chirpstack', options);
    await makeChannel('weather-cs', 'chirpstack', byMqtt.id, { application_id: applicationId });
    await stateOf(byMqtt.id, 'connected');
    const topic = `application/${applicationId}/device/0101010101010101/event/up`;
    for (let n = 0; n < 7; n++)
      await broker.publish(topic, chirpStackUplink({ fCnt: n, deduplicationId: `d-${n}`, time: heardAt(n * 10) }));
    const seen = await until(
      () => storedOf(app, 'weather-cs', '0101010101010101'),
      (stored) => stored.uplinks.length >= 7,
    );
    expect(seen.uplinks).toHaveLength(7);
    await until(
      () => broker.acknowledged,
      (count) => count >= 7,
    );
    expect(await rejections('weather-cs')).toEqual([]);
  });

  test('1.10: a channel that has as many devices as it may says so for networks, too', async () => {
    const network = await makeNetwork('tts', { application_id: 'crowd' });
    await makeChannel('crowd', 'tts', network.id, { application_id: 'crowd' });
    await stateOf(network.id, 'connected');
    const ids = (n: number) => ({
      ...ttsIds(`node-${n}`, `0004A30B001C06${String(n).padStart(2, '0')}`),
      application_ids: { application_id: 'crowd' },
    });
    for (let n = 0; n < 5; n++) {
      await post(network, '/up', ttsUplink({ f_cnt: n }, ids(n)));
      await settled(network);
    }
    expect(await rejections('crowd')).toEqual(['too_many_devices', 'too_many_devices']);
  });
});

test('2.5: a join before the channel is bound is reported when it is bound', async () => {
  const network = await makeNetwork('tts', { application_id: 'early' });
  await stateOf(network.id, 'connected');
  const end_device_ids = { ...ttsIds('early-1', '0004A30B001C0777'), application_ids: { application_id: 'early' } };
  const join = { end_device_ids, received_at: heardAt(0), join_accept: { session_key_id: 'j-9' } };
  await post(network, '/join', join);
  await post(network, '/join', join);
  await settled(network);
  await makeChannel('early', 'tts', network.id, { application_id: 'early' });
  const { points } = await until(
    () => storedOf(app, 'early', 'early-1'),
    (stored) => stored.points['sys.joined'] === 1,
  );
  expect(points['sys.joined']).toBe(1);
  // The event follows its point in a transaction of its own.
  const countEvents = async () => {
    const { rows } =
      await sql`select from telemetry.device_event join telemetry.device on device.id = device_pk where device_id = 'early-1'`.execute(
        app.ctx.db,
      );
    return rows.length;
  };
  expect(await until(countEvents, (count) => count > 0)).toBe(1);
});

test('2.7: a command that replaces is refused when it is saved, where ChirpStack has no API', async () => {
  const network = await makeNetwork('chirpstack', { address: `127.0.0.1:${broker.port}`, tls: false });
  await makeChannel('no-api', 'chirpstack', network.id);
  await sql`insert into telemetry.device (channel_pk, device_id, device_name) select id, 'abc', 'abc' from telemetry.channel where channel_id = 'no-api'`.execute(
    app.ctx.db,
  );
  const body = { name: 'open', channel_id: 'no-api', device_ids: ['abc'], fport: 1, payload: '01' };
  const refused = await admin.call(commandsApi.create, { body: { ...body, mode: 'replace' } });
  expect([refused.status, (refused.body as unknown as { message: string }).message]).toEqual([
    400,
    'Replace needs the address and the key of the REST API in the network’s settings.',
  ]);
  const saved = await admin.get(commandsApi.create, { body: { ...body, mode: 'push' } });
  expect((await admin.call(commandsApi.save, { params: { id: saved.id }, body: { mode: 'replace' } })).status).toBe(400);
});

test('2.3: TLS to the broker of a network: a certificate that nobody vouches for is refused, a known one is used', async () => {
  const { key, cert } = selfSigned('localhost');
  const server = tls.createServer({ key, cert }, (socket) => {
    const plain = connect({ host: '127.0.0.1', port: broker.port });
    socket
      .on('error', () => {})
      .pipe(plain.on('error', () => {}))
      .pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  afterAll(() => void server.close());
  const { port } = server.address() as { port: number };
  const options = { address: `localhost:${port}`, tls: true, application_id: 'a0000000-0000-4000-8000-000000000001' };
  const refused = await makeNetwork('chirpstack', options);
  const { last_error } = await until(
    () => admin.get(networksApi.get, { params: { id: refused.id } }),
    (network) => network.last_error !== null,
  );
  expect(last_error).toMatch(/certificate|self-signed|self signed/i);
  await admin.get(networksApi.save, { params: { id: refused.id }, body: { is_disabled: true } });
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, cert]);
  try {
    const trusted = await makeNetwork('chirpstack', options);
    expect((await stateOf(trusted.id, 'connected')).state).toBe('connected');
  } finally {
    tls.setDefaultCACertificates(before);
  }
});
