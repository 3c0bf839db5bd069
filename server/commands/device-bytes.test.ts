import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { devicesApi } from '@telltale/domain/channels/contract.ts';
import { alertCommandsApi, commandSubscriptionsApi, commandsApi, deliveriesApi } from '@telltale/domain/commands/contract.ts';
import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { alertFired } from '../alerts/alert-signals.ts';
import { DecoderPool } from '../decoders/engine/pool.ts';
import { emit } from '../platform/signals.ts';
import { testBroker } from '../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../testing/fleet.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const mqtt = await testBroker(app);
mqtt.startDispatcher();

/** The key of a valve is part of its bytes; a valve without one cannot be reached. */
const script = `function encodeDownlink(input) {
  var key = input.variables.key;
  if (!key) return { errors: ['the device has no key'] };
  return { bytes: [Number(key), input.data.level], fPort: Number(input.variables.port || input.fPort) };
}`;
const noKey = 'The encoder of the channel cannot encode this: the device has no key';

let channels = 0;
/** A channel with an encoder, and a device for each set of variables. */
async function valves(variables: Record<string, string>[], { code = script, kind = 'mqtt' } = {}): Promise<MadeDevice[]> {
  const id = `valves-${++channels}`;
  const devices = await makeDevices(app.ctx, id, variables.length);
  await sql`update telemetry.channel set kind = ${kind} where channel_id = ${id}`.execute(app.ctx.db);
  await sql`update telemetry.device set variables = given.variables
    from jsonb_to_recordset(${JSON.stringify(devices.map(({ pk }, at) => ({ pk, variables: variables[at] })))}::jsonb) as given(pk int, variables jsonb)
    where id = given.pk`.execute(app.ctx.db);
  await admin.get(decodersApi.save, { params: { id }, body: { script: code } });
  return devices;
}

const create = (devices: readonly MadeDevice[], more: Record<string, unknown> = {}) =>
  admin.call(commandsApi.create, {
    body: {
      name: 'set',
      channel_id: devices[0]?.channel_id,
      device_ids: devices.map(({ device_id }) => device_id),
      fport: 2,
      mode: 'push',
      payload: '{"level": 7}',
      ...more,
    },
  });
const send = (id: number, body: Record<string, unknown> = {}) => admin.call(commandsApi.send, { params: { id }, body });
const delivery = (id: number | null | undefined) => admin.get(deliveriesApi.get, { params: { id: id ?? 0 } });

type Message = { id: string; payload: unknown; encoding?: string; fport: number };
async function listening(device: MadeDevice): Promise<Message[]> {
  const client = await mqtt.device(device);
  const messages: Message[] = [];
  client.on('message', (_topic, payload) => messages.push(JSON.parse(payload.toString()) as Message));
  await client.subscribeAsync('v1/me/down', { qos: 1 });
  return messages;
}

test('iot-behaviour 3.8: a linked command that cannot be encoded for any device fails where it is seen: at the command, at the alert and at its destinations', async () => {
  const devices = await valves([{ key: '1' }, { key: '2' }]);
  const { body: command } = await create(devices);
  const params = { id: command.id };
  const destination = await admin.get(destinationsApi.create, {
    body: { name: 'Linked', type: 'webhook', options: { url: 'https://x.example' } },
  });
  await admin.get(commandSubscriptionsApi.create, { params, body: { destination_id: destination.id } });
  const channel_id = devices[0]?.channel_id ?? '';
  const options = { kind: 'device', channel_id, device_ids: [], attribute: 'level', op: '>', value: 5 } as never;
  const { id: alert_id } = await admin.get(alertsApi.create, { body: { name: 'Level', options } });
  await admin.get(alertCommandsApi.create, { params: { id: alert_id }, body: { command_id: command.id } });
  await sql`update telemetry.device set variables = '{}' where id = any(${devices.map(({ pk }) => pk)}::int[])`.execute(app.ctx.db);

  const started: string[] = [];
  const fired = { alert_id, alert_name: 'Level', evaluation_id: 1, previous_state: 'ok', value: 6, device: null, is_muted: false } as const;
  await app.ctx.transaction((tx) => emit(tx, alertFired, { ...fired, state: 'triggered', started }));
  expect(started).toEqual([]);
  const failed = { state: 'failed', reason: noKey, bytes_hex: '', is_final: true };
  expect((await admin.get(commandsApi.deliveries, { params })).results).toMatchObject([failed, failed]);
  const seen = { kind: 'command', target_id: command.id, name: 'set', status: 'failed', last_error: noKey };
  expect((await admin.get(alertsApi.deliveries, { params: { id: alert_id } })).results).toMatchObject([seen, seen]);
  const told = await sql`select from notice_deliveries where command_id = ${command.id}`.execute(app.ctx.db);
  expect(told.rows).toHaveLength(2);
});

