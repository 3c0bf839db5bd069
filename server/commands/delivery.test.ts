import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { commandsApi, deliveriesApi } from '@telltale/domain/commands/contract.ts';
import { sql } from 'kysely';
import type { MqttClient } from 'mqtt';
import { expect, test } from 'vitest';
import { uplinkWatchers } from '../roles/uplink-watchers.ts';
import { testBroker } from '../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../testing/fleet.ts';
import { servicesOf } from '../testing/live-server.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const watchers = uplinkWatchers(servicesOf(app));
const mqtt = await testBroker(app, { watchers });
mqtt.startDispatcher();
const devices = await makeDevices(app.ctx, 'pumps', 40, (n) => `pump-${String(n).padStart(2, '0')}`);
let used = 0;
const nextDevice = (): MadeDevice => devices[used++] as MadeDevice;

const command = async (device_ids: string[], more: Record<string, unknown> = {}) =>
  admin.get(commandsApi.create, {
    body: { name: 'reboot', channel_id: 'pumps', device_ids, fport: 1, mode: 'push', payload: '{"reboot":true}', ...more },
  });
const send = async (id: number, body: Record<string, unknown> = {}) => admin.get(commandsApi.send, { params: { id }, body });
const state = async (id: number | null) => (await admin.get(deliveriesApi.get, { params: { id: id ?? 0 } })).state;
const delivery = async (id: number | null) => admin.get(deliveriesApi.get, { params: { id: id ?? 0 } });

const topic = ({ channel_id, device_id }: MadeDevice, kind: string) => `v1/${channel_id}/devices/${device_id}/${kind}`;
type Message = { id: string; command: string; payload: unknown; encoding?: string; [key: string]: unknown };
async function listening(device: MadeDevice, onMessage?: (message: Message, client: MqttClient) => void, qos: 0 | 1 = 1) {
  const client = await mqtt.device(device);
  const messages: Message[] = [];
  client.on('message', (_topic, payload) => {
    const message = JSON.parse(payload.toString()) as Message;
    messages.push(message);
    onMessage?.(message, client);
  });
  await client.subscribeAsync(topic(device, 'down'), { qos });
  return { client, messages };
}

test('iot-behaviour 3.3: a command reaches the device on its topic, and its answer makes the delivery acknowledged', async () => {
  const device = nextDevice();
  const { messages } = await listening(device, ({ id }, client) =>
    client.publish(topic(device, 'ack'), JSON.stringify({ id, ok: true }), { qos: 1 }),
  );
  const { id } = await command([device.device_id], { confirm: true });
  const sent = await send(id);
  expect(sent.deliveries).toMatchObject([
    { device_id: device.device_id, encoding: 'json', bytes_hex: Buffer.from('{"reboot":true}').toString('hex') },
  ]);
  await expect.poll(() => messages.length).toBe(1);
  expect(messages[0]).toMatchObject({ command: 'reboot', fport: 1, mode: 'push', confirm: true, payload: { reboot: true } });
  expect(messages[0]?.id).toMatch(/^[0-9A-Z]{26}$/);
  await expect.poll(() => state(sent.deliveries[0]?.id ?? null)).toBe('acknowledged');
  const { log, is_final } = await delivery(sent.deliveries[0]?.id ?? null);
  expect(is_final).toBe(true);
  expect(log.filter((row) => !row.is_late).at(-1)?.state).toBe('acknowledged');
});

