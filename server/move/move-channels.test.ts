import { attributesApi } from '@telltale/domain/channels/attributes-contract.ts';
import { channelsApi, devicesApi, retentionMessage } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { simulationApi } from '@telltale/domain/channels/simulation-contract.ts';
import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import { type Bundle, type MoveReport, moveApi } from '@telltale/domain/move/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const other = await testApp({ env: { TELLTALE_CHANNEL_ATTRIBUTES: '2' } });
const admin = app.as(app.admin);
const there = other.as(other.admin);

const aNetwork = (client: typeof admin, name: string) => {
  const options = { address: 'tts.example.com', application_id: 'app', tenant_id: 'ttn', api_key: 'NNSXS.SECRET' };
  return client.get(networksApi.create, { body: { name, type: 'tts', options } });
};
const channelsOf = async (...ids: string[]): Promise<Bundle> => {
  const bundle = await admin.get(moveApi.export, { query: { what: 'channels' } });
  return { ...bundle, channels: bundle.channels.filter(({ channel_id }) => ids.includes(channel_id)) };
};
const take = (objects: unknown, preview = false) => there.get(moveApi.import, { body: { objects: objects as never, preview } });
const lines = ({ entries }: MoveReport) =>
  entries.map(({ kind, name, outcome, reason }) => `${kind} ${name}: ${outcome}${reason === undefined ? '' : ` ${reason}`}`);
const fileOf = (...channels: object[]) => ({ format: 'telltale objects 1', channels });

const script = 'function decodeUplink(input) { return { data: { temperature: input.bytes[0] / 2 } } }';
const examples = [{ name: 'warm', bytes: '2a', f_port: 2, expected: { temperature: 21 } }];

