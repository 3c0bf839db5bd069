import { commandSubscriptionsApi, commandsApi, deliveriesApi, schedulesApi } from '@telltale/domain/commands/contract.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { uplinkWatchers } from '../roles/uplink-watchers.ts';
import { testBroker } from '../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../testing/fleet.ts';
import { type LiveClient, openLive } from '../testing/live-client.ts';
import { servicesOf } from '../testing/live-server.ts';
import { refusedCommand } from '../testing/refused-command.ts';
import { testApp } from '../testing/test-app.ts';
import { fireHeldEvents, handleEdges } from './event-schedules.ts';
import { EventWatcher } from './event-watcher.ts';

const app = await testApp();
const admin = app.as(app.admin);
const watchers = uplinkWatchers(servicesOf(app));
await Promise.all(watchers.map((watcher) => watcher.ready?.()));
const mqtt = await testBroker(app, { watchers });
mqtt.startDispatcher();
const devices = await makeDevices(app.ctx, 'tanks', 40, (n) => `tank-${String(n).padStart(2, '0')}`);
let used = 0;
const nextDevice = (): MadeDevice => devices[used++] as MadeDevice;

const topic = ({ channel_id, device_id }: MadeDevice, kind: string) => `v1/${channel_id}/devices/${device_id}/${kind}`;

/** Sets up a listening device, a command to it, and a schedule on its readings. */
async function scene(schedule: Record<string, unknown>, first?: object) {
  const device = nextDevice();
  const client = await mqtt.device(device);
  const heard: unknown[] = [];
  client.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())));
  await client.subscribeAsync(topic(device, 'down'), { qos: 1 });
  const report = (values: object) => client.publishAsync(topic(device, 'up'), JSON.stringify(values), { qos: 1 });
  if (first) {
    await report(first);
    await expect
      .poll(async () => (await sql`select from telemetry.metric_last where device_pk = ${device.pk}`.execute(app.ctx.db)).rows.length)
      .toBeGreaterThan(0);
  }
  const command = await admin.get(commandsApi.create, {
    body: { name: 'drain', channel_id: 'tanks', device_ids: [device.device_id], fport: 1, mode: 'push', payload: '01' },
  });
  const made = await admin.get(schedulesApi.create, {
    params: { id: command.id },
    body: { type: 'e', channel_id: 'tanks', device_id: device.device_id, attribute: 'level', operator: '>', value: 5, ...schedule },
  });
  const at = { id: command.id, sid: made.id };
  const known = () => watchers.some((watcher) => watcher instanceof EventWatcher && watcher.knows(made.id));
  await expect.poll(known).toBe(true);
  const fired = async () => (await admin.get(commandsApi.executions, { params: { id: command.id } })).count;
  const runs = async () => (await admin.get(schedulesApi.runs, { params: at })).results;
  const row = async () =>
    ((await admin.get(schedulesApi.list, { params: { id: command.id } })) as { state: string; suspended_at: string | null }[])[0];
  return { device, client, heard, report, command, at, fired, runs, row };
}

/** Subscribes a destination to a command, and returns what it is told. */
async function tellHook(commandId: number) {
  const { rows } = await sql<{ id: number }>`
    insert into destinations (org_id, name, type, options_sealed)
    select id, ${`Hook ${commandId}`}, 'webhook', '\\x00' from organizations returning id`.execute(app.ctx.db);
  await admin.get(commandSubscriptionsApi.create, { params: { id: commandId }, body: { destination_id: rows[0]?.id ?? 0 } });
  return async () => {
    const told = sql<{ notice: Record<string, unknown> }>`select notice from notice_deliveries where command_id = ${commandId}`;
    return (await told.execute(app.ctx.db)).rows.map(({ notice }) => notice);
  };
}

test('iot-behaviour 3.7.5: a text against a number changes nothing and is noted once an hour', async () => {
  const { report, fired, row, runs, at } = await scene({}, { level: 1 });
  const noted = async () => (await runs()).filter(({ reason }) => reason === 'type_mismatch');
  for (const level of ['high', 'higher', 'highest']) await report({ level });
  await expect.poll(noted).toMatchObject([{ status: 'missed', reason: 'type_mismatch' }]);
  expect(await row()).toMatchObject({ state: 'armed' });
  // Another process, which has not seen the first one, notes nothing either.
  const ctx = app.ctx;
  const payload = { samples: [], isMismatch: true };
  const match = { watcher: 'commands.events', subject_id: at.sid, device_pk: 0, uplink_id: 'other', at: new Date().toISOString(), payload };
  await ctx.transaction((tx) => handleEdges(tx, [match]));
  expect(await noted()).toHaveLength(1);
  await sql`update command_schedule_runs set created_at = now() - interval '61 minutes' where schedule_id = ${at.sid}`.execute(ctx.db);
  await ctx.transaction((tx) => handleEdges(tx, [match]));
  expect(await noted()).toHaveLength(2);
  await report({ level: 9 });
  await expect.poll(fired).toBe(1);
});

