import { queriesApi, queryAclApi } from '@telltale/domain/queries/contract.ts';
import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { ensureBuiltInSource } from '../data-sources/built-in-source.ts';
import { prepareReader } from '../data-sources/prepare-reader.ts';
import { runSaved } from '../testing/run-query.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
await ensureBuiltInSource(app.ctx);
const [owner, other] = [await app.make.user(), await app.make.user()];
const client = app.as(owner);

async function channel(id: string, devices: Record<string, Record<string, 'n' | 's' | 'b'>>) {
  const { rows } = await sql<{ id: number }>`
    insert into telemetry.channel (channel_id, channel_name, kind) values (${id}, ${`Channel ${id}`}, 'mqtt') returning id`.execute(
    app.ctx.db,
  );
  const channelPk = rows[0]?.id;
  for (const [device, attributes] of Object.entries(devices)) {
    const made = await sql<{ id: number }>`
      insert into telemetry.device (channel_pk, device_id, device_name) values (${channelPk}, ${device}, ${device.toUpperCase()}) returning id`.execute(
      app.ctx.db,
    );
    for (const [name, kind] of Object.entries(attributes)) {
      await sql`
        with attribute as (
          insert into telemetry.attribute (channel_pk, name, first_seen, last_seen) values (${channelPk}, ${name}, now(), now())
          on conflict (channel_pk, name) do update set last_seen = now() returning id)
        insert into telemetry.device_attribute (device_pk, attribute_id, first_seen, last_seen, last_kind)
        select ${made.rows[0]?.id}, id, now(), now(), ${kind} from attribute`.execute(app.ctx.db);
    }
  }
}
await channel('field', {
  'a-1': { temperature: 'n', 'lora.rssi': 'n', state: 's', 'air.pm.0': 'n' },
  'b-2': { temperature: 'n', 'o\'clock "x"': 'n' },
});
await channel('empty', {});
await sql`insert into telemetry.channel (channel_id, channel_name, kind, deleted_at) values ('gone', 'Gone', 'mqtt', now())`.execute(
  app.ctx.db,
);

const selection = { channel_id: 'field', device_ids: ['a-1'], attributes: ['temperature', 'state'] };
const add = (body: Record<string, unknown> = {}, user: { api_key: string } = owner) =>
  app.as(user).call(deviceQueriesApi.add, { body: { name: 'Devices', ...selection, ...body } });

