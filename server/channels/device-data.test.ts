import { channelsApi, type Device, devicesApi } from '@telltale/domain/channels/contract.ts';
import { deviceDataApi, type Messages } from '@telltale/domain/channels/data-contract.ts';
import { describe, expect, test } from 'vitest';
import { testBroker } from '../testing/broker.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const broker = await testBroker(app);
const person = await app.make.user();
const client = app.as(person);
await client.get(channelsApi.create, { body: { channel_id: 'weather' } });
let count = 0;
async function aDevice(): Promise<Device> {
  return client.get(devicesApi.create, { params: { id: 'weather' }, body: { device_id: `roof-${++count}`, device_name: 'Roof' } });
}
const at = ({ channel_id, device_id }: Device) => ({ params: { id: channel_id, deviceId: device_id } });
async function publish(device: Device, ...payloads: (string | Buffer)[]) {
  const session = await broker.device({ ...device, pk: 0, channel_pk: 0 });
  for (const payload of payloads) await session.publishAsync(device.publish_topic, payload, { qos: 1 });
  session.end();
}
const messages = (device: Device, query: Record<string, unknown> = {}): Promise<Messages> =>
  client.get(deviceDataApi.messages, { ...at(device), query: query as never });

describe('design 8: last values', () => {
  test('one row per attribute, with number, truth, text and JSON', async () => {
    const device = await aDevice();
    await publish(device, '{"temperature":20,"door":true,"mode":"eco","__proto__":1}', '{"temperature":21.5}');
    const own = async () =>
      (await client.get(deviceDataApi.last, at(device)))
        .filter(({ attribute }) => !attribute.startsWith('sys.'))
        .map((one) => ({ ...one, time: '' }));
    await expect.poll(own).toEqual([
      { attribute: '__proto__', time: '', value: 1, value_text: null, kind: 'n', unit: null },
      { attribute: 'door', time: '', value: 1, value_text: null, kind: 'b', unit: null },
      { attribute: 'mode', time: '', value: null, value_text: 'eco', kind: 's', unit: null },
      { attribute: 'temperature', time: '', value: 21.5, value_text: null, kind: 'n', unit: null },
    ]);
  });

  test('a device that has said nothing has none', async () => {
    const device = await aDevice();
    expect(await client.get(deviceDataApi.last, at(device))).toEqual([]);
    expect(await client.get(deviceDataApi.history, at(device))).toEqual([]);
    expect(await messages(device)).toEqual({ results: [], next: null });
  });
});

describe('history', () => {
  test('buckets of mean, least and greatest, of the attributes asked for', async () => {
    const device = await aDevice();
    const begin = Math.floor(Date.now() / 60_000) * 60_000 - 600_000;
    const points = Array.from({ length: 60 }, (_, n) => ({ ts: begin + n * 5000, values: { t: n, h: 50, note: 'x' } }));
    await publish(device, JSON.stringify(points));
    const until = new Date(begin + 300_000).toISOString();
    const history = (query: object) =>
      client.get(deviceDataApi.history, { ...at(device), query: { seconds: 300, until, buckets: 5, ...query } });
    const [series] = await history({ attribute: 't' });
    expect(series?.attribute).toBe('t');
    expect(series?.buckets.map(({ min, avg, max, count }) => [min, avg, max, count])).toEqual([
      [0, 5.5, 11, 12],
      [12, 17.5, 23, 12],
      [24, 29.5, 35, 12],
      [36, 41.5, 47, 12],
      [48, 53.5, 59, 12],
    ]);
    expect((await history({})).map(({ attribute }) => attribute).filter((name) => !name.startsWith('sys.'))).toEqual(['h', 't']);
    expect(await history({ attribute: ["t'; drop table x", 'none'] })).toEqual([]);
  });

  test.each([{ seconds: 0 }, { seconds: 'x' }, { buckets: 2001 }, { buckets: -1 }, { until: 'yesterday' }, { seconds: 1e12 }])(
    '%j is refused',
    async (query) => {
      const device = await aDevice();
      expect((await client.call(deviceDataApi.history, { ...at(device), query: query as never })).status).toBe(400);
    },
  );
});

