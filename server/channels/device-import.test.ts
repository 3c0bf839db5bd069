import { channelsApi, type Device, devicesApi } from '@telltale/domain/channels/contract.ts';
import { identifierMessage } from '@telltale/domain/channels/identifiers.ts';
import { deviceImportApi, type ImportFault } from '@telltale/domain/channels/import-contract.ts';
import { euiMessage } from '@telltale/domain/lorawan/eui.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const client = app.as(await app.make.user());
const viewer = await app.make.user({ groups: [], group_ids: [(await app.make.group({ permissions: ['view_channel'] })).id] });

let count = 0;
async function aChannel(): Promise<string> {
  const channel_id = `yard-${++count}`;
  await client.get(channelsApi.create, { body: { channel_id } });
  return channel_id;
}
const run = (id: string, devices: unknown, more: object = {}, who = client) =>
  who.call(deviceImportApi.run, { params: { id }, body: { devices, ...more } as never });
const faultsOf = (answer: { body: unknown }) => (answer.body as { errors: ImportFault[] }).errors;
const listed = async (id: string) => (await client.get(devicesApi.list, { params: { id } })) as Device[];
const many = (n: number) => Array.from({ length: n }, (_, at) => ({ device_id: `node-${String(at).padStart(4, '0')}` }));

describe('iot-behaviour 5.2: devices in bulk', () => {
  test('1,000 at once, each with a key of its own, in the order of the rows', async () => {
    const id = await aChannel();
    const { status, body } = await run(id, many(1000));
    expect([status, body.created, body.devices.length]).toEqual([200, 1000, 1000]);
    expect(new Set(body.devices.map(({ api_key }) => api_key)).size).toBe(1000);
    expect(body.devices[41]).toMatchObject({ device_id: 'node-0041', name: 'node-0041', channel_id: id, tags: [], online: false });
    expect(body.devices[41]?.api_key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(await client.get(devicesApi.get, { params: { id, deviceId: 'node-0041' } })).toMatchObject(body.devices[41] as Device);
    expect((await listed(id)).slice(0, 2).map(({ device_id }) => device_id)).toEqual(['node-0000', 'node-0001']);
  });

  test('a row has the fields of one device; without a name a device goes by its id', async () => {
    const id = await aChannel();
    const { body } = await run(id, [
      { device_id: ' roof-1 ', device_name: ' Roof ', dev_eui: '00-04-a3-0b-00-1c-05-30', tags: ['roof', ' roof ', '', 'süd'] },
      { device_id: 'roof-2', device_name: ' ', dev_eui: '', tags: null },
    ]);
    expect(body.devices).toMatchObject([
      { device_id: 'roof-1', name: 'Roof', dev_eui: '0004a30b001c0530', tags: ['roof', 'süd'] },
      { device_id: 'roof-2', name: 'roof-2', dev_eui: null, tags: [] },
    ]);
    const alone = { device_id: 'roof-3', device_name: 'Roof', tags: ['roof'] };
    expect((await client.get(devicesApi.create, { params: { id }, body: alone })).tags).toEqual(['roof']);
  });

  test('every wrong row is named, in the words of creating one device, and nothing is created', async () => {
    const id = await aChannel();
    const eui = '0004a30b001c0530';
    await client.get(devicesApi.create, { params: { id }, body: { device_id: 'roof-1', device_name: 'Roof', dev_eui: eui } });
    const rows = [
      { device_id: 'fine-1' },
      { device_id: 'Roof 2' },
      { device_id: 'roof-1' },
      { device_id: 'fine-2', dev_eui: eui },
      { device_id: 'fine-1', device_name: 'Again' },
      { device_id: 'fine-3', dev_eui: '12', device_name: 'x'.repeat(256) },
      { device_name: 'No id' },
      { device_id: 'fine-4', dev_eui: '0004A30B001C0531' },
      { device_id: 'fine-5', dev_eui: '00-04-A3-0B-00-1C-05-31' },
      { device_id: 'fine-6', tags: 'roof' },
      { device_id: 7 },
    ];
    const refused = await run(id, rows);
    expect(refused).toMatchObject({
      status: 400,
      message: `No device was created. Row 2: ${identifierMessage} There are 10 faults.`,
    });
    expect(faultsOf(refused)).toEqual([
      { row: 2, field: 'device_id', message: identifierMessage },
      { row: 3, field: 'device_id', message: 'There is already a device with the id "roof-1" in this channel.' },
      { row: 4, field: 'dev_eui', message: `There is already a device with the DevEUI ${eui} in this channel.` },
      { row: 5, field: 'device_id', message: 'The id "fine-1" is given more than once.' },
      { row: 6, field: 'device_name', message: 'Device name is too long (at most 255 characters).' },
      { row: 6, field: 'dev_eui', message: euiMessage },
      { row: 7, field: 'device_id', message: 'Identifier is required.' },
      { row: 9, field: 'dev_eui', message: 'The DevEUI 0004a30b001c0531 is given more than once.' },
      { row: 10, field: 'tags', message: expect.stringContaining('tags') },
      { row: 11, field: 'device_id', message: 'Identifier is required.' },
    ]);
    expect(faultsOf(await run(id, rows, { dry_run: true }))).toEqual(faultsOf(refused));
    expect((await listed(id)).map(({ device_id }) => device_id)).toEqual(['roof-1']);
  });

  test('a dry run checks and writes nothing, neither devices nor a line in the audit log', async () => {
    const id = await aChannel();
    expect(await run(id, many(3), { dry_run: true })).toMatchObject({ status: 200, body: { created: 0, devices: [] } });
    expect(await listed(id)).toEqual([]);
    const audited = async () =>
      (await sql<{ action: string }>`select action from audit_log where object_id = ${id} order by id`.execute(app.ctx.db)).rows;
    expect(await audited()).not.toContainEqual({ action: 'import_devices' });
    await run(id, many(3));
    expect((await audited()).filter(({ action }) => action === 'import_devices')).toHaveLength(1);
    const { rows } = await sql<{ devices: number }>`
      select (properties ->> 'devices')::int as devices from events where action = 'import' and object_id = ${id}`.execute(app.ctx.db);
    expect(rows).toEqual([{ devices: 3 }]);
  });

  test('of ten equal calls at once one creates its devices, and the others name what is taken', async () => {
    const id = await aChannel();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => run(id, at % 2 ? many(50) : many(50).reverse())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.map((answer) => faultsOf(answer).length)).toEqual(Array(9).fill(50));
    expect(await listed(id)).toHaveLength(50);
  });

  test.each([
    [{}],
    [{ devices: [] }],
    [{ devices: 'roof-1' }],
    [{ devices: ['roof-1'] }],
    [{ devices: [null] }],
    [{ devices: { device_id: 'roof-1' } }],
    [{ devices: [{ device_id: 'roof-1' }], dry_run: 'yes' }],
    [{ devices: many(1001) }],
  ])('%#: a body that cannot be read is refused', async (body) => {
    const id = await aChannel();
    const answer = await client.call(deviceImportApi.run, { params: { id }, body: body as never });
    expect([answer.status, await listed(id)]).toEqual([400, []]);
  });

  test('more than 1,000 rows are refused in words', async () => {
    expect((await run(await aChannel(), many(1001))).message).toBe('At most 1,000 devices are created by one call.');
  });

  test('D6: it needs manage_channel, and a channel that is there', async () => {
    const id = await aChannel();
    for (const dry_run of [false, true]) expect((await run(id, many(1), { dry_run }, app.as(viewer))).status).toBe(403);
    expect((await run('nowhere', many(1))).status).toBe(404);
    await client.get(channelsApi.remove, { params: { id } });
    expect((await run(id, many(1))).status).toBe(404);
  });
});