test('iot-behaviour 4.1: each device gets the bytes of its own variables, one that cannot be encoded for fails, and the others are sent', async () => {
  const devices = await valves([{ key: '1' }, { key: '1' }, { key: '2', port: '9' }, {}]);
  const { body: command } = await create(devices);
  const params = { id: command.id };
  const preview = (await send(command.id, { preview: true })).body;
  const bytes = { encoding: 'json', bytes_hex: '0107', state: 'pending', reason: null };
  expect(preview.deliveries).toMatchObject([
    bytes,
    bytes,
    { ...bytes, bytes_hex: '0207' },
    { bytes_hex: '', state: 'failed', reason: noKey },
  ]);

  const { rows } = await sql<{ id: number }>`
    insert into destinations (org_id, name, type, options_sealed) select id, 'Hook', 'webhook', '\\x00' from organizations returning id`.execute(
    app.ctx.db,
  );
  await admin.get(commandSubscriptionsApi.create, { params, body: { destination_id: rows[0]?.id ?? 0 } });
  const { body: sent, status } = await send(command.id);
  expect(status).toBe(200);
  expect(sent.deliveries.map(({ bytes_hex, state, reason }) => [bytes_hex, state, reason])).toEqual([
    ['0107', 'queued', null],
    ['0107', 'queued', null],
    ['0207', 'queued', null],
    ['', 'failed', noKey],
  ]);
  const listed = await admin.get(commandsApi.deliveries, { params });
  expect(listed.results.toReversed().map(({ bytes_hex, fport, state, is_final }) => [bytes_hex, fport, state, is_final])).toEqual([
    ['0107', 2, 'queued', false],
    ['0107', 2, 'queued', false],
    ['0207', 9, 'queued', false],
    ['', 2, 'failed', true],
  ]);
  expect(await admin.get(commandsApi.executions, { params })).toMatchObject({
    results: [{ devices: 4, states: { queued: 3, failed: 1 } }],
  });
  const failed = await delivery(sent.deliveries[3]?.id);
  expect(failed).toMatchObject({ state: 'failed', reason: noKey, attempt: 0, sent_at: null, finished_at: expect.any(String) });
  expect(failed.log).toMatchObject([{ attempt: 0, state: 'failed', reason: noKey }]);
  const told = await sql<{ device_id: string | null }>`select device_id from notice_deliveries where command_id = ${command.id}`.execute(
    app.ctx.db,
  );
  expect(told.rows, 'those who follow the command are told of the failed one').toEqual([{ device_id: devices[3]?.device_id }]);

  const heard = [];
  for (const device of devices) heard.push(await listening(device));
  const sentTo = (place: number) => expect.poll(async () => (await delivery(sent.deliveries[place]?.id)).state);
  for (const place of [0, 1, 2]) await sentTo(place).toBe('sent');
  expect(heard).toMatchObject([
    [{ payload: '0107', encoding: 'hex', fport: 2 }],
    [{ payload: '0107', encoding: 'hex', fport: 2 }],
    [{ payload: '0207', encoding: 'hex', fport: 9 }],
    [],
  ]);
});

test('iot-behaviour 4.1 and 3.5: what is sent again are the bytes of the first time, over MQTT and over HTTP', async () => {
  const devices = (await valves([{ key: '1' }, { key: '2' }])) as [MadeDevice, MadeDevice];
  const [first, second] = devices;
  const messages = await listening(second);
  const { body: command } = await create(devices, { confirm: true });
  const { body: sent } = await send(command.id);
  const ids = sent.deliveries.map(({ id }) => id ?? 0);
  await expect.poll(async () => (await delivery(ids[1])).state).toBe('sent');
  await sql`update command_deliveries set max_attempts = 2 where id = any(${ids}::int[])`.execute(app.ctx.db);
  for (const { channel_id, device_id } of devices)
    await admin.get(devicesApi.save, { params: { id: channel_id, deviceId: device_id }, body: { variables: { key: '77' } } });
  // The time for an answer passes, then the pause before the next attempt.
  const later = () => sql`update command_deliveries set next_at = now() where id = ${ids[1]}`.execute(app.ctx.db);
  await later();
  await expect.poll(async () => (await delivery(ids[1])).state).toBe('nacked');
  await later();
  await expect.poll(() => messages.length).toBe(2);
  expect(messages.map(({ payload }) => payload)).toEqual(['0207', '0207']);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(2);

  const twin = await fetch(`${app.origin}/api/v1/${first.channel_id}/devices/${first.device_id}/down?wait=20`, {
    headers: { authorization: `Key ${first.api_key}` },
  });
  expect(await twin.json()).toMatchObject({ payload: '0107', encoding: 'hex', fport: 2 });
  expect((await send(command.id, { preview: true })).body.deliveries).toMatchObject([{ bytes_hex: '4d07' }, { bytes_hex: '4d07' }]);
});

