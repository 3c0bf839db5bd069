import { attributesApi } from '@telltale/domain/channels/attributes-contract.ts';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ensureBuiltInSource } from '../data-sources/built-in-source.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
await ensureBuiltInSource(app.ctx);
const owner = app.as(await app.make.user());
const params = { id: 'cold-chain' };
await owner.get(channelsApi.create, { body: { channel_id: 'cold-chain', channel_name: 'Cold chain' } });
await owner.get(devicesApi.create, { params, body: { device_id: 'fridge-1', device_name: 'Fridge' } });
await sql`
  with made as (
    insert into telemetry.attribute (channel_pk, name, unit, kind_seen, first_seen, last_seen)
    select id, name, unit, 'n', now(), now() from telemetry.channel, (values ('temperature', 'Cel'), ('time', null), ('door', null)) as one(name, unit)
    where channel_id = 'cold-chain' returning id),
  seen as (
    insert into telemetry.device_attribute (device_pk, attribute_id, first_seen, last_seen, last_kind)
    select device.id, made.id, now(), now(), 'n' from telemetry.device, made)
  insert into telemetry.metric_last (device_pk, attribute_id, time, value, kind)
  select device.id, made.id, now(), 4.25, 'n' from telemetry.device, made`.execute(app.ctx.db);

const fridge = { value: 8, side: 'above', state: 'danger', show: 'band' } as const;
const save = (body: object) => owner.call(attributesApi.save, { params, body: body as never });
const shown = async (name: string) =>
  (await owner.get(attributesApi.list, { params })).find(({ attribute }) => attribute === name)?.display;

test('unit, decimals and thresholds of an attribute are kept, each key on its own', async () => {
  expect(await shown('temperature')).toEqual({ unit: null, decimals: null, thresholds: [] });
  await Promise.all([save({ attribute: 'temperature', unit: '°C' }), save({ attribute: 'temperature', decimals: 1 })]);
  const reply = await save({ attribute: 'temperature', thresholds: [{ value: 8, state: 'danger' }] });
  expect(reply.status).toBe(200);
  expect(await shown('temperature')).toEqual({ unit: '°C', decimals: 1, thresholds: [fridge] });
});

test('the chosen unit wins over what devices report, on the device page as well', async () => {
  await save({ attribute: 'temperature', unit: '°C' });
  const last = await owner.get(deviceDataApi.last, { params: { ...params, deviceId: 'fridge-1' } });
  expect(last.find(({ attribute }) => attribute === 'temperature')?.unit).toBe('°C');
  await save({ attribute: 'temperature', unit: null });
  expect((await owner.get(attributesApi.list, { params }))[1]).toMatchObject({ reported_unit: 'Cel', display: { unit: null } });
});

test('a query over devices carries the display of its columns', async () => {
  await save({ attribute: 'temperature', unit: '°C', decimals: 1, thresholds: [fridge] });
  await save({ attribute: 'time', unit: 's' });
  const selection = { channel_id: 'cold-chain', device_ids: ['fridge-1'], attributes: ['temperature', 'time'] };
  const query = await owner.get(deviceQueriesApi.add, { body: { name: 'Fridge', ...selection } });
  expect(query.column_display).toEqual({
    temperature: { unit: '°C', decimals: 1, thresholds: [fridge] },
    attr_time: { unit: 's', decimals: null, thresholds: [] },
  });
  expect((await owner.get(queriesApi.get, { params: { id: query.id } })).column_display).toEqual(query.column_display);
});

test.each([
  [{ attribute: 'nothing', unit: 'x' }, 404],
  [{ unit: 'x' }, 400],
  [{ attribute: 'door', decimals: 99 }, 400],
  [{ attribute: 'door', thresholds: 'high' }, 400],
  [{ attribute: 'door', thresholds: [{ value: 1e301 }] }, 400],
  [{ attribute: "door'; drop table telemetry.attribute; --", unit: 'x' }, 404],
])('%j is answered %i', async (body, status) => {
  expect((await save(body)).status).toBe(status);
});

test('users with view_channel see the display and cannot change it', async () => {
  const group = await app.make.group({ permissions: ['view_channel'] });
  const viewer = app.as(await app.make.user({ groups: [], group_ids: [group.id] }));
  expect((await viewer.call(attributesApi.list, { params })).status).toBe(200);
  expect((await viewer.call(attributesApi.save, { params, body: { attribute: 'door', unit: 'x' } })).status).toBe(403);
  expect((await owner.call(attributesApi.list, { params: { id: 'nowhere' } })).status).toBe(404);
});