test('a batch with a text fires by the number that comes after it', async () => {
  const { report, fired, runs } = await scene({}, { level: 1 });
  const now = Date.now();
  await report([
    { ts: now, level: 'high' },
    { ts: now + 1, level: 9 },
    { ts: now + 2, level: 'higher' },
  ]);
  await expect.poll(fired).toBe(1);
  expect((await runs()).map(({ status }) => status).sort()).toEqual(['fired', 'missed']);
});

test('iot-behaviour 3.7: a reading over the threshold sends the command once, until it was under it again', async () => {
  const { report, heard, fired, row } = await scene({}, { level: 1 });
  expect(await row()).toMatchObject({ state: 'armed' });
  await report({ level: 6 });
  await expect.poll(() => heard.length).toBe(1);
  for (const level of [7, 8, 6]) await report({ level });
  await expect.poll(async () => (await row())?.state).toBe('active');
  await report({ level: 2 });
  await report({ level: 9 });
  await expect.poll(() => heard.length).toBe(2);
  expect(await fired()).toBe(2);
});

test('readings that arrive within one millisecond are evaluated one by one', async () => {
  const { report, fired } = await scene({}, { level: 1 });
  await Promise.all([6, 1, 7, 2, 8, 3, 9].map((level) => report({ level })));
  await expect.poll(fired).toBe(4);
});

test('two processes: over the threshold at one, back at the other, over again at the first fires twice', async () => {
  const { device, client, report, fired, row } = await scene({}, { level: 1 });
  const others = uplinkWatchers(servicesOf(app));
  onTestFinished(async () => void (await Promise.all(others.map((watcher) => watcher.stop?.()))));
  const another = await testBroker(app, { watchers: others });
  await Promise.all(others.map((watcher) => watcher.ready?.()));
  await report({ level: 6 });
  await client.endAsync();
  const there = await another.device(device);
  await there.publishAsync(topic(device, 'up'), JSON.stringify({ level: 2 }), { qos: 1 });
  // Reading the schedules again forgets nothing that this process has seen.
  for (const watcher of others) watcher.refresh?.();
  await there.endAsync();
  const back = await mqtt.device(device);
  await back.publishAsync(topic(device, 'up'), JSON.stringify({ level: 9 }), { qos: 1 });
  await expect.poll(fired).toBe(2);
  await back.publishAsync(topic(device, 'up'), JSON.stringify({ level: 8 }), { qos: 1 });
  await mqtt.uplinks.drain();
  expect(await row()).toMatchObject({ state: 'active' });
  expect(await fired()).toBe(2);
});

test('two processes: a device that reports to both at once fires at every edge', async () => {
  const { device, report, fired, row } = await scene({}, { level: 1 });
  const reportOverHttp = async (values: object) => {
    const headers = { authorization: `Key ${device.api_key}` };
    const path = `/api/v1/${device.channel_id}/devices/${device.device_id}/up`;
    const { status } = await app.anonymous().fetch(path, { method: 'POST', headers, body: JSON.stringify(values) });
    expect(status).toBe(200);
  };
  for (let edges = 1; edges <= 4; edges++) {
    await report({ level: 6 });
    await reportOverHttp({ level: 2 });
    await expect.poll(fired).toBe(edges);
    // Each process remembers its last sample only, so the second one is settled before it reports again.
    await expect.poll(async () => (await row())?.state).toBe('armed');
  }
  await reportOverHttp({ level: 7 });
  await report({ level: 1 });
  await expect.poll(fired).toBe(5);
});

test('a condition that holds under the schedule before a change does not fire the changed one', async () => {
  const { device, at, fired, row } = await scene({}, { level: 1 });
  const watcher = new EventWatcher(servicesOf(app));
  await watcher.ready();
  const seenAt = (Date.now() + 60_000) * 1000;
  const points = [{ name: 'level', kind: 'n' as const, value: 6, text: null, at: null, entry: 0, unit: null }];
  const [found] = watcher.match({ pk: device.pk } as never, { uplink_id: 'changed', receivedAt: seenAt, assignedAt: seenAt, points }) ?? [];
  await watcher.stop();
  await admin.get(schedulesApi.save, { params: at, body: { value: 50 } });
  const match = { watcher: watcher.name, subject_id: at.sid, device_pk: device.pk, uplink_id: 'changed', at: new Date().toISOString() };
  expect(found?.subject_id).toBe(at.sid);
  await app.ctx.transaction((tx) => handleEdges(tx, [{ ...match, payload: found?.payload }]));
  expect(await row()).toMatchObject({ state: 'armed' });
  expect(await fired()).toBe(0);
});

