import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testBroker } from '../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../testing/fleet.ts';
import { hookServer } from '../testing/hook-server.ts';
import { servicesOf } from '../testing/live-server.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { ulids } from '../uplinks/uplink-ids.ts';
import { AlertWatcher } from './alert-watcher.ts';
import { fireDueAlerts } from './device-alerts.ts';
import { checkSilence } from './silence.ts';

const hook = await hookServer();
const app = await testApp({
  env: { TELLTALE_ALLOW_PRIVATE: '*', TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' },
});
await app.startWorker();
const watcher = new AlertWatcher(servicesOf(app));
afterAll(() => watcher.stop());
await watcher.ready();
const broker = await testBroker(app, { watchers: [watcher] });
const admin = app.as(app.admin);
const destination = await admin.get(destinationsApi.create, {
  body: { name: 'Hook', type: 'webhook', options: { url: `${hook.url}/devices` } },
});

let channels = 0;
const fleet = (count: number) => makeDevices(app.ctx, `plant-${++channels}`, count);

/** Waits until the watcher has received the notification about a saved alert. */
async function known(id: number): Promise<void> {
  await until(() => id in watcher.known, Boolean);
}

async function make(device: MadeDevice | undefined, options: object, rearm = 0) {
  const body = { name: `Alert ${channels}`, options: { channel_id: device?.channel_id, ...options }, rearm } as never;
  const alert = await admin.get(alertsApi.create, { body });
  await admin.get(alertsApi.subscribe, { params: { id: alert.id }, body: { destination_id: destination.id } });
  await known(alert.id);
  return alert;
}
const hot = { kind: 'device', attribute: 'temperature', op: '>', value: 30 };
const read = (id: number) => admin.get(alertsApi.get, { params: { id } });
const evaluations = async (id: number) => (await admin.get(alertsApi.evaluations, { params: { id } })).results;
const evaluationCount = async (id: number) => (await admin.get(alertsApi.evaluations, { params: { id } })).count;
interface Told {
  alert: { id: number; state: string };
  device?: { device_id: string };
}
const told = (id: number) => hook.calls.map(({ json }) => json as Told).filter(({ alert }) => alert?.id === id);
const toldOf = async (id: number, count: number) =>
  (
    await until(
      () => told(id),
      ({ length }) => length >= count,
    )
  ).map(({ alert, device }) => `${device?.device_id} ${alert.state}`);
const clients = new Map<string, Awaited<ReturnType<typeof broker.device>>>();
async function publish(device: MadeDevice | undefined, payload: unknown) {
  if (!device) throw new Error('There is no such device.');
  const client = clients.get(device.device_id + device.channel_id) ?? (await broker.device(device));
  clients.set(device.device_id + device.channel_id, client);
  await client.publishAsync(`v1/${device.channel_id}/devices/${device.device_id}/up`, JSON.stringify(payload), { qos: 1 });
  await broker.uplinks.drain();
}

describe('alerts on devices', () => {
  test('an uplink over MQTT triggers the alert of its own device, and a webhook hears of it and of the recovery', async () => {
    const [one, two] = await fleet(2);
    const alert = await make(one, hot);
    await publish(one, { temperature: 20 });
    expect(await read(alert.id)).toMatchObject({ state: 'ok' });
    await publish(one, { temperature: 31 });
    await publish(two, { temperature: 29 });
    await publish(one, { temperature: 32 });
    expect(await toldOf(alert.id, 1)).toEqual([`${one?.device_id} triggered`]);
    const seen = await read(alert.id);
    expect(seen.state).toBe('triggered');
    expect(seen.devices).toMatchObject([
      { device_id: one?.device_id, state: 'triggered', value: 31 },
      { device_id: two?.device_id, state: 'ok', value: 29 },
    ]);
    await publish(one, { temperature: 30 });
    expect(await toldOf(alert.id, 2)).toEqual([`${one?.device_id} triggered`, `${one?.device_id} ok`]);
    expect((await read(alert.id)).state).toBe('ok');
    expect((await evaluations(alert.id)).map(({ outcome, device_id }) => [outcome, device_id])).toEqual([
      ['notified', one?.device_id],
      ['notified', one?.device_id],
      ['first_ok', one?.device_id],
    ]);
  });

  test('the devices of an alert have states of their own; it is triggered while one is', async () => {
    const devices = await fleet(3);
    const alert = await make(devices[0], { ...hot, device_ids: devices.slice(0, 2).map(({ device_id }) => device_id) });
    for (const device of devices) await publish(device, { temperature: 99 });
    expect((await toldOf(alert.id, 2)).toSorted()).toEqual(devices.slice(0, 2).map(({ device_id }) => `${device_id} triggered`));
    await publish(devices[0], { temperature: 1 });
    expect((await read(alert.id)).state).toBe('triggered');
    await publish(devices[1], { temperature: 1 });
    expect((await read(alert.id)).state).toBe('ok');
    const listed = await admin.get(alertsApi.ofDevice, {
      params: { id: devices[0]?.channel_id ?? '', deviceId: devices[0]?.device_id ?? '' },
    });
    expect(listed).toMatchObject([{ id: alert.id, state: 'ok' }]);
    expect(
      await admin.get(alertsApi.ofDevice, { params: { id: devices[2]?.channel_id ?? '', deviceId: devices[2]?.device_id ?? '' } }),
    ).toEqual([]);
  });

  test('A4: rearm decides how often a triggered device is notified', async () => {
    const [one] = await fleet(1);
    const each = await make(one, hot, 1);
    const hourly = await make(one, hot, 3600);
    const everyTwoSeconds = await make(one, hot, 2);
    for (const temperature of [31, 32, 33]) await publish(one, { temperature });
    expect(await toldOf(each.id, 3)).toHaveLength(3);
    expect(await toldOf(everyTwoSeconds.id, 1)).not.toHaveLength(0);
    const before = told(everyTwoSeconds.id).length;
    await expect
      .poll(() => publish(one, { temperature: 34 }).then(() => told(everyTwoSeconds.id).length), { interval: 200 })
      .toBeGreaterThan(before);
    expect(told(hourly.id)).toHaveLength(1);
  });

  test('for_seconds: the condition has to hold for long enough; then it fires without another uplink', async () => {
    const [one] = await fleet(1);
    const alert = await make(one, { ...hot, for_seconds: 600 });
    await publish(one, { temperature: 31 });
    await publish(one, { temperature: 20 });
    await publish(one, { temperature: 32 });
    await publish(one, { temperature: 33 });
    expect((await evaluations(alert.id)).filter(({ outcome }) => outcome === 'pending')).toHaveLength(2);
    await fireDueAlerts(app.ctx);
    expect(told(alert.id)).toEqual([]);
    await sql`update alert_devices set due_at = now() where alert_id = ${alert.id}`.execute(app.ctx.db);
    await fireDueAlerts(app.ctx);
    expect(await toldOf(alert.id, 1)).toEqual([`${one?.device_id} triggered`]);
    await until(
      () => watcher.known[alert.id]?.[one?.pk ?? 0]?.state,
      (state) => state === 'triggered',
    );
    await publish(one, { temperature: 20 });
    expect(await toldOf(alert.id, 2)).toEqual([`${one?.device_id} triggered`, `${one?.device_id} ok`]);
  });

  test('a reading from the past changes nothing, texts and truths are compared, several values in one uplink count by the newest', async () => {
    const [one] = await fleet(1);
    const [number, text, truth] = [
      await make(one, hot),
      await make(one, { ...hot, attribute: 'door', op: '==', value: 'open' }),
      await make(one, { ...hot, attribute: 'leak', op: '==', value: 'true' }),
    ];
    const now = Date.now();
    await publish(one, [
      { ts: now, values: { temperature: 35 } },
      { ts: now - 5000, values: { temperature: 20 } },
    ]);
    await publish(one, { ts: now - 60_000, values: { temperature: 1 } });
    await publish(one, { door: 'open', leak: true });
    expect(await toldOf(number.id, 1)).toHaveLength(1);
    expect((await read(number.id)).state).toBe('triggered');
    expect(await toldOf(text.id, 1)).toEqual([`${one?.device_id} triggered`]);
    expect(await toldOf(truth.id, 1)).toEqual([`${one?.device_id} triggered`]);
    await publish(one, { door: 'closed', leak: false });
    expect(await toldOf(text.id, 2)).toContain(`${one?.device_id} ok`);
    expect(await toldOf(truth.id, 2)).toContain(`${one?.device_id} ok`);
  });

  test('readings that arrive within one millisecond are told one by one', async () => {
    const [one] = await fleet(1);
    const alert = await make(one, hot);
    const client = await broker.device(one as MadeDevice);
    const topic = `v1/${one?.channel_id}/devices/${one?.device_id}/up`;
    for (let round = 0; round < 4; round++) {
      const burst = [31, 20, 32, 21, 33, 22].map((temperature) => client.publishAsync(topic, JSON.stringify({ temperature }), { qos: 1 }));
      await Promise.all(burst);
    }
    await broker.uplinks.drain();
    const { results } = await admin.get(alertsApi.evaluations, { params: { id: alert.id }, query: { page_size: 100 } as never });
    const states = results.map(({ state }) => state).toReversed();
    expect(states).toEqual(Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? 'triggered' : 'ok')));

    // A watcher that starts right after an alert was saved checks the readings since then again; none of them is news.
    const restarted = new AlertWatcher(servicesOf(app));
    await restarted.ready();
    await restarted.stop();
    expect(await evaluationCount(alert.id)).toBe(24);
  });

  test('a reading that came before a process knew the alert is settled before the next one of its device', async () => {
    const [one] = await fleet(1);
    await publish(one, { temperature: 31 });
    const alert = await make(one, hot);
    // As if it had been saved before that reading, and this process heard of it only now.
    await sql`update alerts set armed_at = now() - interval '30 seconds' where id = ${alert.id}`.execute(app.ctx.db);
    const late = new AlertWatcher(servicesOf(app));
    await late.ready();
    const { pk = 0, device_id = '', channel_id = '', channel_pk = 0 } = one ?? {};
    const device = { pk, device_id, channel: { pk: channel_pk, channel_id } } as never;
    const at = Date.now() * 1000;
    const points = [{ name: 'temperature', kind: 'n' as const, value: 20, text: null, at: null, entry: 0, unit: null }];
    const [found] = late.match(device, { uplink_id: 'next', receivedAt: at, assignedAt: at, points }) ?? [];
    const match = { watcher: 'alerts', subject_id: alert.id, device_pk: pk, uplink_id: 'next', at: new Date().toISOString() };
    await app.ctx.transaction((tx) => late.handle(tx, [{ ...match, payload: found?.payload }]));
    expect(await toldOf(alert.id, 2)).toEqual([`${device_id} triggered`, `${device_id} ok`]);
    await late.stop();
  });

  test('A4: a reading that is about to be handled is not handled by a watcher that starts meanwhile', async () => {
    const [one] = await fleet(1);
    const alert = await make(one, hot, 1);
    await publish(one, { temperature: 31 });
    await publish(one, { temperature: 32 });
    // As if the second reading were stored and not handled yet.
    await sql`
      with back as (update alert_devices set value_at = value_at - interval '1 microsecond' where alert_id = ${alert.id} returning value_at + interval '1 microsecond' as at)
      insert into uplink_matches (watcher, uplink_id, subject_id, device_pk, at, payload, writer)
      select 'alerts', 'open', ${alert.id}, ${one?.pk}, now(), jsonb_build_object('value', 32, 'at', (extract(epoch from at) * 1000)::float8), gen_random_uuid()
      from back`.execute(app.ctx.db);
    const started = new AlertWatcher(servicesOf(app));
    await started.ready();
    await started.stop();
    expect(await evaluationCount(alert.id)).toBe(2);
    await sql`delete from uplink_matches where uplink_id = 'open'`.execute(app.ctx.db);
  });

  test('a reading that was matched before the condition was changed does not count under the new one', async () => {
    const [one] = await fleet(1);
    const alert = await make(one, hot);
    const { pk = 0, device_id = '', channel_id = '', channel_pk = 0 } = one ?? {};
    // Its time is after the change: the process that found it had not heard of the change yet.
    const at = (Date.now() + 60_000) * 1000;
    const points = [{ name: 'temperature', kind: 'n' as const, value: 35, text: null, at: null, entry: 0, unit: null }];
    const device = { pk, device_id, channel: { pk: channel_pk, channel_id } } as never;
    const [found] = watcher.match(device, { uplink_id: 'changed', receivedAt: at, assignedAt: at, points }) ?? [];
    expect(found).toMatchObject({ subject_id: alert.id, payload: { value: 35 } });
    const options = { ...hot, channel_id, attribute: 'pressure' };
    await admin.get(alertsApi.save, { params: { id: alert.id }, body: { options } as never });
    const match = { watcher: 'alerts', subject_id: alert.id, device_pk: pk, uplink_id: 'changed', at: new Date().toISOString() };
    await app.ctx.transaction((tx) => watcher.handle(tx, [{ ...match, payload: found?.payload }]));
    expect(await evaluations(alert.id)).toEqual([]);
    expect((await read(alert.id)).state).toBe('unknown');
  });

  test('a reading that was matched under an earlier condition is checked against the new one by a watcher that reads it', async () => {
    const [one] = await fleet(1);
    const alert = await make(one, hot);
    await publish(one, { temperature: 31 });
    // As if the reading had been found under the condition before, and nobody had handled it.
    await sql`
      with forgotten as (delete from alert_devices where alert_id = ${alert.id} returning value_at)
      insert into uplink_matches (watcher, uplink_id, subject_id, device_pk, at, payload, writer)
      select 'alerts', 'earlier', ${alert.id}, ${one?.pk}, now(),
        jsonb_build_object('value', 31, 'at', (extract(epoch from value_at) * 1000)::float8, 'armedAt', 1), gen_random_uuid()
      from forgotten`.execute(app.ctx.db);
    const started = new AlertWatcher(servicesOf(app));
    await expect.poll(() => evaluationCount(alert.id)).toBe(2);
    await started.stop();
    await sql`delete from uplink_matches where uplink_id = 'earlier'`.execute(app.ctx.db);
  });

  test('two processes: a device whose older reading is settled last keeps the state of its newest one', async () => {
    const [one] = await fleet(1);
    const alert = await make(one, hot);
    const other = new AlertWatcher(servicesOf(app));
    await other.ready();
    const { pk = 0, device_id = '', channel_id = '', channel_pk = 0 } = one ?? {};
    const device = { pk, device_id, channel: { pk: channel_pk, channel_id } } as never;
    const uplink = (number: number, temperature: number, receivedAt: number) => ({
      uplink_id: `two-${number}`,
      receivedAt,
      assignedAt: receivedAt,
      points: [{ name: 'temperature', kind: 'n' as const, value: temperature, text: null, at: null, entry: 0, unit: null }],
    });
    await publish(one, { temperature: 20 });
    // The other watcher would hand on the first reading of an alert that it believes unevaluated, so it has to hear of that evaluation.
    await until(
      () => other.known[alert.id]?.[pk]?.state,
      (state) => state === 'ok',
    );
    const now = Date.now() * 1000;
    const [hotter] = watcher.match(device, uplink(1, 35, now + 1_000_000)) ?? [];
    other.match(device, uplink(2, 20, now + 2_000_000));
    // Reloading the alerts keeps the readings that were seen.
    other.refresh();
    await other.ready();
    // The other watcher reported nothing: it only saw the device in order.
    const match = { watcher: 'alerts', subject_id: alert.id, device_pk: pk, uplink_id: 'two-1', at: new Date().toISOString() };
    await app.ctx.transaction((tx) => watcher.handle(tx, [{ ...match, payload: hotter?.payload }]));
    expect(
      await until(
        async () => (await read(alert.id)).state,
        (state) => state === 'ok',
      ),
    ).toBe('ok');
    expect((await evaluations(alert.id)).map(({ state, value }) => [state, value]).slice(0, 2)).toEqual([
      ['ok', 20],
      ['triggered', 35],
    ]);
    await other.stop();
  });

  /** A device at 20 °C whose next reading, 35 °C, was found by another process and is not handled yet. The device has left that process. */
  async function matchOfAnotherProcess() {
    const [one] = await fleet(1);
    const alert = await make(one, hot);
    await publish(one, { temperature: 20 });
    const key = `${one?.device_id}${one?.channel_id}`;
    await clients.get(key)?.endAsync();
    clients.delete(key);
    const foundAt = Date.now();
    const uplink_id = ulids()(foundAt);
    const payload = JSON.stringify({ value: 35, at: foundAt });
    await sql`insert into uplink_matches (watcher, uplink_id, subject_id, device_pk, at, payload, writer)
      values ('alerts', ${uplink_id}, ${alert.id}, ${one?.pk}, now(), ${payload}::jsonb, gen_random_uuid())`.execute(app.ctx.db);
    return { one, alert, uplink_id };
  }
  /** The evaluations, newest first, when 21 °C and 36 °C follow here. */
  const inOrder = [
    ['triggered', 36],
    ['ok', 21],
    ['triggered', 35],
    ['ok', 20],
  ];

  test('two processes: what one that died had not handled is handled before the first reading at the other', async () => {
    const { one, alert } = await matchOfAnotherProcess();
    await publish(one, { temperature: 21 });
    await publish(one, { temperature: 36 });
    expect((await evaluations(alert.id)).map(({ state, value }) => [state, value])).toEqual(inOrder);
  });

  test('two processes: what a process that is cut off still holds is handled first, however late', async () => {
    const { one, alert, uplink_id } = await matchOfAnotherProcess();
    const release = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const held = app.ctx.db.transaction().execute(async (tx) => {
      await sql`select from uplink_matches where uplink_id = ${uplink_id} for update`.execute(tx);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const sent = publish(one, { temperature: 21 }).then(() => publish(one, { temperature: 36 }));
    const stored = async () => {
      const { rows } = await sql`select from telemetry.uplink where device_pk = ${one?.pk}`.execute(app.ctx.db);
      return rows.length;
    };
    await until(stored, (count) => count >= 2);
    release.resolve();
    await Promise.all([held, sent]);
    expect((await evaluations(alert.id)).map(({ state, value }) => [state, value])).toEqual(inOrder);
  });

  test('the HTTP twin is watched as well', async () => {
    const [one] = await fleet(1);
    const alert = await make(one, hot);
    const response = await app.anonymous().fetch(`/api/v1/${one?.channel_id}/devices/${one?.device_id}/up`, {
      method: 'POST',
      headers: { authorization: `Key ${one?.api_key}` },
      body: '{"temperature": 77}',
    });
    expect(response.status).toBe(200);
    expect(await toldOf(alert.id, 1)).toEqual([`${one?.device_id} triggered`]);
    // The other watcher has received the change.
    await until(
      () => watcher.known[alert.id]?.[one?.pk ?? 0]?.state,
      (state) => state === 'triggered',
    );
    await publish(one, { temperature: 3 });
    expect(await toldOf(alert.id, 2)).toEqual([`${one?.device_id} triggered`, `${one?.device_id} ok`]);
  });

  test('a changed condition starts anew, and a deleted alert tells nobody', async () => {
    const [one] = await fleet(1);
    const alert = await make(one, hot);
    await publish(one, { temperature: 35 });
    await toldOf(alert.id, 1);
    const body = { options: { ...hot, channel_id: one?.channel_id, value: 40 } } as never;
    expect(await admin.get(alertsApi.save, { params: { id: alert.id }, body })).toMatchObject({
      state: 'unknown',
      devices: [{ state: 'unknown' }],
    });
    await until(
      () => watcher.limitOf(alert.id),
      (limit) => limit === 40,
    );
    await publish(one, { temperature: 36 });
    expect((await read(alert.id)).state).toBe('ok');
    await admin.get(alertsApi.remove, { params: { id: alert.id } });
    await until(
      () => watcher.limitOf(alert.id),
      (limit) => limit === undefined,
    );
    await publish(one, { temperature: 50 });
    expect(told(alert.id)).toHaveLength(1);
  });

  test('silence: a device that reports nothing for so long triggers, and its next uplink ends it at once', async () => {
    const [one, two] = await fleet(2);
    for (const device of [one, two]) await publish(device, { temperature: 1 });
    const alert = await make(one, { kind: 'silence', silent_seconds: 60 });
    await checkSilence(app.ctx);
    expect(await read(alert.id)).toMatchObject({ state: 'ok', devices: [{ state: 'ok' }, { state: 'ok' }] });
    await sql`update telemetry.device_state set last_seen_at = now() - interval '2 minutes' where device_pk = ${one?.pk ?? 0}`.execute(
      app.ctx.db,
    );
    await checkSilence(app.ctx);
    // The uplinks prove a recent report, although the last-seen table is older.
    expect((await read(alert.id)).state).toBe('ok');
    // Two minutes before may have been yesterday.
    await broker.uplinks.partitions.ensure('uplink', [Math.floor(Date.now() / 86_400_000) - 1]);
    await sql`update telemetry.uplink set received_at = received_at - interval '2 minutes' where device_pk = ${one?.pk ?? 0}`.execute(
      app.ctx.db,
    );
    await checkSilence(app.ctx);
    await checkSilence(app.ctx);
    expect(await toldOf(alert.id, 1)).toEqual([`${one?.device_id} triggered`]);
    expect((await read(alert.id)).devices?.[0]).toMatchObject({ device_id: one?.device_id, state: 'triggered' });
    await until(
      () => watcher.silentCount(one?.channel_pk ?? 0),
      (count) => count === 1,
    );
    await publish(one, { temperature: 2 });
    expect(await toldOf(alert.id, 2)).toEqual([`${one?.device_id} triggered`, `${one?.device_id} ok`]);
  });

  test('replay of a device shows when it would have fired, without another reading after the wait', async () => {
    const [one] = await fleet(1);
    const now = Date.now();
    const minutes = (ago: number, temperature: number) => ({ ts: now - ago * 60_000, values: { temperature } });
    await publish(one, [minutes(50, 20), minutes(40, 35), minutes(30, 36), minutes(20, 10), minutes(10, 40)]);
    const replay = (options: object) =>
      admin.get(alertsApi.replay, { body: { options: { ...hot, channel_id: one?.channel_id, ...options } as never, rearm: 1, days: 30 } });
    const seen = await replay({});
    expect(seen).toMatchObject({ evaluations: 5, notifications: 4, threshold: 30, is_partial: false });
    expect(seen.triggered.map(({ value, device_id }) => [value, device_id])).toEqual([
      [35, one?.device_id],
      [40, one?.device_id],
    ]);
    expect((await replay({ for_seconds: 900 })).triggered).toHaveLength(1);
    const silence = await admin.get(alertsApi.replay, {
      body: { options: { kind: 'silence', channel_id: one?.channel_id ?? '', silent_seconds: 300 }, days: 30 },
    });
    expect(silence).toMatchObject({ threshold: 300, triggered: [] });
  });

  test('eval looks at the last value, also one from before the alert', async () => {
    const [one] = await fleet(1);
    await publish(one, { temperature: 90 });
    await broker.uplinks.drain();
    const alert = await make(one, hot);
    expect(await admin.get(alertsApi.evaluate, { params: { id: alert.id } })).toMatchObject({ state: 'triggered' });
  });
});