test('iot-behaviour 3.3: the data of an answer become points under sys.ack. where the channel asks for it', async () => {
  const device = nextDevice();
  await listening(device, ({ id }, client) =>
    client.publish(topic(device, 'ack'), JSON.stringify({ id, ok: true, data: { version: '1.2', slots: [3], ready: true } }), { qos: 1 }),
  );
  const { id } = await command([device.device_id], { confirm: true });
  const points = async () =>
    (
      await sql<{ attribute: string; value: number | null; value_text: string | null }>`
        select attribute, value, value_text from app.metric where device_id = ${device.device_id} and attribute like 'sys.ack.%' order by 1`.execute(
        app.ctx.db,
      )
    ).rows;
  const first = await send(id);
  await expect.poll(() => state(idOf(first))).toBe('acknowledged');
  expect(await points()).toEqual([]);
  await admin.get(channelsApi.save, { params: { id: 'pumps' }, body: { ack_points: true } });
  await expect.poll(async () => (await admin.get(channelsApi.get, { params: { id: 'pumps' } })).settings.ack_points).toBe(true);
  // The broker gets the setting by a notification: only answers after it are kept.
  await expect
    .poll(
      async () => {
        const sent = idOf(await send(id));
        await expect.poll(() => state(sent)).toBe('acknowledged');
        return (await points()).length;
      },
      { interval: 100 },
    )
    .toBeGreaterThan(0);
  expect((await points()).slice(0, 3).map(({ attribute }) => attribute)).toContain('sys.ack.ready');

  const [stranger, known] = [nextDevice(), (await delivery(idOf(await send(id)))).id];
  const client = await mqtt.device(stranger);
  const { rows } = await sql<{ wire_id: string }>`select wire_id from command_deliveries where id = ${known}`.execute(app.ctx.db);
  const ids = ['reboot', `${'0'.repeat(24)}01`, `${rows[0]?.wire_id}01`];
  for (const each of ids)
    await client.publishAsync(topic(stranger, 'ack'), JSON.stringify({ id: each, ok: true, data: { slots: 4 } }), { qos: 1 });
  // The answers are stored before they are acknowledged, so their points would be there by now.
  const { rows: strangers } =
    await sql`select from app.metric where device_id = ${stranger.device_id} and attribute like 'sys.ack.%'`.execute(app.ctx.db);
  expect(strangers, 'unknown ids, and those of another device, make no points').toEqual([]);
  await admin.get(channelsApi.save, { params: { id: 'pumps' }, body: { ack_points: false } });
});

test('iot-behaviour 3.5.9: skip_if_true leaves out devices that report the effect already', async () => {
  const [done, open] = [nextDevice(), nextDevice()];
  for (const [device, relay] of [
    [done, 1],
    [open, 0],
  ] as const) {
    const client = await mqtt.device(device);
    await client.publishAsync(topic(device, 'up'), JSON.stringify({ relay }), { qos: 1 });
  }
  await expect
    .poll(
      async () =>
        (
          await sql`select from app.metric_last where attribute = 'relay' and device_id in (${done.device_id}, ${open.device_id})`.execute(
            app.ctx.db,
          )
        ).rows.length,
    )
    .toBe(2);
  const retry_until = { options: { op: '==', column: 'relay', value: 1 } };
  const made = await command([done.device_id, open.device_id], { retry_enabled: true, retry_count: 1, retry_until, skip_if_true: true });
  expect(made.skip_if_true).toBe(true);
  const { deliveries } = await send(made.id);
  expect(deliveries.map((each) => each.state === 'succeeded')).toEqual([true, false]);
  expect(await delivery(deliveries[0]?.id ?? null)).toMatchObject({ state: 'succeeded', reason: 'already_true', is_final: true });
});

/** Moves the times of all open deliveries, as if that many seconds had passed. */
const later = async (seconds: number) =>
  sql`update command_deliveries set next_at = next_at - make_interval(secs => ${seconds}), expires_at = expires_at - make_interval(secs => ${seconds})
    where stage <> 'done'`.execute(app.ctx.db);
const idOf = (sent: { deliveries: { id: number | null }[] }, place = 0) => sent.deliveries[place]?.id ?? null;

test('iot-behaviour 3.4: without confirmation sent is the end', async () => {
  const device = nextDevice();
  const { messages } = await listening(device);
  const sent = await send((await command([device.device_id])).id);
  await expect.poll(async () => (await delivery(idOf(sent))).is_final).toBe(true);
  expect(messages).toHaveLength(1);
  expect(await delivery(idOf(sent))).toMatchObject({ state: 'sent', attempt: 1, reason: null });
});

test('a device that subscribed with QoS 0 has it when it was handed over', async () => {
  const device = nextDevice();
  const { messages } = await listening(device, undefined, 0);
  const sent = await send((await command([device.device_id], { payload: 'text:hello' })).id);
  await expect.poll(() => state(idOf(sent))).toBe('sent');
  await expect.poll(() => messages).toMatchObject([{ payload: 'hello', encoding: 'text' }]);
});