test('another name leaves the state of the condition and its wait as they are', async () => {
  const { report, row, at, fired } = await scene({ clear_value: 2, hold_seconds: 60 }, { level: 1 });
  await report({ level: 6 });
  await report({ level: 4 });
  await expect.poll(async () => (await row())?.state).toBe('active');
  await admin.get(schedulesApi.save, { params: at, body: { name: 'Renamed' } });
  expect(await row()).toMatchObject({ state: 'active', name: 'Renamed' });
  await sql`update command_schedules set hold_until = now() where id = ${at.sid} and hold_until is not null`.execute(app.ctx.db);
  await fireHeldEvents(app.ctx);
  expect(await fired()).toBe(1);
});

test('an event that fires costs at most eight statements, begin and commit included', async () => {
  const { at, device, fired } = await scene({}, { level: 1 });
  const asked: { client: pg.Client; text: string }[] = [];
  const original = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [string | { text: string }];
    asked.push({ client: this, text: typeof config === 'string' ? config : config.text });
    return (original as (...all: unknown[]) => never).apply(this, args);
  });
  const when = Date.now() * 1000;
  const samples = [{ at: when, truth: true, isClear: true }];
  const match = {
    watcher: 'commands.events',
    subject_id: at.sid,
    device_pk: device.pk,
    uplink_id: 'counted',
    at: new Date().toISOString(),
  };
  try {
    await app.ctx.transaction((tx) => handleEdges(tx, [{ ...match, payload: { samples } }]));
  } finally {
    spy.mockRestore();
  }
  expect(await fired()).toBe(1);
  // Other connections of this process run queries at the same time; the firing is one transaction.
  const ours = asked.find(({ text }) => /insert into (console\.)?command_executions/i.test(text))?.client;
  const texts = asked.filter(({ client }) => client === ours).map(({ text }) => text);
  const own = texts.slice(0, texts.findIndex((text) => /^commit/i.test(text.trim())) + 1);
  expect(own.length).toBeGreaterThan(2);
  expect(own.length, own.join('\n---\n')).toBeLessThanOrEqual(8);
});

test('3.7.1: what holds when it is saved fires nothing; the first reading ever does', async () => {
  const holding = await scene({}, { level: 9 });
  expect(await holding.row()).toMatchObject({ state: 'active' });
  await holding.report({ level: 10 });
  const fresh = await scene({});
  await fresh.report({ level: 10 });
  await expect.poll(fresh.fired).toBe(1);
  expect(await holding.fired()).toBe(0);
});

test('3.7.3: late readings never fire, a batch fires once, an old edge only moves the state', async () => {
  const { report, fired, runs, row } = await scene({}, { level: 1 });
  const now = Date.now();
  await report({ ts: now - 3_600_000, values: { level: 99 } });
  await report([1, 2, 3, 4].map((n) => ({ ts: now + n * 1000, level: n % 2 === 0 ? 9 : 1 })));
  await expect.poll(fired).toBe(1);
  expect(await row()).toMatchObject({ state: 'active' });
  const stale = await scene({});
  await stale.report([
    { ts: now - 3_000_000, level: 1 },
    { ts: now - 2_900_000, level: 9 },
  ]);
  await expect
    .poll(async () => (await stale.runs()).map(({ status, reason }) => ({ status, reason })))
    .toEqual([{ status: 'missed', reason: 'stale_event' }]);
  expect(await stale.fired()).toBe(0);
  expect((await runs()).filter(({ status }) => status === 'fired')).toHaveLength(1);
});

test('grouped conditions look at all their attributes, between and proximity too', async () => {
  const condition = {
    and: [
      { attribute: 'level', operator: 'between', value: [5, 8] },
      {
        or: [
          { attribute: 'mode', operator: '==', value: 'auto' },
          { attribute: 'note', operator: 'proximity', value: { words: ['tank', 'full'], between: 2 } },
        ],
      },
    ],
  };
  const { report, fired } = await scene({ attribute: null, operator: null, value: null, condition }, { level: 1 });
  await report({ level: 6, mode: 'hand' });
  await report({ note: 'the tank is very full' });
  await expect.poll(fired).toBe(1);
  await report({ level: 9 });
  await report({ mode: 'auto', level: 7 });
  await expect.poll(fired).toBe(2);
});

