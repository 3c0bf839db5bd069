import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { alertCommandsApi, commandSubscriptionsApi, commandsApi, deliveriesApi, schedulesApi } from '@telltale/domain/commands/contract.ts';
import { eventsApi } from '@telltale/domain/events/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { alertFired } from '../alerts/alert-signals.ts';
import { listenHooks } from '../networks/mqtt/hooks.ts';
import { emit } from '../platform/signals.ts';
import { makeDevices } from '../testing/fleet.ts';
import { servicesOf } from '../testing/live-server.ts';
import { refusedCommand } from '../testing/refused-command.ts';
import { testApp } from '../testing/test-app.ts';
import { createDirectory } from '../uplinks/directory.ts';
import { fireDueSchedules } from './due-schedules.ts';
import { schedulerCall } from './scheduler-call.ts';

const app = await testApp();
const owner = await app.make.user();
const noSend = await app.make.user({
  group_ids: [(await app.make.group({ permissions: ['view_channel', 'list_alerts'] })).id],
  groups: [],
});
const nothing = await app.make.user({ groups: [] });
const devices = await makeDevices(app.ctx, 'pumps', 30, (n) => `pump-${String(n).padStart(2, '0')}`);
await sql`with known as (insert into telemetry.attribute (channel_pk, name, first_seen, last_seen) values (${devices[0]?.channel_pk}, 'valve', now(), now()) returning id)
  insert into telemetry.device_attribute (device_pk, attribute_id, first_seen, last_seen, last_kind) select ${devices[0]?.pk}, id, now(), now(), 'n' from known`.execute(
  app.ctx.db,
);

const good = { name: 'Open', channel_id: 'pumps', device_ids: ['pump-00'], fport: 1, mode: 'push', payload: '01' };
const create = (body: Record<string, unknown> = {}, user: { api_key: string } = owner) =>
  app.as(user).call(commandsApi.create, { body: { ...good, ...body } });
const save = (id: number, body: Record<string, unknown>, user: { api_key: string } = owner) =>
  app.as(user).call(commandsApi.save, { params: { id }, body });
