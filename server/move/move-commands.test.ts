import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { alertCommandsApi, commandsApi, schedulesApi } from '@telltale/domain/commands/contract.ts';
import { type MoveReport, moveApi } from '@telltale/domain/move/contract.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const other = await testApp();
const admin = app.as(app.admin);
const there = other.as(other.admin);

const take = (objects: unknown, preview = false) => there.get(moveApi.import, { body: { objects: objects as never, preview } });
const lines = ({ entries }: MoveReport) =>
  entries.map(({ kind, name, outcome, reason }) => `${kind} ${name}: ${outcome}${reason === undefined ? '' : ` ${reason}`}`);

await admin.get(channelsApi.create, { body: { channel_id: 'harbour' } });
await admin.get(channelsApi.create, { body: { channel_id: 'barn' } });
for (const device_id of ['pump-1', 'pump-2'])
  await admin.get(devicesApi.create, { params: { id: 'harbour' }, body: { device_id, device_name: device_id } });
await admin.get(devicesApi.create, { params: { id: 'barn' }, body: { device_id: 'lamp-1', device_name: 'Lamp' } });
const open = { name: 'Open', fport: 3, mode: 'push' as const, payload: '01 02', confirm: true, ttl_seconds: 600 };
const retry = { retry_enabled: true, retry_count: 2, retry_until: { options: { op: '==' as const, column: 'valve', value: 1 } } };
await sql`
  with known as (insert into telemetry.attribute (channel_pk, name, first_seen, last_seen)
    select id, 'valve', now(), now() from telemetry.channel where channel_id = 'harbour' returning id, channel_pk)
  insert into telemetry.device_attribute (device_pk, attribute_id, first_seen, last_seen, last_kind)
  select device.id, known.id, now(), now(), 'n' from known join telemetry.device using (channel_pk)`.execute(app.ctx.db);
const body = { ...open, ...retry, channel_id: 'harbour', device_ids: ['pump-2', 'pump-1'] };
const { id } = await admin.get(commandsApi.create, { body });
await admin.get(commandsApi.create, { body: { ...open, channel_id: 'barn', device_ids: ['lamp-1'] } });
const schedule = (fields: Record<string, unknown>) => admin.get(schedulesApi.create, { params: { id }, body: fields });
const event = { type: 'e', name: 'Dry', channel_id: 'harbour', device_id: 'pump-1', attribute: 'level', operator: '<', value: 2 };
await schedule({ type: 'r', name: 'Nightly', schedule: '0 0 3 ? * * *', timezone: 'Europe/Berlin' });
await schedule({ ...event, hold_seconds: 30 });
await schedule({ ...event, name: 'Both', condition: { and: [event, { ...event, attribute: 'flow' }] } });
const over = await schedule({ type: 'o', name: 'Over', schedule: '2100-01-01 00:00:00', timezone: 'UTC' });
await sql`update command_schedules set next_run_at = null where id = ${over.id}`.execute(app.ctx.db);
const silence = { kind: 'silence' as const, channel_id: 'harbour', device_ids: [], silent_seconds: 600 };
const alert = await admin.get(alertsApi.create, { body: { name: 'Nothing comes', options: silence } });
await admin.get(alertCommandsApi.create, { params: { id: alert.id }, body: { command_id: id, on: 'both' } });
const objects = await admin.get(moveApi.export, { query: { what: 'channels,commands' } });

test('iot-behaviour 5.2: commands are taken over with their schedules, and with their links to alerts by name', async () => {
  const all = await admin.get(moveApi.export, { query: { what: 'channels,alerts,commands' } });
  const expected = [
    'channel harbour: made',
    'device harbour/pump-1: made',
    'device harbour/pump-2: made',
    'channel barn: made',
    'device barn/lamp-1: made',
    'alert Nothing comes: made',
    'command Open: made',
    'command Open: made',
  ];
  expect(lines(await take(all, true))).toEqual(expected);
  expect(await there.get(commandsApi.list)).toEqual([]);
  const report = await take(all);
  expect(lines(report)).toEqual(expected);
  const made = report.entries.find(({ kind }) => kind === 'command')?.id as number;
  expect(await there.get(commandsApi.get, { params: { id: made } })).toMatchObject({ ...body, user: { id: other.admin.id } });
  const schedules = (await there.get(schedulesApi.list, { params: { id: made } })) as unknown[];
  expect(schedules.toReversed()).toMatchObject([
    { type: 'r', name: 'Nightly', schedule: '0 0 3 ? * * *', timezone: 'Europe/Berlin', is_active: true },
    { type: 'e', name: 'Dry', channel_id: 'harbour', device_id: 'pump-1', attribute: 'level', operator: '<', value: 2, hold_seconds: 30 },
    { type: 'e', name: 'Both', attribute: null, condition: { and: [{ attribute: 'level' }, { attribute: 'flow' }] } },
  ]);
  const linked = report.entries.find(({ kind }) => kind === 'alert')?.id as number;
  expect(await there.get(alertCommandsApi.list, { params: { id: linked } })).toMatchObject([{ command_id: made, on: 'both' }]);
  expect(lines(await take(all)).filter((line) => line.startsWith('command '))).toEqual(['command Open: exists', 'command Open: exists']);
});

test('what cannot be taken over is named, in a preview as well', async () => {
  const [command] = objects.commands;
  const file = {
    format: 'telltale objects 1',
    commands: [
      { ...command, name: 'Nowhere', channel_id: 'nowhere' },
      { ...command, name: 'To nobody', device_ids: ['pump-1', 'pump-9'] },
      { ...command, name: 'Odd', mode: 'shift' },
      {
        ...command,
        name: 'In part',
        schedules: [
          { type: 'r', name: 'Never', schedule: 'nonsense' },
          { ...event, operator: 'like' },
        ],
        alerts: [{ name: 'Unknown', on: 'ok' }],
      },
    ],
  };
  const expected = [
    'command Nowhere: refused There is no channel "nowhere".',
    'command To nobody: refused The channel has no device "pump-9".',
    'command Odd: refused Mode must be push or replace.',
    'command In part: made',
    expect.stringMatching(/^command In part: changed The schedule "Never" was not taken over\. .*seven fields/),
    expect.stringMatching(/^command In part: changed The schedule "Dry" was not taken over\. operator must be one of/),
    'command In part: changed The alert "Unknown" does not send it. There is no such alert here.',
  ];
  expect(lines(await take(file, true))).toEqual(expected);
  expect(lines(await take(file))).toEqual(expected);
});