test('iot-behaviour 2.7: hex, base64 and plain text go out as what they are', async () => {
  const device = nextDevice();
  const { messages } = await listening(device);
  for (const payload of ['BEEF', 'base64:vu8=', 'open the gate']) await send((await command([device.device_id], { payload })).id);
  await expect
    .poll(() => messages.map(({ payload, encoding }) => ({ payload, encoding })))
    .toEqual([
      { payload: 'beef', encoding: 'hex' },
      { payload: 'vu8=', encoding: 'base64' },
      { payload: 'open the gate', encoding: 'text' },
    ]);
});

test('iot-behaviour 3.2: an offline device gets what waits for it when it comes, oldest first, one in flight', async () => {
  const device = nextDevice();
  const { id } = await command([device.device_id]);
  const names = ['one', 'two', 'three'];
  const sent = [];
  for (const name of names) sent.push(await send((await command([device.device_id], { name, confirm: true })).id));
  expect(sent.map(({ deliveries }) => deliveries[0]?.state)).toEqual(['queued', 'queued', 'queued']);
  const queue = await admin.get(deliveriesApi.ofDevice, {
    params: { id: 'pumps', deviceId: device.device_id },
    query: { state: 'queued' },
  });
  expect(queue.count).toBe(3);
  let open = 0;
  let most = 0;
  const { messages } = await listening(device, ({ id: attempt }, client) => {
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      client.publish(topic(device, 'ack'), JSON.stringify({ id: attempt, ok: true }), { qos: 1 });
    }, 20);
  });
  await expect.poll(() => messages.length).toBe(3);
  expect(messages.map((message) => message.command)).toEqual(names);
  expect(most).toBe(1);
  for (const one of sent) await expect.poll(() => state(idOf(one))).toBe('acknowledged');
  expect((await admin.get(commandsApi.executions, { params: { id } })).count).toBe(0);
});

test('iot-behaviour 3.2: replace takes the place of everything that waits, and says by what', async () => {
  const device = nextDevice();
  const first = await send((await command([device.device_id])).id);
  const second = await send((await command([device.device_id], { mode: 'replace', name: 'newest' })).id);
  expect(await delivery(idOf(first))).toMatchObject({ state: 'replaced', is_final: true, reason: `execution ${second.execution_id}` });
  const { messages } = await listening(device);
  await expect.poll(() => state(idOf(second))).toBe('sent');
  expect(messages.map((message) => message.command)).toEqual(['newest']);
});

test('iot-behaviour 3.2: of replaces that race one is left', async () => {
  const device = nextDevice();
  const { id } = await command([device.device_id], { mode: 'replace' });
  const all = await Promise.all(Array.from({ length: 8 }, () => send(id)));
  const states = await Promise.all(all.map((one) => state(idOf(one))));
  expect(states.filter((each) => each === 'queued')).toHaveLength(1);
  expect(states.filter((each) => each === 'replaced')).toHaveLength(7);
});

test('a single item of the queue is cancelled, and only once', async () => {
  const device = nextDevice();
  const sent = await send((await command([device.device_id])).id);
  const id = idOf(sent) ?? 0;
  expect((await admin.call(deliveriesApi.cancel, { params: { id } })).status).toBe(200);
  expect(await delivery(id)).toMatchObject({ state: 'cancelled', is_final: true });
  expect((await admin.call(deliveriesApi.cancel, { params: { id } })).status).toBe(409);
  await send((await command([device.device_id])).id);
  const at = { id: 'pumps', deviceId: device.device_id };
  expect(await admin.get(deliveriesApi.clearQueue, { params: at })).toEqual({ cancelled: 1 });
});

test('expiry: what waited longer than its time to live is expired', async () => {
  const device = nextDevice();
  const sent = await send((await command([device.device_id], { ttl_seconds: 60 })).id);
  await later(61);
  await expect.poll(() => state(idOf(sent))).toBe('expired');
});