const retry = { retry_enabled: true, retry_count: 1, retry_until: { options: { op: '==', column: 'valve', value: 1 } } };
describe('A3, A5: commands', () => {
  test('made, read by both names, changed in part, deleted', async () => {
    const { body: made, status } = await create({ name: undefined, command_name: '  Open the valve ', confirm: true, ...retry });
    expect(status).toBe(200);
    expect(made).toMatchObject({
      name: 'Open the valve',
      command_name: 'Open the valve',
      channel_id: 'pumps',
      device_ids: ['pump-00'],
      ttl_seconds: 86_400,
      ...retry,
    });
    expect((await save(made.id, { name: 'Shut' })).body).toMatchObject({ name: 'Shut', confirm: true, payload: '01' });
    const whole = (await app.as(owner).get(commandsApi.get, { params: { id: made.id } })) as unknown as Record<string, unknown>;
    expect((await save(made.id, whole)).body).toMatchObject({ name: 'Shut' });
    // design 8.1: whichever of the two names was changed counts.
    expect((await save(made.id, { ...whole, command_name: 'Close' })).body).toMatchObject({ name: 'Close', command_name: 'Close' });
    expect((await save(made.id, { ...whole, command_name: 'Close', name: 'Seal' })).body).toMatchObject({ name: 'Seal' });
    expect(await app.as(noSend).get(commandsApi.get, { params: { id: made.id } })).toMatchObject({ id: made.id });
    expect((await app.as(owner).call(commandsApi.remove, { params: { id: made.id } })).body).toBeNull();
    expect((await app.as(owner).call(commandsApi.get, { params: { id: made.id } })).status).toBe(404);
  });

  test.each([
    [{ name: ' a ' }, 'Min 2 characters expected'],
    [{ name: undefined }, 'Min 2 characters expected'],
    [{ name: 'x'.repeat(256) }, /too long/],
    [{ channel_id: '' }, 'Channel is required.'],
    [{ channel_id: undefined }, 'Channel is required.'],
    [{ channel_id: 'no-such' }, 'There is no channel "no-such".'],
    [{ device_ids: [] }, 'Choose at least one device.'],
    [{ device_ids: ['pump-00', 'pump-99'] }, 'The channel has no device "pump-99".'],
    [{ fport: null }, 'fport is required.'],
    [{ fport: ' ' }, 'fport is required.'],
    [{ fport: -1 }, 'fport must be between 0 and 223'],
    [{ fport: 224 }, 'fport must be between 0 and 223'],
    [{ fport: 1.5 }, /fport/],
    [{ mode: '' }, 'Mode is required.'],
    [{ mode: 'shift' }, 'Mode must be push or replace.'],
    [{ payload: '' }, 'Payload is required.'],
    [{ payload: ' \n' }, 'Payload is required.'],
    [{ payload: '{"a":' }, 'Payload must be hex, base64:..., text:... or a JSON object'],
    [{ payload: 'hex:0' }, /Payload must be/],
    [{ payload: 'base64:***' }, /Payload must be/],
    [{ payload: 'a'.repeat(60_001) }, /at most/],
    [{ retry_count: 11 }, 'Retry count must be between 0 and 10.'],
    [{ retry_count: -1 }, 'Retry count must be between 0 and 10.'],
    [{ ttl_seconds: 0 }, /ttl_seconds/],
    [{ retry_enabled: true }, 'condition is required'],
    [{ retry_enabled: true, retry_until: { options: { op: '=~', column: 'valve', value: 1 } } }, /condition must be one of/],
    [{ retry_enabled: true, retry_until: { options: { op: '>', column: ' ', value: 1 } } }, 'attribute is required'],
    [{ retry_enabled: true, retry_until: { options: { op: '>', column: 'valve', value: '' } } }, 'value is required'],
    [
      { retry_enabled: true, retry_until: { options: { op: '>', column: 'other', value: 1 } } },
      'attribute is not matched with your device!',
    ],
    [{ ...retry, device_ids: ['pump-00', 'pump-01'] }, 'attribute is not matched with your device!'],
    [{ payload: 'a\u0000' }, /U\+0000/],
    [{ device_ids: 'pump-00' }, /device_ids/],
    [{ retry_until: 'x' }, /retry_until/],
  ])('%#: a 400 with the reason', async (body, message) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  test('fport 0 can be made, as the dialog says; text that looks like SQL or script is a name', async () => {
    expect((await create({ fport: 0, name: `'); drop table x; <script>` })).body).toMatchObject({
      fport: 0,
      name: `'); drop table x; <script>`,
    });
  });

  test('A6: making, changing, sending and cancelling need send_command', async () => {
    const { body } = await create();
    const params = { id: body.id };
    for (const user of [noSend, nothing]) {
      expect((await create({}, user)).status).toBe(403);
      expect((await save(body.id, { name: 'Taken' }, user)).status).toBe(403);
      expect((await app.as(user).call(commandsApi.send, { params, body: {} })).status).toBe(403);
      expect((await app.as(user).call(commandsApi.send, { params, body: { preview: true } })).status).toBe(403);
      expect((await app.as(user).call(commandsApi.remove, { params })).status).toBe(403);
      expect((await app.as(user).call(schedulesApi.create, { params, body: { type: 'r' } })).status).toBe(403);
      expect((await app.as(user).call(deliveriesApi.cancel, { params: { id: 1 } })).status).toBe(403);
    }
    expect((await app.as(nothing).call(commandsApi.get, { params })).status).toBe(403);
    expect((await app.anonymous().call(commandsApi.list)).status).toBe(404);
  });

  test('lists are arrays, newest first, or pages', async () => {
    const { body } = await create({ name: 'zz newest' });
    const all = (await app.as(owner).get(commandsApi.list)) as { id: number }[];
    expect(all[0]?.id).toBe(body.id);
    expect(await app.as(owner).get(commandsApi.list, { query: { page: 1, q: 'zz newest' } })).toMatchObject({
      count: 1,
      results: [{ id: body.id }],
    });
  });
});

describe('design 8.1: sending', () => {
  test('a preview says exactly what would go where, and sends nothing', async () => {
    const all = devices.slice(0, 21).map(({ device_id }) => device_id);
    const { body } = await create({ device_ids: all, payload: '{ "open": 1 }' });
    const params = { id: body.id };
    const preview = await app.as(owner).get(commandsApi.send, { params, body: { preview: true } });
    expect(preview).toMatchObject({ execution_id: null, needs_confirmation: true });
    expect(preview.deliveries.map(({ device_id }) => device_id)).toEqual(all);
    expect(preview.deliveries[0]).toMatchObject({
      id: null,
      encoding: 'json',
      bytes_hex: Buffer.from('{"open":1}').toString('hex'),
      state: 'pending',
    });
    expect(await app.as(owner).get(commandsApi.executions, { params })).toMatchObject({ count: 0 });
  });

  test('one execution with a delivery per device, and an audit entry', async () => {
    const { body } = await create({ device_ids: ['pump-00', 'pump-01'] });
    const params = { id: body.id };
    const sent = await app.as(owner).get(commandsApi.send, { params, body: {} });
    expect(sent).toMatchObject({ needs_confirmation: false, deliveries: [{ bytes_hex: '01', encoding: 'hex', state: 'queued' }, {}] });
    expect(await app.as(noSend).get(commandsApi.executions, { params })).toMatchObject({
      count: 1,
      results: [{ id: sent.execution_id, source: 'manual', devices: 2, states: { queued: 2 }, is_final: false, user: { id: owner.id } }],
    });
    expect(await app.as(noSend).get(commandsApi.deliveries, { params, query: { device_id: 'pump-01' } })).toMatchObject({
      count: 1,
      results: [{ device_id: 'pump-01' }],
    });
    expect(await app.as(noSend).get(commandsApi.deliveries, { params, query: { state: 'sent' } })).toMatchObject({ count: 0 });
    const events = await app.as(app.admin).get(eventsApi.list, { query: { page: 1 } });
    expect(JSON.stringify(events)).toContain('"action":"send"');
  });

  test('to other devices of the channel, never to those of another', async () => {
    await makeDevices(app.ctx, 'elsewhere', 1, () => 'far-away');
    const { body } = await create();
    const send = (device_ids: string[]) => app.as(owner).call(commandsApi.send, { params: { id: body.id }, body: { device_ids } });
    expect((await send(['pump-07'])).body.deliveries).toMatchObject([{ device_id: 'pump-07' }]);
    expect(await send(['far-away'])).toMatchObject({ status: 400, message: 'The channel has no device "far-away".' });
    expect((await send([])).status).toBe(400);
  });

  test('iot-behaviour 3.1: LoRaWAN refuses fport 0 and payloads that are no bytes', async () => {
    await makeDevices(app.ctx, 'fields', 1, () => 'node-1');
    await sql`update telemetry.channel set kind = 'tts' where channel_id = 'fields'`.execute(app.ctx.db);
    const field = { channel_id: 'fields', device_ids: ['node-1'] };
    const refused = { status: 400, message: 'fport must be between 1 and 223' };
    expect(await create({ ...field, fport: 0 })).toMatchObject(refused);
    const { body } = await create({ fport: 0 });
    expect(await save(body.id, field)).toMatchObject(refused);
    // A command of an earlier version.
    await sql`
      update commands set channel_pk = (select id from telemetry.channel where channel_id = 'fields') where id = ${body.id}`.execute(
      app.ctx.db,
    );
    expect(await app.as(owner).call(commandsApi.send, { params: { id: body.id }, body: { device_ids: ['node-1'] } })).toMatchObject(
      refused,
    );
    expect(await save(body.id, { name: 'Port', device_ids: ['node-1'], fport: 0 })).toMatchObject(refused);
    expect((await save(body.id, { name: 'Without a port', device_ids: ['node-1'] })).status).toBe(200);
    expect((await create({ ...field, payload: 'open' })).message).toBe('Payload must be hex, base64:..., text:... or a JSON object');
    expect((await create({ ...field, payload: '00'.repeat(243) })).message).toMatch(/at most 242/);
    expect(
      (await app.as(owner).get(commandsApi.send, { params: { id: (await create(field)).body.id }, body: {} })).deliveries[0]?.state,
    ).toBe('pending');
  });
});

describe('A3, A9: schedules', () => {
  const schedule = async (body: Record<string, unknown>, id?: number) =>
    app.as(owner).call(schedulesApi.create, { params: { id: id ?? (await create()).body.id }, body });
  const preview = (body: { type?: string; schedule: string; timezone?: string; after?: string }) =>
    app.as(noSend).call(schedulesApi.preview, { body });

  test('the default is repaired, in the default zone', async () => {
    const { body } = await schedule({ type: 'r', schedule: '0 0 00 1/1 * ?*' });
    expect(body).toMatchObject({ type: 'r', name: 'Recurring', timezone: 'Asia/Kolkata', schedule: '0 0 00 1/1 * ? *', is_active: true });
    expect(body.sentence).toBe('At 00:00, every day (Asia/Kolkata).');
    expect(body.next_run_at).toMatch(/T18:30:00Z$/);
  });

  test('a preview says what it means and the next five runs', async () => {
    const { body } = await preview({
      type: 'r',
      schedule: '0 30 8 ? * MON-FRI *',
      timezone: 'Europe/Berlin',
      after: '2026-03-27T10:00:00Z',
    });
    expect(body.next).toEqual([
      '2026-03-30T06:30:00Z',
      '2026-03-31T06:30:00Z',
      '2026-04-01T06:30:00Z',
      '2026-04-02T06:30:00Z',
      '2026-04-03T06:30:00Z',
    ]);
    expect((await preview({ schedule: '0 0 0 31 2 ? *' })).message).toBe('This schedule has no run in the future.');
    expect((await preview({ schedule: '0 0 0 1 1 2 *' })).message).toBe(
      'Support for both day fields is not available, use ? in one of them.',
    );
    expect((await preview({ schedule: '* * * * * ? *', timezone: 'Mars/Base' })).message).toBe('There is no time zone "Mars/Base".');
  });

  test('iot-behaviour 3.6: a one-time schedule in the past is refused, one of now is taken and fires once', async () => {
    const past = await schedule({ type: 'o', schedule: '2020-01-01 00:00:00', timezone: 'UTC' });
    expect(past).toMatchObject({ status: 400, message: 'The time of a one-time schedule must not be in the past.' });
    expect((await schedule({ type: 'o', schedule: 'soon' })).status).toBe(400);
    expect((await schedule({ type: 'o', schedule: '2027-02-30 00:00:00' })).status).toBe(400);
    const { body: command } = await create();
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
    const { body } = await schedule({ type: 'o', schedule: now, timezone: 'UTC', name: 'Now' }, command.id);
    await Promise.all([fireDueSchedules(app.ctx), fireDueSchedules(app.ctx), fireDueSchedules(app.ctx)]);
    const params = { id: command.id };
    expect(await app.as(owner).get(commandsApi.executions, { params })).toMatchObject({
      count: 1,
      results: [{ source: 'schedule', schedule_id: body.id, is_late: false }],
    });
    const list = { params, query: { filter: 'active' as const } };
    expect(await app.as(owner).get(schedulesApi.list, list)).toEqual([]);
    expect(await app.as(owner).get(schedulesApi.list, { params })).toMatchObject([{ id: body.id, is_active: false, next_run_at: null }]);
    expect(await app.as(owner).get(schedulesApi.runs, { params: { id: command.id, sid: body.id } })).toMatchObject({
      count: 1,
      results: [{ status: 'fired' }],
    });
  });

  test('iot-behaviour 3.6: runs that were missed: the newest runs once, late and marked, the others are noted', async () => {
    const { body: command } = await create();
    // The schedule runs hourly and was last due two minutes ago; nothing ran for four hours.
    const newest = new Date(Date.now() - 2 * 60_000);
    newest.setUTCSeconds(0, 0);
    const cron = `0 ${newest.getUTCMinutes()} * * * ? *`;
    const { body } = await schedule({ type: 'r', schedule: cron, timezone: 'UTC' }, command.id);
    const params = { id: command.id, sid: body.id };
    const first = new Date(newest.getTime() - 4 * 3_600_000);
    await sql`update command_schedules set next_run_at = ${first} where id = ${body.id}`.execute(app.ctx.db);
    await fireDueSchedules(app.ctx);
    const { results } = await app.as(owner).get(schedulesApi.runs, { params });
    expect(results.filter(({ status }) => status === 'missed')).toHaveLength(4);
    expect(results.filter(({ status }) => status !== 'missed')).toHaveLength(1);
    const { results: runs } = await app.as(owner).get(commandsApi.executions, { params: { id: command.id } });
    expect(runs).toMatchObject([{ is_late: true }]);
    expect(await app.as(owner).get(schedulesApi.list, { params: { id: command.id } })).toMatchObject([
      { next_run_at: new Date(newest.getTime() + 3_600_000).toISOString().replace('.000Z', 'Z') },
    ]);
  });

  test('a run whose command the database refuses is missed, and keeps no other schedule waiting', async () => {
    const [bad, good] = [(await create(await refusedCommand(app))).body, (await create()).body];
    const made = async (id: number) => ({ id, sid: (await schedule({ type: 'r', schedule: '0 0 0 1 1 ? *' }, id)).body.id });
    const [before, after] = [await made(bad.id), await made(good.id)];
    await sql`update command_schedules set next_run_at = now() where id = any(${[before.sid, after.sid]}::int[])`.execute(app.ctx.db);
    await fireDueSchedules(app.ctx);
    const runs = async (params: typeof before) => (await app.as(owner).get(schedulesApi.runs, { params })).results;
    expect(await runs(before)).toMatchObject([{ status: 'missed', reason: 'The command could not be stored.' }]);
    expect((await runs(after)).map(({ status }) => status)).not.toContain('missed');
  });

  test('saved by the same call or its own address, and deleted', async () => {
    const { body: command } = await create();
    const { body } = await schedule({ type: 'r', schedule: '0 0/5 * * * ? *' }, command.id);
    const at = { id: command.id, sid: body.id };
    expect((await schedule({ id: body.id, name: 'Often', type: 'r' }, command.id)).body).toMatchObject({
      id: body.id,
      name: 'Often',
      schedule: '0 0/5 * * * ? *',
    });
    expect((await app.as(owner).call(schedulesApi.save, { params: at, body: { timezone: 'UTC' } })).body).toMatchObject({
      timezone: 'UTC',
      name: 'Often',
    });
    expect((await app.as(owner).call(schedulesApi.remove, { params: { ...at, id: (await create()).body.id } })).status).toBe(404);
    expect((await app.as(owner).call(schedulesApi.remove, { params: at })).body).toBeNull();
    expect((await app.as(owner).call(schedulesApi.resume, { params: at })).status).toBe(404);
  });

  const event = { type: 'e', channel_id: 'pumps', device_id: 'pump-00', attribute: 'level', operator: '>', value: 5 };
  test('A5: an event schedule', async () => {
    expect((await schedule(event)).body).toMatchObject({
      ...event,
      state: 'unknown',
      is_active: true,
      sentence: 'When pump-00 reports that level > 5.',
    });
  });

  test('A3, A7: an event schedule that is posted back whole keeps its fields, and a change of one of them counts', async () => {
    const { body: made } = await schedule(event);
    const body = { ...made, condition: made.condition as unknown };
    const post = async (changes: Record<string, unknown>) => (await schedule({ ...body, ...changes }, made.command_id)).body;
    const fields = { attribute: 'level', operator: '>', value: 5 };
    expect(await post({})).toMatchObject({ id: made.id, ...fields, condition: fields });
    expect(await post({ operator: '<', value: 7 })).toMatchObject({ operator: '<', value: 7, condition: { operator: '<', value: 7 } });
    const single = { attribute: 'pressure', operator: '>=', value: 2 };
    expect(await post({ condition: single })).toMatchObject({ ...single, condition: single });
    const group = { and: [fields, single] };
    expect(await post({ condition: group })).toMatchObject({ attribute: null, operator: null, value: null, condition: group });
  });

  test('iot-behaviour 3.8: a database that fails while an event schedule is saved is not a fault of what was sent', async () => {
    const { body: made } = await schedule(event);
    const rename = (from: string, to: string) => sql.raw(`alter table telemetry.${from} rename to ${to}`).execute(app.ctx.db);
    await rename('device_state', 'gone');
    try {
      expect((await schedule({ ...event, name: 'Again' }, made.command_id)).status).toBe(500);
    } finally {
      await rename('gone', 'device_state');
    }
  });

  test.each([
    [{ ...event, channel_id: null }, 'Channel is required.'],
    [{ ...event, channel_id: 'no-such' }, 'There is no channel "no-such".'],
    [{ ...event, device_id: 'pump-99' }, 'The channel has no device "pump-99".'],
    [{ ...event, attribute: '' }, 'attribute is required'],
    [{ ...event, operator: 'like' }, /operator must be one of/],
    [{ ...event, value: null }, 'value is required'],
    [{ ...event, operator: 'between', value: [5, 1] }, 'Invalid range'],
    [{ ...event, operator: 'between', value: 5 }, /from and to/],
    [{ ...event, operator: 'proximity', value: { words: ['a', 'b'], between: 11 } }, /between 2 and 10/],
    [{ ...event, condition: { and: [] } }, /at least one/],
    [{ ...event, condition: { and: [{ or: [{ and: [{ or: [event] }] }] }] } }, 'Groups may be at most 3 deep.'],
    [{ ...event, condition: 'x' }, /A condition is/],
    [{ ...event, hold_seconds: -1 }, /hold_seconds/],
    [{ type: 'x' }, 'type must be o, r or e'],
    [{ type: 'r', schedule: 'nonsense' }, /seven fields/],
  ])('%#: refused with the reason', async (body, message) => {
    expect(await schedule(body)).toMatchObject({
      status: 400,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });
});

describe('A3: destinations and alerts', () => {
  test('destinations subscribe and leave', async () => {
    const { body: command } = await create();
    const { rows } = await sql<{
      id: number;
    }>`insert into destinations (org_id, name, type, options_sealed) select id, 'Hook', 'webhook', '\\x00' from organizations returning id`.execute(
      app.ctx.db,
    );
    const destination_id = rows[0]?.id ?? 0;
    const params = { id: command.id };
    const subscribe = (id: number) => app.as(owner).call(commandSubscriptionsApi.create, { params, body: { destination_id: id } });
    const { body } = await subscribe(destination_id);
    expect(body).toMatchObject({ command_id: command.id, destination_id, destination: { name: 'Hook', type: 'webhook' } });
    expect((await subscribe(destination_id)).body.id).toBe(body.id);
    expect((await subscribe(99_999)).status).toBe(400);
    expect(await app.as(noSend).get(commandSubscriptionsApi.list, { params })).toMatchObject([{ id: body.id }]);
    const sent = await app.as(owner).get(commandsApi.send, { params, body: { ttl_seconds: 1 } });
    await sql`update command_deliveries set expires_at = now() where execution_id = ${sent.execution_id}`.execute(app.ctx.db);
    expect((await app.as(owner).call(commandSubscriptionsApi.remove, { params: { id: command.id, sid: body.id } })).body).toBeNull();
    expect(await app.as(owner).get(commandSubscriptionsApi.list, { params })).toEqual([]);
  });

  test('an alert sends its commands when it is triggered, ok or both; muted it sends none', async () => {
    const { body: alert } = await app.as(owner).call(alertsApi.create, {
      body: {
        name: 'Level',
        options: { kind: 'device', channel_id: 'pumps', device_ids: [], attribute: 'level', op: '>', value: 5, for_seconds: 0 },
      } as never,
    });
    const params = { id: alert.id };
    const [one, other, third] = [
      (await create({ name: 'on' })).body,
      (await create({ name: 'off' })).body,
      (await create({ name: 'either' })).body,
    ];
    const link = (command_id: number, on?: 'triggered' | 'ok' | 'both') =>
      app.as(owner).call(alertCommandsApi.create, { params, body: { alert_id: alert.id, command_id, ...(on ? { on } : {}) } });
    expect((await link(one.id)).body).toMatchObject({ alert_id: alert.id, command_id: one.id, command_name: 'on', on: 'triggered' });
    await link(other.id, 'ok');
    const { body: both } = await link(third.id, 'both');
    expect((await link(99_999)).status).toBe(400);
    expect((await app.as(noSend).call(alertCommandsApi.create, { params, body: { command_id: one.id } })).status).toBe(403);
    const fired = (state: 'triggered' | 'ok', evaluation_id: number, is_muted = false) =>
      app.ctx.transaction((tx) =>
        emit(tx, alertFired, {
          alert_id: alert.id,
          alert_name: 'Level',
          evaluation_id,
          state,
          previous_state: 'ok',
          value: 6,
          device: null,
          is_muted,
          started: [],
        }),
      );
    await fired('triggered', 1);
    await fired('triggered', 1);
    await fired('ok', 2);
    await fired('triggered', 3, true);
    const count = async (id: number) => (await app.as(owner).get(commandsApi.executions, { params: { id } })).count;
    expect([await count(one.id), await count(other.id), await count(third.id)]).toEqual([1, 1, 2]);
    const caused = await app.as(owner).get(alertsApi.deliveries, { params });
    expect(
      caused.results
        .filter(({ kind }) => kind === 'command')
        .map(({ target_id, name }) => [target_id, name])
        .toSorted(),
    ).toEqual(
      [
        [one.id, 'on'],
        [other.id, 'off'],
        [third.id, 'either'],
        [third.id, 'either'],
      ].toSorted(),
    );
    expect(caused.results[0]).toMatchObject({
      kind: 'command',
      status: 'waiting',
      attempts: 0,
      device_id: expect.any(String),
      sent_at: null,
    });
    expect((await app.as(owner).call(alertCommandsApi.remove, { params: { id: alert.id, cid: both.id } })).body).toBeNull();
    expect(await app.as(owner).get(alertCommandsApi.list, { params })).toHaveLength(2);
  });

  test('A7: an alert lets go of a command by the id of the link, otherwise by that of the command', async () => {
    const watched = async (name: string) =>
      app.as(owner).get(alertsApi.create, {
        body: { name, options: { kind: 'device', channel_id: 'pumps', device_ids: [], attribute: 'level', op: '>', value: 5 } } as never,
      });
    const [one, other] = [await watched('One'), await watched('Other')];
    const links = async ({ id }: { id: number }) =>
      (await app.as(owner).get(alertCommandsApi.list, { params: { id } })).map(({ command_id }) => command_id);
    const remove = async ({ id }: { id: number }, cid: number) =>
      (await app.as(owner).call(alertCommandsApi.remove, { params: { id, cid } })).status;
    const link = (alert: { id: number }, command_id: number) =>
      app.as(owner).get(alertCommandsApi.create, { params: { id: alert.id }, body: { command_id } });
    const numberFrom = (table: string, next: number) =>
      sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${next}, false)`.execute(app.ctx.db);
    // Links and commands are numbered apart, so a number may be that of both: then the link is meant.
    await numberFrom('commands', 5000);
    const [first, second] = [(await create({ name: 'first' })).body, (await create({ name: 'second' })).body];
    await numberFrom('alert_commands', second.id);
    expect((await link(one, first.id)).id).toBe(second.id);
    await link(one, second.id);
    await link(other, first.id);
    expect(await remove(one, second.id)).toBe(200);
    expect(await links(one)).toEqual([second.id]);
    expect(await remove(one, first.id)).toBe(404);
    expect(await remove(one, second.id)).toBe(200);
    expect([await links(one), await links(other)]).toEqual([[], [first.id]]);
  });

  test('A6: the owner of an alert reads its commands without the right to list alerts', async () => {
    const group = await app.make.group({ permissions: ['view_channel'] });
    const person = app.as(await app.make.user({ groups: [], group_ids: [group.id] }));
    const alert = await person.get(alertsApi.create, {
      body: {
        name: 'Mine',
        options: { kind: 'device', channel_id: 'pumps', device_ids: [], attribute: 'level', op: '>', value: 5 },
      } as never,
    });
    expect((await person.call(alertsApi.list)).status).toBe(403);
    expect(await person.get(alertCommandsApi.list, { params: { id: alert.id } })).toEqual([]);
  });

  test('a linked command that the database refuses keeps neither the alert nor its other commands', async () => {
    const { body: alert } = await app.as(owner).call(alertsApi.create, {
      body: { name: 'Level', options: { kind: 'device', channel_id: 'pumps', device_ids: [], attribute: 'level' } } as never,
    });
    const [bad, good] = [(await create(await refusedCommand(app))).body, (await create({ name: 'good' })).body];
    for (const { id } of [bad, good])
      await app.as(owner).get(alertCommandsApi.create, { params: { id: alert.id }, body: { alert_id: alert.id, command_id: id } });
    const started: string[] = [];
    await app.ctx.transaction((tx) =>
      emit(tx, alertFired, {
        alert_id: alert.id,
        alert_name: 'Level',
        evaluation_id: 1,
        state: 'triggered',
        previous_state: 'ok',
        value: 6,
        device: null,
        is_muted: false,
        started,
      }),
    );
    expect(started).toEqual(['command good']);
    expect(await app.as(owner).get(commandsApi.executions, { params: { id: good.id } })).toMatchObject({ count: 1 });
    const failed = await app.as(owner).get(commandsApi.deliveries, { params: { id: bad.id } });
    expect(failed.results).toMatchObject([{ state: 'failed', is_final: true, bytes_hex: '', reason: 'The command could not be stored.' }]);
  });
});

test('two editors of one command at once: what one of them does not send stays as the other saved it', async () => {
  const { body: made } = await create({ name: 'shared' });
  const params = { id: made.id };
  for (let round = 1; round <= 5; round++) {
    const replies = await Promise.all([
      app.as(owner).call(commandsApi.save, { params, body: { fport: round } }),
      app.as(owner).call(commandsApi.save, { params, body: { name: `shared ${round}` } }),
      app.as(owner).call(commandsApi.save, { params, body: { ttl_seconds: 100 + round } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const seen = await app.as(owner).get(commandsApi.get, { params });
    expect([seen.fport, seen.name, seen.ttl_seconds]).toEqual([round, `shared ${round}`, 100 + round]);
  }
});

describe('design 8.1: the scheduler’s own call', () => {
  test('only on the private listener, with the secret, once for each time', async () => {
    const services = servicesOf(app);
    const directory = createDirectory(services);
    const secret = 'a secret of sixteen characters';
    const hooks = await listenHooks(
      { host: '127.0.0.1', port: 0, secret },
      { directory, findUser: async () => undefined, log: services.log, sendCommand: schedulerCall(services) },
    );
    const { body: command } = await create();
    const call = (id: number | string, body: unknown, given = secret) =>
      fetch(`http://127.0.0.1:${hooks.port}/command/${id}`, {
        method: 'POST',
        headers: { 'x-telltale-secret': given },
        body: JSON.stringify(body),
      });
    const due = { type: 'r', time: '2026-01-31T08:30:00Z' };
    expect((await call(command.id, due, 'wrong')).status).toBe(401);
    expect(await (await call(command.id, due)).json()).toMatchObject({ execution_id: expect.any(Number) });
    expect(await (await call(command.id, due)).json()).toEqual({ execution_id: null });
    expect((await call(999_999, due)).status).toBe(404);
    expect((await call('1;drop', due)).status).toBe(404);
    for (const body of [null, {}, { type: 'r' }, { type: 'z', time: 0 }, { type: 'o', time: 'soon' }])
      expect((await call(command.id, body)).status).toBe(400);
    expect(await app.as(owner).get(commandsApi.executions, { params: { id: command.id } })).toMatchObject({ count: 1 });
    for (const headers of [{}, { 'x-telltale-secret': secret }, { authorization: `Key ${app.admin.api_key}` }])
      expect((await fetch(`${app.origin}/command/${command.id}`, { method: 'POST', headers, body: JSON.stringify(due) })).status).toBe(404);
    await hooks.close();
    await directory.stop();
  });
});