describe('Q7: what can be chosen', () => {
  test('channels by name, without what was deleted', async () => {
    expect(await client.get(deviceQueriesApi.applications)).toEqual([
      { channel_id: 'empty', channel_name: 'Channel empty' },
      { channel_id: 'field', channel_name: 'Channel field' },
    ]);
  });

  test('devices, and what each has reported; the product’s own attributes last', async () => {
    expect(await client.get(deviceQueriesApi.devices, { params: { id: 'field' } })).toEqual([
      { device_id: 'a-1', device_name: 'A-1' },
      { device_id: 'b-2', device_name: 'B-2' },
    ]);
    expect(await client.get(deviceQueriesApi.devices, { params: { id: 'empty' } })).toEqual([]);
    expect(await client.get(deviceQueriesApi.attributes, { params: { id: 'field', deviceId: 'a-1' } })).toEqual([
      'air.pm.0',
      'state',
      'temperature',
      'lora.rssi',
    ]);
  });

  test('the attributes of several devices, or of the whole channel, come in one answer', async () => {
    const of = (device_ids?: string[]) =>
      client.get(deviceQueriesApi.attributesOf, { params: { id: 'field' }, query: device_ids ? { device_ids } : {} });
    const all = await of();
    expect(all).toEqual(await of(['a-1', 'b-2']));
    expect(all).toEqual(expect.arrayContaining(await of(['b-2'])));
    expect(await of(['a-1', 'elsewhere'])).toEqual(['air.pm.0', 'state', 'temperature', 'lora.rssi']);
    expect(await of(['elsewhere'])).toEqual([]);
    const many = Array.from({ length: 101 }, (_, n) => `d-${n}`);
    expect((await client.call(deviceQueriesApi.attributesOf, { params: { id: 'field' }, query: { device_ids: many } })).status).toBe(400);
  });

  test.each(['gone', 'nowhere', "' or 1=1 --", '..', '%'])('the channel %j is not there', async (id) => {
    expect((await client.call(deviceQueriesApi.devices, { params: { id } })).status).toBe(404);
    expect((await client.call(deviceQueriesApi.attributes, { params: { id, deviceId: 'a-1' } })).status).toBe(404);
    expect((await client.call(deviceQueriesApi.attributesOf, { params: { id }, query: {} })).status).toBe(404);
  });

  test('a device of another channel is not there', async () => {
    expect((await client.call(deviceQueriesApi.attributes, { params: { id: 'empty', deviceId: 'a-1' } })).status).toBe(404);
  });

  test('design 8: all of it needs view_channel beside view_query', async () => {
    const group = await app.make.group({ permissions: ['view_query', 'create_query', 'edit_query'] });
    const reader = await app.make.user({ groups: [], group_ids: [group.id] });
    for (const [endpoint, params] of [
      [deviceQueriesApi.applications, undefined],
      [deviceQueriesApi.devices, { id: 'field' }],
      [deviceQueriesApi.attributes, { id: 'field', deviceId: 'a-1' }],
      [deviceQueriesApi.attributesOf, { id: 'field' }],
    ] as const) {
      expect((await app.as(reader).call(endpoint as typeof deviceQueriesApi.devices, { params: params as never })).status).toBe(403);
    }
    expect((await add({}, reader)).status).toBe(403);
  });

  test('the fixed words of the address are no ids of queries', async () => {
    const status = async (path: string) => (await client.fetch(`/api/queries/${path}`)).status;
    expect([await status('applications'), await status('my'), await status('add'), await status('applications/1')]).toEqual([
      200, 200, 405, 404,
    ]);
  });
});