test('3.7.4: hysteresis arms again only beyond clear_value, hold waits, cooldown rests', async () => {
  const edgy = await scene({ clear_value: 2 }, { level: 1 });
  for (const level of [6, 4, 6, 1, 6]) await edgy.report({ level });
  await expect.poll(edgy.fired).toBe(2);
  const held = await scene({ hold_seconds: 60 }, { level: 1 });
  await held.report({ level: 6 });
  await expect.poll(async () => (await held.row())?.state).toBe('active');
  await fireHeldEvents(app.ctx);
  expect(await held.fired()).toBe(0);
  await sql`update command_schedules set hold_until = now() where id = ${held.at.sid}`.execute(app.ctx.db);
  await fireHeldEvents(app.ctx);
  expect(await held.fired()).toBe(1);
  const cool = await scene({ cooldown_seconds: 3600 }, { level: 1 });
  for (const level of [6, 1, 6]) await cool.report({ level });
  await expect.poll(async () => (await cool.row())?.state).toBe('active');
  await expect.poll(cool.fired).toBe(1);
});

test('a command that the database refuses is noted as missed, and keeps no other event waiting', async () => {
  const [bad, good, direct] = [
    await scene({ hold_seconds: 60 }, { level: 1 }),
    await scene({ hold_seconds: 60 }, { level: 1 }),
    await scene({}, { level: 1 }),
  ];
  const body = await refusedCommand(app);
  for (const { command } of [bad, direct]) await admin.get(commandsApi.save, { params: { id: command.id }, body });
  for (const each of [bad, good, direct]) {
    await each.report({ level: 6 });
    await expect.poll(async () => (await each.row())?.state).toBe('active');
  }
  await sql`update command_schedules set hold_until = now() - make_interval(secs => 100 - id) where hold_until is not null`.execute(
    app.ctx.db,
  );
  await fireHeldEvents(app.ctx);
  expect(await good.fired()).toBe(1);
  for (const each of [bad, direct]) {
    expect(await each.runs()).toMatchObject([{ status: 'missed', reason: 'The command could not be stored.' }]);
    expect(await each.fired()).toBe(0);
  }
});

test('3.7.7: more than ten firings a minute suspend it until somebody resumes it', async () => {
  const { report, fired, row, at, command } = await scene({ name: 'Too full' }, { level: 1 });
  const told = await tellHook(command.id);
  for (let n = 0; n < 12; n++) {
    await report({ level: 9 });
    await report({ level: 1 });
  }
  await expect.poll(async () => (await row())?.suspended_at ?? null).not.toBeNull();
  expect(await fired()).toBe(10);
  expect((await told()).filter(({ state }) => state === 'suspended')).toMatchObject([
    { command: { id: command.id, name: 'drain' }, reason: 'suspended: too many firings of the schedule Too full' },
  ]);
  await admin.get(schedulesApi.resume, { params: at });
  expect(await row()).toMatchObject({ suspended_at: null });
});

test('3.5.8: a text where a number is compared proves nothing', async () => {
  const { report, fired, row } = await scene({}, { level: 1 });
  await report({ level: 'high' });
  await report({ level: 2 });
  expect(await row()).toMatchObject({ state: 'armed' });
  expect(await fired()).toBe(0);
});

test('iot-behaviour 1.11: who follows a command, or started its device, is shown its deliveries', async () => {
  const { command, device } = await scene({});
  const live = (await openLive(app.origin, { headers: { authorization: `Key ${app.admin.api_key}` } })) as LiveClient;
  expect(await live.ask('follow', { command: command.id })).toMatchObject({ event: 'following' });
  expect(await live.ask('start', { channel: 'tanks', device: device.device_id })).toMatchObject({ event: 'started' });
  const sent = await admin.get(commandsApi.send, { params: { id: command.id }, body: {} });
  const told = () =>
    live.frames.flatMap((frame) =>
      frame.event === 'delivery'
        ? [`delivery ${frame.data.delivery.state}`]
        : frame.event === 'command'
          ? [`command ${frame.data[device.device_id]?.state}`]
          : [],
    );
  await expect.poll(told).toContain('delivery sent');
  await expect.poll(told).toContain('command sent');
  expect((await admin.get(deliveriesApi.get, { params: { id: sent.deliveries[0]?.id ?? 0 } })).state).toBe('sent');
});

test('destinations hear of each delivery once, when it succeeds or fails', async () => {
  const { command, device } = await scene({});
  const notices = await tellHook(command.id);
  await admin.get(commandsApi.send, { params: { id: command.id }, body: {} });
  await expect
    .poll(notices)
    .toMatchObject([
      { event: 'command_delivery', command: { id: command.id, name: 'drain' }, device_id: device.device_id, state: 'sent', reason: null },
    ]);
});