test('iot-behaviour 4.1: a command that can be encoded for no device is refused, saved or sent', async () => {
  const devices = (await valves([{ key: '1' }, {}])) as [MadeDevice, MadeDevice];
  const [keyed, plain] = devices;
  expect(await create([plain])).toMatchObject({ status: 400, message: noKey });
  const { body: command, status } = await create(devices);
  expect(status, 'one device that it can be encoded for is enough to save it').toBe(200);
  for (const preview of [true, false])
    expect(await send(command.id, { preview, device_ids: [plain.device_id] })).toMatchObject({ status: 400, message: noKey });
  expect(await admin.get(commandsApi.executions, { params: { id: command.id } })).toMatchObject({ count: 0 });
  expect((await send(command.id, { device_ids: [keyed.device_id] })).body.deliveries).toMatchObject([{ bytes_hex: '0107' }]);
});

test('iot-behaviour 4.1: devices with equal variables cost one encoding, and many different ones are all encoded for', async () => {
  const calls = vi.spyOn(DecoderPool.prototype, 'run');
  onTestFinished(() => calls.mockRestore());
  const encodings = () => calls.mock.calls.filter(([, , { command }]) => command === 'encodeDownlink').length;
  const same = await valves(Array.from({ length: 500 }, () => ({ key: '3', port: '4' })));
  const { body: one } = await create(same);
  calls.mockClear();
  const { body: sent } = await send(one.id);
  expect(encodings()).toBe(1);
  expect(new Set(sent.deliveries.map(({ bytes_hex }) => bytes_hex))).toEqual(new Set(['0307']));
  const { rows } = await sql`select from command_deliveries where execution_id = ${sent.execution_id} and bytes is not null`.execute(
    app.ctx.db,
  );
  expect(rows, 'bytes that all devices get are stored once').toEqual([]);

  const different = await valves(Array.from({ length: 200 }, (_, n) => ({ key: String(n + 1) })));
  const { body: other } = await create(different);
  calls.mockClear();
  const { deliveries } = (await send(other.id, { preview: true })).body;
  expect(encodings()).toBe(200);
  expect(deliveries.map(({ bytes_hex }) => bytes_hex)).toEqual(different.map((_, n) => Buffer.from([n + 1, 7]).toString('hex')));
});

test('iot-behaviour 2.7 and 3.1: the length and the port of each radio packet are checked, and so is a port that no table can hold', async () => {
  const code = `function encodeDownlink(input) {
    return { bytes: new Array(Number(input.variables.length || 1)).fill(1), fPort: Number(input.variables.port || input.fPort) };
  }`;
  const radios = await valves([{}, {}, { length: '243' }, { port: '224' }, { length: '242', port: '223' }], { code, kind: 'tts' });
  const { body: command } = await create(radios);
  expect((await send(command.id)).body.deliveries.map(({ state, reason }) => reason ?? state)).toEqual([
    'pending',
    'pending',
    'The payload has 243 bytes; at most 242 can be sent.',
    'fport must be between 1 and 223',
    'pending',
  ]);
  const devices = await valves([{ port: '70000' }, { port: '70000' }, {}], { code });
  const { body: direct } = await create(devices);
  expect((await send(direct.id)).body.deliveries.map(({ state, reason }) => reason ?? state)).toEqual([
    'fport must be between 0 and 223',
    'fport must be between 0 and 223',
    'queued',
  ]);
});

test('iot-behaviour 3.2: a replace that cannot be encoded for a device leaves what waits for it', async () => {
  const devices = (await valves([{ key: '1' }, {}])) as [MadeDevice, MadeDevice];
  const waiting = (await send((await create(devices, { payload: '01' })).body.id)).body.deliveries;
  await send((await create(devices, { mode: 'replace' })).body.id);
  expect((await delivery(waiting[0]?.id)).state).toBe('replaced');
  expect((await delivery(waiting[1]?.id)).state).toBe('queued');
});

test('iot-behaviour 4.3: a command waits for decoders that are busy with messages, and no device fails by it', async () => {
  const devices = await valves([{ key: '1' }, { key: '2' }]);
  const { body: command } = await create(devices);
  const run = vi.spyOn(DecoderPool.prototype, 'run');
  onTestFinished(() => run.mockRestore());
  const busy = { fault: { code: 'decoder_busy', message: 'Too many messages wait for their decoder.' }, ms: 0 } as const;
  run.mockResolvedValueOnce(busy).mockResolvedValueOnce(busy).mockResolvedValueOnce(busy);
  const { body: sent } = await send(command.id);
  expect(sent.deliveries.map(({ bytes_hex }) => bytes_hex)).toEqual(['0107', '0207']);
  expect(sent.deliveries.map(({ state }) => state)).not.toContain('failed');
});