describe('Q7: a query from devices', () => {
  test('runs on IoT data, over today, with a table and a line chart that leaves gaps', async () => {
    const { body } = await add();
    expect(body).toMatchObject({
      name: 'Devices',
      is_draft: true,
      is_safe: true,
      options: { parameters: [{ name: 'timerange', type: 'datetime-range', value: 'd_today' }] },
      visualizations: [
        { type: 'TABLE' },
        {
          type: 'CHART',
          options: { globalSeriesType: 'line', missingValuesAsZero: false, columnMapping: { time: 'x', temperature: 'y' } },
        },
      ],
    });
    expect(body.query).toContain(`max(value) filter (where attribute = 'temperature') as "temperature"`);
    expect(body.query).toContain(`max(value_text) filter (where attribute = 'state') as "state"`);
    expect(await client.get(deviceQueriesApi.get, { params: { id: body.id } })).toEqual({
      id: body.id,
      ...selection,
      is_edited: false,
      version: 1,
    });
  });

  test.each([
    [{ name: '' }, 'Fill All the values to continue'],
    [{ name: undefined }, 'Fill All the values to continue'],
    [{ channel_id: '' }, 'Fill All the values to continue'],
    [{ device_ids: [] }, 'Fill All the values to continue'],
    [{ attributes: [] }, 'Fill All the values to continue'],
    [{ attributes: undefined }, 'Fill All the values to continue'],
    [{ channel_id: 'nowhere' }, 'There is no channel nowhere.'],
    [{ device_ids: ['a-1', 'z-9'] }, 'The channel field has no device z-9.'],
    [{ attributes: ['humidity'] }, 'These devices have not reported humidity.'],
    [{ attributes: ["x' or '1'='1"] }, /have not reported/],
    [{ device_ids: 7 }, 'Fill All the values to continue'],
  ])('%j is a 400 with a reason', async (body, message) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await add(body)).toMatchObject({ status: 400, message: expected });
  });

  test('other devices make another text, in a new version; the time range stays as somebody set it', async () => {
    const { body: made } = await add();
    const options = { parameters: [{ name: 'timerange', type: 'datetime-range', value: 'd_last_7_days' }], apply_auto_limit: true };
    await client.get(queriesApi.save, { params: { id: made.id }, body: { options } });
    const body = { channel_id: 'field', device_ids: ['a-1', 'b-2'], attributes: ['temperature'] };
    expect(await client.get(deviceQueriesApi.save, { params: { id: made.id }, body })).toEqual({
      id: made.id,
      ...body,
      is_edited: false,
      version: 3,
    });
    const saved = await client.get(queriesApi.get, { params: { id: made.id } });
    expect(saved).toMatchObject({ version: 3, options });
    expect((saved as { query: string }).query).toContain("device_id in ('a-1', 'b-2')");
    const stale = await app.as(app.admin).call(deviceQueriesApi.save, { params: { id: made.id }, body: { ...body, version: 1 } });
    expect(stale.status).toBe(409);
    expect((await client.call(deviceQueriesApi.save, { params: { id: made.id }, body: { ...body, attributes: ['nothing'] } })).status).toBe(
      400,
    );
  });

  test('a text that somebody edited says so', async () => {
    const { body: made } = await add();
    await client.get(queriesApi.save, { params: { id: made.id }, body: { query: 'select 1' } });
    expect(await client.get(deviceQueriesApi.get, { params: { id: made.id } })).toMatchObject({ is_edited: true, version: 2 });
  });

  test('24: view to look, modify to change, 404 when it was not made this way; a copy is', async () => {
    const { body: made } = await add();
    const change = (user: { api_key: string }) => app.as(user).call(deviceQueriesApi.save, { params: { id: made.id }, body: selection });
    expect((await app.as(other).call(deviceQueriesApi.get, { params: { id: made.id } })).status).toBe(200);
    expect((await change(other)).status).toBe(403);
    await client.get(queryAclApi.grant, { params: { id: made.id }, body: { access_type: 'modify', user_id: other.id } });
    expect((await change(other)).status).toBe(200);
    const source = await app.make.dataSource();
    const { id } = await client.get(queriesApi.create, { body: { name: 'x', query: 'select 1', data_source_id: source.id } });
    expect((await client.call(deviceQueriesApi.get, { params: { id } })).status).toBe(404);
    expect((await client.call(deviceQueriesApi.save, { params: { id }, body: selection })).status).toBe(404);
    const copy = await app.as(other).get(queriesApi.fork, { params: { id: made.id } });
    expect(await app.as(other).get(deviceQueriesApi.get, { params: { id: copy.id } })).toMatchObject({ ...selection, is_edited: false });
  });

  test('security 4: names with quotes in them run as names, and the rows are theirs', async () => {
    await prepareReader(app.ctx, inject('postgres').superuserUrl);
    await app.startWorker();
    await sql`create table telemetry.metric_point_all partition of telemetry.metric_point for values from (minvalue) to (maxvalue)`.execute(
      app.ctx.db,
    );
    await sql`
      insert into telemetry.metric_point (time, device_pk, attribute_id, value, kind)
      select date_trunc('day', now()) + interval '1 hour', device_pk, attribute_id, 21.5, 'n' from telemetry.device_attribute`.execute(
      app.ctx.db,
    );
    const { body: made } = await add({ device_ids: ['a-1', 'b-2'], attributes: ['temperature', 'o\'clock "x"'] });
    expect((await runSaved(client, made.id)).rows).toEqual([
      { time: expect.any(String), device_id: 'a-1', temperature: 21.5, 'o\'clock "x"': null },
      { time: expect.any(String), device_id: 'b-2', temperature: 21.5, 'o\'clock "x"': 21.5 },
    ]);
  });
});