test('design 8.1: confirmed and unanswered for 30 s fails without retry', async () => {
  const device = nextDevice();
  await listening(device);
  const sent = await send((await command([device.device_id], { confirm: true })).id);
  await expect.poll(() => state(idOf(sent))).toBe('sent');
  await later(31);
  await expect.poll(() => delivery(idOf(sent))).toMatchObject({ state: 'failed', reason: 'no_answer' });
  expect((await delivery(idOf(sent))).log.map((row) => row.state)).toContain('nacked');
});

test('a device that refuses makes the delivery failed with its words', async () => {
  const device = nextDevice();
  await listening(device, ({ id }, client) =>
    client.publish(topic(device, 'ack'), JSON.stringify({ id, ok: false, error: 'busy' }), { qos: 1 }),
  );
  const sent = await send((await command([device.device_id], { confirm: true })).id);
  await expect.poll(() => delivery(idOf(sent))).toMatchObject({ state: 'failed', reason: 'refused: busy' });
});

test('nobody answers for another device', async () => {
  const [device, other] = [nextDevice(), nextDevice()];
  const { messages } = await listening(device);
  const { client } = await listening(other);
  const sent = await send((await command([device.device_id], { confirm: true })).id);
  await expect.poll(() => messages.length).toBe(1);
  await client.publishAsync(topic(other, 'ack'), JSON.stringify({ id: messages[0]?.id, ok: true }), { qos: 1 });
  expect(await state(idOf(sent))).toBe('sent');
});

const report = (device: MadeDevice, client: MqttClient, values: object) =>
  client.publishAsync(topic(device, 'up'), JSON.stringify(values), { qos: 1 });
const until = { options: { op: '==', column: 'valve', value: 1 } };
const withRetry = (device: MadeDevice, more: object = {}) =>
  command([device.device_id], { retry_enabled: true, retry_count: 2, retry_until: until, retry_wait_seconds: 60, ...more });

/** A listening device that has reported its valve, so that commands may wait for it. */
async function listeningWithValve() {
  const device = nextDevice();
  const { client, messages } = await listening(device);
  await report(device, client, { valve: 0 });
  await expect
    .poll(() =>
      withRetry(device).then(
        ({ id }) => id,
        () => 0,
      ),
    )
    .toBeGreaterThan(0);
  return { device, client, messages };
}

test('iot-behaviour 3.5: the effect on a later uplink makes it succeeded', async () => {
  const { device, client, messages } = await listeningWithValve();
  const sent = await send((await withRetry(device)).id);
  await expect.poll(() => state(idOf(sent))).toBe('waiting');
  expect(messages).toHaveLength(1);
  await report(device, client, { valve: 1 });
  await expect.poll(() => delivery(idOf(sent))).toMatchObject({ state: 'succeeded', is_final: true, attempt: 1 });
});

test('iot-behaviour 3.5: a condition that does not hold is tried again after 5 s, and given up when the count is used', async () => {
  const { device, client, messages } = await listeningWithValve();
  const sent = await send((await withRetry(device)).id);
  const isSoon = async () => {
    const { rows } = await sql<{ soon: boolean }>`
      select next_at < now() + interval '6 seconds' as soon from command_deliveries where id = ${idOf(sent)}`.execute(app.ctx.db);
    return rows[0]?.soon;
  };
  for (const attempt of [1, 2, 3]) {
    await expect.poll(() => delivery(idOf(sent))).toMatchObject({ state: 'waiting', attempt });
    // What the device reported before this attempt does not count against it.
    expect(await isSoon()).toBe(false);
    await report(device, client, { valve: 0 });
    if (attempt === 3) break;
    await expect.poll(isSoon).toBe(true);
    await later(6);
  }
  // The last attempt is followed by one more wait, as long as the others.
  expect(await state(idOf(sent))).toBe('waiting');
  await later(61);
  await expect.poll(() => delivery(idOf(sent))).toMatchObject({ state: 'failed', reason: 'condition_not_met', attempt: 3 });
  expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
  expect(messages.every(({ mode }) => mode === 'push')).toBe(true);
});