describe('the message log', () => {
  test('stored and rejected ones, newest first, as they came', async () => {
    const device = await aDevice();
    await publish(device, '{"a":1}', 'not json', '{"a":2,"b":true,"c":"x"}');
    const { results, next } = await messages(device);
    expect(next).toBeNull();
    expect(results.map(({ status, raw }) => [status, Buffer.from(raw, 'base64').toString()])).toEqual([
      ['stored', '{"a":2,"b":true,"c":"x"}'],
      ['rejected', 'not json'],
      ['stored', '{"a":1}'],
    ]);
    expect(results[0]).toMatchObject({
      device_id: device.device_id,
      values: { a: 2, b: true, c: 'x' },
      points: 3,
      source: 'mqtt',
      encoding: 'json',
    });
    expect(results[1]?.errors[0]).toMatch(/^bad_json: /);
  });

  test.each([
    ['needle', '{"note":"a NEEDLE in it"}'],
    ['Grüße', '{"note":"viele Grüße"}'],
    ['100%_\\', '{"note":"100%_\\\\"}'],
    ["'; drop table", '{"note":"\'; drop table"}'],
    ['bad_json', 'nonsense'],
    ['rejected', 'more nonsense'],
  ])('a search for %s finds it and nothing else', async (q, payload) => {
    const device = await aDevice();
    await publish(device, '{"note":"hay"}', payload, '{"note":"more hay"}');
    expect((await messages(device, { q })).results.map(({ raw }) => Buffer.from(raw, 'base64').toString())).toEqual([payload]);
  });

  test('bytes that are no text can be searched through', async () => {
    const device = await aDevice();
    await publish(device, Buffer.from([0xff, 0x00, 0xfe]), '{"note":"needle"}');
    expect((await messages(device, { q: 'needle' })).results).toHaveLength(1);
  });

  test('pages follow each other without a gap', async () => {
    const device = await aDevice();
    await publish(device, ...Array.from({ length: 25 }, (_, n) => (n % 5 === 4 ? `bad ${n}` : JSON.stringify({ n }))));
    for (const q of [undefined, device.device_id, 'a']) {
      const seen: string[] = [];
      let before: string | undefined;
      for (let pages = 0; pages < 20; pages++) {
        const { results, next } = await messages(device, { limit: 7, ...(before && { before }), ...(q && { q }) });
        seen.push(...results.map(({ uplink_id }) => uplink_id));
        if (next === null) break;
        before = next;
      }
      expect(seen).toEqual([...new Set(seen)].sort().reverse());
      if (q === undefined) expect(seen).toHaveLength(25);
    }
  });
});

describe('D2: the live grid', () => {
  const widget = { attribute: 't', col: 0, row: 0, sizeX: 2, sizeY: 3 };

  test('is kept as it was arranged', async () => {
    const device = await aDevice();
    expect(await client.get(deviceDataApi.layout, at(device))).toEqual({ widgets: [] });
    const widgets = [widget, { ...widget, attribute: null, col: 2 }];
    expect((await client.call(deviceDataApi.saveLayout, { ...at(device), body: { widgets } })).body).toBeNull();
    await client.get(deviceDataApi.saveLayout, { ...at(device), body: { widgets } });
    expect(await client.get(deviceDataApi.layout, at(device))).toEqual({ widgets });
  });

  test.each([
    [[{ ...widget, sizeX: 7 }]],
    [[{ ...widget, col: -1 }]],
    [[{ ...widget, sizeY: 1001 }]],
    [[{ ...widget, attribute: 5 }]],
    ['x'],
    [Array.from({ length: 201 }, () => widget)],
  ])('%#: D9: a place outside the grid is refused', async (widgets) => {
    const device = await aDevice();
    expect((await client.call(deviceDataApi.saveLayout, { ...at(device), body: { widgets } as never })).status).toBe(400);
  });

  test('needs manage_channel', async () => {
    const device = await aDevice();
    const group = await app.make.group({ permissions: ['view_channel'] });
    const viewer = app.as(await app.make.user({ groups: [], group_ids: [group.id] }));
    expect((await viewer.call(deviceDataApi.layout, at(device))).status).toBe(200);
    expect((await viewer.call(deviceDataApi.saveLayout, { ...at(device), body: { widgets: [] } })).status).toBe(403);
  });
});