describe('channels of a file', () => {
  test('settings, decoder, units, tags and windows are taken over; keys, variables and ids of networks are not in the file', async () => {
    const network = await aNetwork(admin, 'Fields');
    const settings = { auto_create: false, thingsboard_topics: true, ack_points: true, application_id: 'app-1', metadata: 'full' as const };
    const params = { id: 'fields' };
    await admin.get(channelsApi.create, {
      body: { channel_id: 'fields', kind: 'tts', settings: { ...settings, retention_days: 30, network_id: network.id } },
    });
    const { api_key } = await admin.get(channelsApi.rotateKey, { params });
    const at = { params: { id: 'fields', deviceId: 'soil-1' } };
    const device = await admin.get(devicesApi.create, { params, body: { device_id: 'soil-1', device_name: 'Soil', tags: ['north'] } });
    await admin.get(devicesApi.save, { ...at, body: { online_window_seconds: 7200, variables: { app_key: 'hunter2' } } });
    await admin.get(simulationApi.simulate, { ...at, body: { payload: '{"temperature":4,"plain":1}' } });
    const display = { unit: '°C', decimals: 1, thresholds: [{ value: 8, side: 'above', state: 'danger', show: 'band' }] } as const;
    await admin.get(attributesApi.save, { params, body: { attribute: 'temperature', ...display, thresholds: [...display.thresholds] } });
    await admin.get(decodersApi.save, { params, body: { script, examples } });

    const widgets = [{ attribute: 'temperature', col: 0, row: 0, sizeX: 3, sizeY: 4 }];
    await admin.get(deviceDataApi.saveLayout, { ...at, body: { widgets } });

    const objects = await channelsOf('fields');
    for (const secret of [api_key, device.api_key, 'hunter2', 'app_key', 'network_id', 'NNSXS'])
      expect(JSON.stringify(objects)).not.toContain(secret);

    const found = await aNetwork(there, 'Fields');
    const preview = await take(objects, true);
    expect(lines(preview)).toEqual(['channel fields: made', 'device fields/soil-1: made']);
    expect((await there.call(channelsApi.get, { params })).status).toBe(404);
    expect(lines(await take(objects))).toEqual(['channel fields: made', 'device fields/soil-1: made']);
    expect(await there.get(channelsApi.get, { params })).toMatchObject({
      kind: 'tts',
      is_disabled: false,
      api_key: null,
      network_name: 'Fields',
      settings: { ...settings, retention_days: 30, network_id: found.id },
    });
    const taken = await there.get(devicesApi.get, at);
    expect(taken).toMatchObject({ tags: ['north'], online_window_seconds: 7200, variables: {} });
    expect(taken.api_key).not.toBe(device.api_key);
    expect(await there.get(deviceDataApi.layout, at)).toEqual({ widgets });
    expect(await there.get(decodersApi.get, { params })).toMatchObject({ script, examples, version: 1 });
    const attributes = await there.get(attributesApi.list, { params });
    expect(attributes.map(({ attribute, kind, display }) => ({ attribute, kind, display }))).toEqual([
      { attribute: 'temperature', kind: 'n', display },
    ]);
    // The attribute was there before its first reading.
    const heard = await there.get(simulationApi.simulate, { ...at, body: { payload: '{"temperature":5}' } });
    expect(heard).toMatchObject({ status: 'stored', points: 1 });
  });

  test('a second import changes nothing of what is there', async () => {
    const objects = await channelsOf('fields');
    const params = { id: 'fields' };
    await there.get(channelsApi.save, { params, body: { settings: { retention_days: 7, metadata: 'none' } } });
    await there.get(decodersApi.save, { params, body: { script: `${script} // ours` } });
    await there.get(devicesApi.save, { params: { id: 'fields', deviceId: 'soil-1' }, body: { tags: ['ours'] } });
    expect(lines(await take(objects, true))).toEqual(['channel fields: exists']);
    expect(lines(await take(objects))).toEqual(['channel fields: exists']);
    expect((await there.get(channelsApi.get, { params })).settings).toMatchObject({ retention_days: 7, metadata: 'none' });
    expect((await there.get(decodersApi.get, { params })).version).toBe(2);
    expect((await there.get(devicesApi.get, { params: { id: 'fields', deviceId: 'soil-1' } })).tags).toEqual(['ours']);
  });

  test('a channel whose network is not here waits for it, and one that is taken stays with its channel', async () => {
    const barn = await aNetwork(admin, 'Barn');
    await admin.get(channelsApi.create, { body: { channel_id: 'barn', kind: 'tts', settings: { network_id: barn.id } } });
    await admin.get(channelsApi.save, { params: { id: 'barn' }, body: { is_disabled: true } });
    const objects = await channelsOf('barn');
    const missing = /^channel barn: changed It was not bound to its network\. There is no network "Barn" of the type tts here\.$/;
    expect(lines(await take(objects, true))).toEqual(['channel barn: made', expect.stringMatching(missing)]);
    expect(lines(await take(objects))).toEqual(['channel barn: made', expect.stringMatching(missing)]);
    const params = { id: 'barn' };
    const made = await there.get(channelsApi.get, { params });
    expect(made).toMatchObject({ network_name: null, is_disabled: true, settings: { network_id: null, auto_create: true } });
    const later = await aNetwork(there, 'Barn');
    expect(await there.get(channelsApi.save, { params, body: { network_id: later.id } })).toMatchObject({ network_name: 'Barn' });

    const [fields] = (await channelsOf('fields')).channels;
    const twin = { ...fields, channel_id: 'twin', devices: [], attributes: [] };
    expect(lines(await take(fileOf(twin)))[1]).toContain('The channel "fields" takes this application of the network already.');
    const otherType = { ...twin, channel_id: 'other-type', network: { name: 'Fields', type: 'chirpstack' } };
    expect(lines(await take(fileOf(otherType)))[1]).toContain('There is no network "Fields" of the type chirpstack here.');
  });

  test('a decoder that was saved although an example fails comes with it', async () => {
    const params = { id: 'stubborn' };
    await admin.get(channelsApi.create, { body: { channel_id: 'stubborn' } });
    const failing = [{ ...examples[0], name: 'cold', bytes: '00', expected: { temperature: 99 } }] as typeof examples;
    await admin.get(decodersApi.save, { params, body: { script, examples: failing, override: true } });
    const objects = await channelsOf('stubborn');
    expect(lines(await take(objects))).toEqual(['channel stubborn: made']);
    expect(await there.get(decodersApi.get, { params })).toMatchObject({ examples: failing });
    const [channel] = objects.channels;
    const unsaid = { ...channel, channel_id: 'unsaid', decoder: { script, examples: failing } };
    expect(lines(await take(fileOf(unsaid)))).toEqual([
      'channel unsaid: made',
      'channel unsaid: changed Its decoder was not taken over. The example “cold” does not give what is expected.',
    ]);
  });

  test('a file of an older version is taken as before', async () => {
    const devices = [{ device_id: 'old-1', device_name: 'Old', dev_eui: null }];
    const old = { channel_id: 'older', channel_name: 'Older', kind: 'mqtt', devices };
    const radio = { ...old, channel_id: 'older-radio', kind: 'tts' };
    expect(lines(await take(fileOf(old, radio)))).toEqual([
      'channel older: made',
      'device older/old-1: made',
      'channel older-radio: refused Network is required.',
    ]);
    expect(await there.get(channelsApi.get, { params: { id: 'older' } })).toMatchObject({
      is_disabled: false,
      settings: { auto_create: false, metadata: 'basic', retention_days: null },
    });
  });

  test('security 21: each wrong setting is named and left out, the others are taken over', async () => {
    const settings = {
      ...{ retention_days: 401, metadata: 'everything', auto_create: 'yes', application_id: 'x'.repeat(257), thingsboard_topics: true },
      ...{ network_id: 1, key_sealed: 'x', org_id: 7, is_disabled: true },
    };
    const attributes = [
      { attribute: 'temperature', kind: 'n', unit: 'K', id: 1, channel_pk: 1 },
      { attribute: 'temperature', kind: 'x' },
      { attribute: 'a b', kind: 'n' },
      { attribute: 'wet', kind: 'n', unit: 'x'.repeat(33) },
      { attribute: 'wet', kind: 'n', decimals: 10 },
      { attribute: 'wet', kind: 'n', thresholds: [{ value: 1e301 }] },
      { kind: 'n' },
      { attribute: 'second', kind: 's' },
      { attribute: 'third', kind: 'b' },
      { attribute: 'lora.rssi', kind: 'n', unit: 'dBm' },
    ];
    const devices = [
      { device_id: 'odd-1', device_name: 'Odd', settings: { tags: ['ok'], online_window_seconds: 5, variables: { a: 'b' }, api_key: 'k' } },
      { device_id: 'odd-2', device_name: 'Odd', settings: { tags: 'north', online_window_seconds: 600 } },
      { device_id: 'odd 3', device_name: 'Odd' },
      { device_id: 'odd-4', device_name: 'Odd', dev_eui: '0102030405060708', layout: { widgets: [{ attribute: 'a', col: -1 }] } },
      { device_id: 'odd-5', device_name: 'Odd', dev_eui: '01:02:03:04:05:06:07:08' },
    ];
    const odd = {
      channel_id: 'odd',
      channel_name: 'Odd',
      kind: 'mqtt',
      settings,
      attributes,
      devices,
      network: { name: 'Fields', type: 'tts' },
    };
    const file = fileOf({ ...odd, decoder: { script: 'function (', examples: [] } });
    const devicesOf = (all: MoveReport) => lines(all).filter((line) => line.startsWith('device '));
    const preview = devicesOf(await take(file, true));
    const report = await take(file);
    expect(devicesOf(report)).toEqual(preview);
    const left = (what: string, reason: string) => `channel odd: changed The ${what} was not taken over. ${reason}`;
    expect(lines(report)).toEqual([
      'channel odd: made',
      left('setting auto_create', 'auto_create: Invalid input: expected boolean, received string.'),
      left('setting application_id', 'Application ID is too long (at most 256 characters).'),
      left('setting metadata', 'Metadata must be none, basic or full.'),
      left('setting retention_days', retentionMessage),
      expect.stringMatching(/^channel odd: changed Its decoder was not taken over\. The script cannot be used: /),
      left('attribute temperature', 'The kind of an attribute is n, b, s or j.'),
      left('attribute a b', 'No attribute can have this name.'),
      left('attribute wet', 'The unit is too long (at most 32 characters).'),
      left('attribute wet', 'Decimals are 0 to 9.'),
      left('attribute wet', 'The threshold is too large.'),
      left('attribute without a name', 'Attribute is required.'),
      left('attribute third', 'The channel has as many attributes as it may have.'),
      'device odd/odd-1: made',
      expect.stringMatching(/^device odd\/odd-1: changed The setting online_window_seconds was not taken over\. Online window must be/),
      'device odd/odd-2: made',
      expect.stringMatching(/^device odd\/odd-2: changed The setting tags was not taken over\. /),
      expect.stringMatching(/^device odd\/odd 3: refused /),
      'device odd/odd-4: made',
      expect.stringMatching(/^device odd\/odd-4: changed Its dashboard was not taken over\. /),
      'device odd/odd-5: refused There is already a device with the DevEUI 0102030405060708 in this channel.',
      expect.stringMatching(/^channel odd: changed It was not bound to its network\. Devices of an MQTT channel report by themselves/),
    ]);
    expect(await there.get(channelsApi.get, { params: { id: 'odd' } })).toMatchObject({
      is_disabled: false,
      network_name: null,
      settings: { auto_create: false, thingsboard_topics: true, metadata: 'basic', retention_days: null, application_id: null },
    });
    expect(await there.get(devicesApi.get, { params: { id: 'odd', deviceId: 'odd-1' } })).toMatchObject({
      tags: ['ok'],
      online_window_seconds: null,
      variables: {},
    });
    const shown = await there.get(attributesApi.list, { params: { id: 'odd' } });
    expect(shown.map(({ attribute, display }) => [attribute, display.unit])).toEqual([
      ['second', null],
      ['temperature', 'K'],
      ['lora.rssi', 'dBm'],
    ]);
  });

  test('settings of a wrong form, too deep or with U+0000 are a 400', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100; level++) deep = [deep];
    const channel = { channel_id: 'never', channel_name: 'Never', kind: 'mqtt' };
    for (const part of [
      { settings: 'all' },
      { settings: [] },
      { settings: { metadata: deep } },
      { decoder: script },
      { decoder: { script, examples: deep } },
      { decoder: { script: 'a\0b' } },
      { attributes: {} },
      { attributes: ['temperature'] },
      { attributes: [{ attribute: 'a', kind: 'n', unit: '\0' }] },
      { network: 1 },
      { network: { name: 'Fields' } },
      { is_disabled: 'no' },
      { devices: [{ device_id: 'a-1', device_name: 'A', settings: [1] }] },
    ])
      expect([part, (await there.json('POST', '/api/import', { objects: fileOf({ ...channel, ...part }) })).status]).toEqual([part, 400]);
    expect((await there.call(channelsApi.get, { params: { id: 'never' } })).status).toBe(404);
  });
});