test('iot-behaviour 3.5: an effect that was stored before anybody looked is found when the wait is over', async () => {
  const { device } = await listeningWithValve();
  const sent = await send((await withRetry(device, { retry_count: 0 })).id);
  await expect.poll(() => state(idOf(sent))).toBe('waiting');
  await sql`insert into telemetry.metric_point (time, device_pk, attribute_id, value, kind)
    select clock_timestamp(), ${device.pk}, id, 1, 'n' from telemetry.attribute where channel_pk = ${device.channel_pk} and name = 'valve'`.execute(
    app.ctx.db,
  );
  await later(61);
  await expect.poll(() => state(idOf(sent))).toBe('succeeded');
});

test('iot-behaviour 3.8: an answer to an older attempt is an answer', async () => {
  const device = nextDevice();
  const { client, messages } = await listening(device);
  const sent = await send((await command([device.device_id], { confirm: true, retry_enabled: false })).id);
  // The time for an answer begins when the hand-over is recorded.
  await expect.poll(() => state(idOf(sent))).toBe('sent');
  expect(messages).toHaveLength(1);
  await sql`update command_deliveries set max_attempts = 3 where id = ${idOf(sent)}`.execute(app.ctx.db);
  await later(31);
  await expect.poll(() => state(idOf(sent))).toBe('nacked');
  await client.publishAsync(topic(device, 'ack'), JSON.stringify({ id: messages[0]?.id, ok: true }), { qos: 1 });
  await expect.poll(() => delivery(idOf(sent))).toMatchObject({ state: 'acknowledged', is_final: true });
});

test('iot-behaviour 3.8: a device that is deleted takes its queue along', async () => {
  const device = nextDevice();
  const sent = await send((await command([device.device_id])).id);
  await admin.get(devicesApi.remove, { params: { id: 'pumps', deviceId: device.device_id } });
  expect(await delivery(idOf(sent))).toMatchObject({ state: 'cancelled', reason: 'device_deleted' });
});

test('a deleted command cancels what waits and keeps its log', async () => {
  const device = nextDevice();
  const { id } = await command([device.device_id], { name: 'short lived' });
  const sent = await send(id);
  await admin.get(commandsApi.remove, { params: { id } });
  expect(await delivery(idOf(sent))).toMatchObject({
    state: 'cancelled',
    reason: 'command_deleted',
    command_id: null,
    command_name: 'short lived',
  });
});

test('a connection that breaks before PUBACK gets the same attempt again', async () => {
  const device = nextDevice();
  const client = await mqtt.device(device);
  // The client reads but does not send the QoS 1 acknowledgement.
  (client as unknown as { handleMessage: unknown }).handleMessage = () => {};
  const heard: string[] = [];
  client.on('message', (_topic, payload) => heard.push((JSON.parse(payload.toString()) as Message).id));
  await client.subscribeAsync(topic(device, 'down'), { qos: 1 });
  const sent = await send((await command([device.device_id])).id);
  await expect.poll(() => heard.length).toBe(1);
  client.end(true);
  await expect.poll(() => state(idOf(sent))).toBe('queued');
  const { messages } = await listening(device);
  await expect.poll(() => state(idOf(sent))).toBe('sent');
  expect(messages[0]?.id).toBe(heard[0]);
});

test('iot-behaviour 1.12: the HTTP twin is handed a command that waits, and answers it', async () => {
  const device = nextDevice();
  const at = `${app.origin}/api/v1/pumps/devices/${device.device_id}`;
  const headers = { authorization: `Key ${device.api_key}` };
  expect((await fetch(`${at}/down`, { headers })).status).toBe(204);
  const waiting = fetch(`${at}/down?wait=20`, { headers });
  const sent = await send((await command([device.device_id], { confirm: true, payload: '0102' })).id);
  const message = (await (await waiting).json()) as Message;
  expect(message).toMatchObject({ command: 'reboot', payload: '0102', encoding: 'hex' });
  expect(await state(idOf(sent))).toBe('sent');
  const ack = (body: object, key = device.api_key) =>
    fetch(`${at}/ack`, {
      method: 'POST',
      headers: { authorization: `Key ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await ack({ nothing: 1 })).status).toBe(400);
  expect((await ack({ id: message.id, ok: true }, 'x'.repeat(40))).status).toBe(401);
  expect((await ack({ id: message.id, ok: true })).status).toBe(204);
  expect(await state(idOf(sent))).toBe('acknowledged');
});
