import { auditApi } from '@telltale/domain/audit/contract.ts';
import { channelsApi, type Device, devicesApi } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { simulationApi } from '@telltale/domain/channels/simulation-contract.ts';
import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '1:5' } });
const client = app.as(await app.make.user());
const viewer = app.as(
  await app.make.user({ groups: [], group_ids: [(await app.make.group({ permissions: ['view_channel', 'view_query'] })).id] }),
);
await client.get(channelsApi.create, { body: { channel_id: 'weather' } });
let count = 0;
const aDevice = (id = 'weather'): Promise<Device> =>
  client.get(devicesApi.create, { params: { id }, body: { device_id: `roof-${++count}`, device_name: 'Roof' } });
const at = ({ channel_id, device_id }: Pick<Device, 'channel_id' | 'device_id'>) => ({ params: { id: channel_id, deviceId: device_id } });
/** The status and the body of the answer. */
const simulate = async (device: Pick<Device, 'channel_id' | 'device_id'>, body: Record<string, unknown>, who = client) => {
  const { status, body: answer } = await who.call(simulationApi.simulate, { ...at(device), body: body as never });
  return { status, body: answer };
};
const messages = async (device: Device) => (await client.get(deviceDataApi.messages, at(device))).results;

const script = 'function decodeUplink(i) { return { data: { temperature: i.bytes[0] / 2, port: i.fPort } } }';

describe('iot-behaviour 5.1: a simulated uplink', () => {
  test('JSON is stored like a report of the device, and says that it was simulated', async () => {
    const device = await aDevice();
    const { status, body } = await simulate(device, { payload: '{"temperature":21.5,"door":true}', encoding: 'json' });
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'stored', points: 2, warnings: [], errors: [] } });
    expect(await messages(device)).toMatchObject([
      {
        uplink_id: (body as { uplink_id: string }).uplink_id,
        source: 'simulated',
        encoding: 'json',
        values: { temperature: 21.5, door: true },
      },
    ]);
    await expect
      .poll(async () => (await client.get(deviceDataApi.last, at(device))).map(({ attribute, value }) => [attribute, value]))
      .toEqual([
        ['door', 1],
        ['temperature', 21.5],
      ]);
    expect((await client.get(devicesApi.get, at(device))).last_seen_at).not.toBeNull();
  });

  test('an id that was stored before is a duplicate', async () => {
    const device = await aDevice();
    const first = await simulate(device, { payload: '{"id":"x","t":1}' });
    expect(await simulate(device, { payload: '{"id":"x","t":1}' })).toMatchObject({
      status: 200,
      body: { status: 'duplicate', points: 0, uplink_id: (first.body as { uplink_id: string }).uplink_id },
    });
  });

  test.each([
    ['hex', '2A', 21],
    ['hex', '2b 00', 21.5],
    ['base64', 'Kg==', 21],
    ['text', '*', 21],
  ])('%s %j goes through the decoder of the channel with its port', async (encoding, payload, temperature) => {
    const id = `bytes-${++count}`;
    await client.get(channelsApi.create, { body: { channel_id: id } });
    await client.get(decodersApi.save, { params: { id }, body: { script } });
    const device = await aDevice(id);
    expect(await simulate(device, { payload, encoding, fport: 7 })).toMatchObject({ status: 200, body: { status: 'stored', points: 2 } });
    expect(await messages(device)).toMatchObject([{ source: 'simulated', encoding: 'raw', fport: 7, values: { temperature, port: 7 } }]);
  });

  test('a device of a LoRaWAN network: its bytes are decoded, and without a decoder kept', async () => {
    const network = await app.as(app.admin).get(networksApi.create, {
      body: { name: 'Field', type: 'tts', options: { address: 'tts.example.com', application_id: 'app', api_key: 'NNSXS.SECRET' } },
    });
    await client.get(channelsApi.create, {
      body: { channel_id: 'field', kind: 'tts', settings: { network_id: network.id, application_id: 'app' } },
    });
    const device = await aDevice('field');
    expect(await simulate(device, { payload: '2a', encoding: 'hex', fport: 9 })).toMatchObject({ status: 200, body: { points: 0 } });
    await client.get(decodersApi.save, { params: { id: 'field' }, body: { script } });
    await expect
      .poll(async () => (await simulate(device, { payload: '2a', encoding: 'hex', fport: 9 })).body, { interval: 1100 })
      .toMatchObject({ status: 'stored', points: 2 });
    expect((await messages(device))[0]).toMatchObject({ source: 'simulated', fport: 9, values: { temperature: 21, port: 9 } });
  });

  test.each([
    ['broken JSON', { payload: '{' }, 400, 'bad_json'],
    ['nothing', { payload: '' }, 400, 'bad_json'],
    ['a list of numbers', { payload: '[1]' }, 400, 'bad_shape'],
    ['no bytes', { payload: '', encoding: 'hex' }, 400, 'bad_json'],
    ['a long text', { payload: `"${'x'.repeat(70_000)}"` }, 413, 'too_large'],
  ])('%s is refused as to a device, and listed', async (_, body, status, code) => {
    const device = await aDevice();
    expect(await simulate(device, body)).toMatchObject({ status, body: { code, message: expect.any(String) } });
    expect(await messages(device)).toMatchObject([{ status: 'rejected', source: 'simulated', errors: [expect.stringContaining(code)] }]);
  });

  test.each([
    [{ payload: '0', encoding: 'hex' }, 'The payload is not hex.'],
    [{ payload: 'base64:Kg==', encoding: 'hex' }, 'The payload is not hex.'],
    [{ payload: '{}', encoding: 'base64' }, 'The payload is not base64.'],
    [{ payload: '01', encoding: 'morse' }, 'encoding must be json, text, hex or base64.'],
    [{ payload: '01', encoding: 'hex', fport: 0 }, 'fport must be between 1 and 223.'],
    [{}, 'payload is required.'],
  ])('%j cannot be sent, and nothing is listed', async (body, message) => {
    const device = await aDevice();
    expect(await simulate(device, body)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    expect(await messages(device)).toEqual([]);
  });

  test('it counts towards the rate of the device', async () => {
    const device = await aDevice();
    const answers = [];
    for (let n = 0; n < 8; n++) answers.push(await simulate(device, { payload: String(n) }));
    expect(answers.slice(0, 5).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });

  test('a disabled channel takes none', async () => {
    await client.get(channelsApi.create, { body: { channel_id: 'closed' } });
    const device = await aDevice('closed');
    await client.get(channelsApi.save, { params: { id: 'closed' }, body: { is_disabled: true } });
    await expect.poll(() => simulate(device, { payload: '1' })).toMatchObject({ status: 403, body: { code: 'device_disabled' } });
  });

  test('only users who may manage channels simulate, and only for devices that exist', async () => {
    const device = await aDevice();
    expect((await simulate(device, { payload: '1' }, viewer)).status).toBe(403);
    expect(await messages(device)).toEqual([]);
    expect((await simulate({ ...device, device_id: 'nobody' }, { payload: '1' })).status).toBe(404);
    expect((await simulate({ ...device, channel_id: 'nowhere' }, { payload: '1' })).status).toBe(404);
    await client.get(devicesApi.remove, at(device));
    expect((await simulate(device, { payload: '1' })).status).toBe(404);
  });

  test('the audit log names the person and the fields, never the payload', async () => {
    const device = await aDevice();
    await simulate(device, { payload: '{"secret":1}' });
    const { results } = (await app.as(app.admin).get(auditApi.list, { query: {} })) as { results: Record<string, unknown>[] };
    const entry = results.find(({ object_id }) => object_id === `weather/${device.device_id}`);
    expect(entry).toMatchObject({ action: 'devices simulate', object_type: 'channel' });
    expect(JSON.stringify(entry)).not.toContain('secret');
  });
});
