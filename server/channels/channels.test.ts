import { type Channel, channelsApi, type Device, devicesApi } from '@telltale/domain/channels/contract.ts';
import { identifierMessage, tooLongMessage } from '@telltale/domain/channels/identifiers.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import type { Page } from '@telltale/domain/lists/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { readDeviceKey } from '../networks/device-key.ts';
import { testBroker } from '../testing/broker.ts';
import { makeDevices } from '../testing/fleet.ts';
import { testApp } from '../testing/test-app.ts';
import { quickest } from '../testing/until.ts';

const app = await testApp();
const person = await app.make.user();
const client = app.as(person);
const viewer = await app.make.user({
  groups: [],
  group_ids: [(await app.make.group({ permissions: ['view_channel', 'view_query'] })).id],
});
const outsider = await app.make.user({ groups: [], group_ids: [(await app.make.group({ permissions: ['view_query'] })).id] });
let count = 0;
const newId = () => `room-${++count}`;
const create = (body: Record<string, unknown>, who: { api_key: string } = person) =>
  app.as(who).call(channelsApi.create, { body: body as never });
const addDevice = (id: string, body: Record<string, unknown>, who: { api_key: string } = person) =>
  app.as(who).call(devicesApi.create, { params: { id }, body: body as never });
const aChannel = async (): Promise<Channel> => (await create({ channel_id: newId(), channel_name: 'A channel' })).body;
const aDevice = async (): Promise<Device> => {
  const { channel_id } = await aChannel();
  return (await addDevice(channel_id, { device_id: 'roof-1', device_name: 'Roof' })).body;
};
const at = ({ channel_id, device_id }: Pick<Device, 'channel_id' | 'device_id'>) => ({ params: { id: channel_id, deviceId: device_id } });

describe('D7: channels', () => {
  test('made, read, renamed, deleted', async () => {
    const channel_id = newId();
    const { body: made } = await create({ channel_id, channel_name: ' Weather ' });
    expect(made).toMatchObject({ channel_id, channel_name: 'Weather', kind: 'mqtt', device_count: 0, online_count: 0 });
    expect(await client.get(channelsApi.get, { params: { id: channel_id } })).toEqual(made);
    const renamed = await client.get(channelsApi.save, { params: { id: channel_id }, body: { channel_name: 'Météo 🌦' } });
    expect(renamed).toEqual({ ...made, channel_name: 'Météo 🌦' });
    expect((await client.call(channelsApi.remove, { params: { id: channel_id } })).body).toBeNull();
    for (const endpoint of [channelsApi.get, channelsApi.remove])
      expect((await client.call(endpoint as typeof channelsApi.get, { params: { id: channel_id } })).status).toBe(404);
  });

  test('D5: the name is optional; a channel without one goes by its id', async () => {
    const channel_id = newId();
    expect((await create({ channel_id })).body.channel_name).toBe(channel_id);
    const saved = await client.get(channelsApi.save, { params: { id: channel_id }, body: { channel_name: '  ' } });
    expect(saved.channel_name).toBe(channel_id);
  });

  test.each(['', 'ab', 'Weather', 'a--b', '-ab', 'a b', '../x', "x' or 1=1", '<script>'])(
    'D5: the id %j is refused in its words',
    async (id) => {
      expect(await create({ channel_id: id })).toMatchObject({ status: 400, message: identifierMessage });
      const { channel_id } = await aChannel();
      expect(await addDevice(channel_id, { device_id: id, device_name: 'x' })).toMatchObject({ status: 400, message: identifierMessage });
    },
  );

  test.each([
    [{ channel_id: 'x'.repeat(37) }, tooLongMessage],
    [{ channel_id: 'x'.repeat(2000) }, 'Identifier is too long.'],
    [{}, 'Identifier is required.'],
    [{ channel_id: 7 }, 'Identifier is required.'],
    [{ channel_id: 'long-name', channel_name: 'x'.repeat(256) }, /^Channel name is too long/],
    [{ channel_id: 'a-kind', kind: 'smoke' }, /kind/],
    [{ channel_id: 'a-kind', kind: 'tts' }, 'Network is required.'],
    [{ channel_id: 'a-name', channel_name: {} }, /channel_name/],
  ])('%#: a 400 with a reason', async (body, message) => {
    expect(await create(body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  test('an id is used once, also by ten people at once', async () => {
    const channel_id = newId();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ channel_id })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ message }) => message === `There is already a channel with the id "${channel_id}".`)).toHaveLength(9);
  });

  test('iot-behaviour 1.2: a deleted id rests for 24 hours', async () => {
    const { channel_id } = await aChannel();
    await client.get(channelsApi.remove, { params: { id: channel_id } });
    expect(await create({ channel_id })).toMatchObject({ status: 400, message: expect.stringMatching(/less than 24 hours ago/) });
    await sql`update telemetry.channel set deleted_at = now() - interval '25 hours' where channel_id = ${channel_id}`.execute(app.ctx.db);
    expect((await create({ channel_id })).status).toBe(200);
  });

  test('design 8: a bare array, newest first; a page when asked for; kinds', async () => {
    const made = [await aChannel(), await aChannel()];
    const http = (await create({ channel_id: newId(), kind: 'http' })).body;
    await sql`insert into telemetry.channel (channel_id, channel_name, kind) values ('lora-1', 'LoRa', 'tts')`.execute(app.ctx.db);
    const idsOf = async (query: Record<string, unknown>) => {
      const found = (await client.get(channelsApi.list, { query: query as never })) as Channel[] | Page<Channel>;
      return (Array.isArray(found) ? found : found.results).map(({ channel_id }) => channel_id);
    };
    expect((await idsOf({})).slice(0, 4)).toEqual(['lora-1', http.channel_id, made[1]?.channel_id, made[0]?.channel_id]);
    expect(await idsOf({ kind: 'tts' })).toEqual(['lora-1']);
    expect(await idsOf({ kind: ['mqtt', 'http'] })).not.toContain('lora-1');
    expect(await idsOf({ page: 1, page_size: 1, order: 'channel_id', q: 'LORA' })).toEqual(['lora-1']);
    expect((await client.call(channelsApi.list, { query: { kind: 'nonsense' } as never })).status).toBe(400);
  });

  test.each(['nowhere', '%', "' or 1=1 --", '..%2f', 'x'.repeat(65)])('the channel %j is not there', async (id) => {
    expect((await client.call(channelsApi.get, { params: { id } })).status).toBe(404);
    expect((await client.call(channelsApi.save, { params: { id }, body: { channel_name: 'x' } })).status).toBe(404);
    expect((await client.call(devicesApi.list, { params: { id } })).status).toBe(404);
  });
});

describe('D7: devices', () => {
  test('design 8: a device has a key of 40 characters, its topics and its state', async () => {
    const device = await aDevice();
    expect(device).toMatchObject({
      device_id: 'roof-1',
      name: 'Roof',
      publish_topic: `v1/${device.channel_id}/devices/roof-1/up`,
      subscribe_topic: `v1/${device.channel_id}/devices/roof-1/down`,
      online: false,
      last_seen_at: null,
    });
    expect(device.api_key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(await client.get(devicesApi.get, at(device))).toMatchObject({ api_key: device.api_key, channel_name: 'A channel' });
  });

  test('security 9: neither table holds a key that could be read', async () => {
    const { api_key } = await aDevice();
    const { rows } = await sql<{ text: string }>`select device_keys::text as text from device_keys`.execute(app.ctx.db);
    const secret = Buffer.from(api_key.slice(12)).toString('hex');
    expect(rows.filter(({ text }) => text.includes(api_key.slice(12)) || text.includes(secret))).toEqual([]);
  });

  test.each([
    [{ device_id: 'roof-1' }, /device_name/],
    [{ device_id: 'roof-1', device_name: ' ' }, 'Device name is required.'],
    [{ device_id: 'roof-1', device_name: 'x'.repeat(256) }, /^Device name is too long/],
    [{ device_name: 'Roof' }, 'Identifier is required.'],
  ])('D5: %j is refused', async (body, message) => {
    const { channel_id } = await aChannel();
    expect(await addDevice(channel_id, body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  test('an id is used once in a channel, and again after its deletion, with another key', async () => {
    const device = await aDevice();
    const again = { device_id: 'roof-1', device_name: 'Another' };
    expect(await addDevice(device.channel_id, again)).toMatchObject({
      status: 400,
      message: 'There is already a device with the id "roof-1" in this channel.',
    });
    expect((await client.call(devicesApi.remove, at(device))).body).toBeNull();
    expect((await client.call(devicesApi.get, at(device))).status).toBe(404);
    const { body } = await addDevice(device.channel_id, again);
    expect(body.api_key).not.toBe(device.api_key);
  });

  test('a deleted channel takes its devices along', async () => {
    const device = await aDevice();
    await client.get(channelsApi.remove, { params: { id: device.channel_id } });
    expect((await client.call(devicesApi.get, at(device))).status).toBe(404);
    expect((await addDevice(device.channel_id, { device_id: 'other', device_name: 'x' })).status).toBe(404);
  });

  test('10,000 devices: a page at once, found by any part of name or id, in any order', async () => {
    await makeDevices(app.ctx, 'crowd', 10_000);
    const page = async (query: Record<string, unknown>) =>
      (await client.get(devicesApi.list, { params: { id: 'crowd' }, query: { page: 1, ...query } as never })) as Page<Device>;
    expect(await quickest(1000, async () => () => page({}))).toBeLessThan(1000);
    const first = await page({});
    expect([first.count, first.results.length]).toEqual([10_000, 25]);
    expect((await page({ q: '00042' })).results.map(({ device_id }) => device_id)).toEqual(['d-00042']);
    expect((await page({ q: '%' })).count).toBe(0);
    expect((await page({ order: 'device_id' })).results[0]?.device_id).toBe('d-00000');
    expect((await page({ order: "x'; drop table telemetry.device; --" })).count).toBe(10_000);
    const all = (await client.get(devicesApi.list, { params: { id: 'crowd' } })) as Device[];
    expect(all).toHaveLength(10_000);
  });

  test('Q7: the lookups of queries answer from these channels', async () => {
    const { channel_id } = await aDevice();
    expect(await client.get(deviceQueriesApi.applications)).toContainEqual({ channel_id, channel_name: 'A channel' });
    expect(await client.get(deviceQueriesApi.devices, { params: { id: channel_id } })).toEqual([
      { device_id: 'roof-1', device_name: 'Roof' },
    ]);
  });
});

describe('issue 20: tags of devices', () => {
  test('are set, counted and filtered by; a name changes alone', async () => {
    const { channel_id } = await aChannel();
    for (const device_id of ['roof-1', 'roof-2', 'cellar-1']) await addDevice(channel_id, { device_id, device_name: device_id });
    const save = (device_id: string, body: object) =>
      client.call(devicesApi.save, { ...at({ channel_id, device_id }), body: body as never });
    expect((await save('roof-1', { tags: ['roof', ' roof ', '', 'süd <b>'] })).body).toMatchObject({ tags: ['roof', 'süd <b>'] });
    await save('roof-2', { tags: ['roof'] });
    expect((await save('roof-2', { device_name: 'Chimney' })).body).toMatchObject({ name: 'Chimney', tags: ['roof'] });
    const listed = async (query: object) =>
      ((await client.get(devicesApi.list, { params: { id: channel_id }, query: query as never })) as Device[]).map(
        ({ device_id }) => device_id,
      );
    expect(await listed({ tags: 'roof' })).toEqual(['roof-2', 'roof-1']);
    expect(await listed({ tags: ['roof', 'süd <b>'] })).toEqual(['roof-1']);
    expect(await listed({ q: 'süd' })).toEqual(['roof-1']);
    expect(await listed({ tags: "'; drop table x; --" })).toEqual([]);
    expect(await listed({ placed: 'true' })).toEqual([]);
    expect(await client.get(devicesApi.tags, { params: { id: channel_id } })).toEqual({
      tags: [
        { name: 'roof', count: 2 },
        { name: 'süd <b>', count: 1 },
      ],
    });
    for (const body of [{ tags: 'roof' }, { tags: ['x'.repeat(101)] }, { device_name: '' }, { tags: [1] }])
      expect([body, (await save('roof-1', body)).status]).toEqual([body, 400]);
    expect((await save('nowhere', { tags: [] })).status).toBe(404);
    expect((await app.as(viewer).call(devicesApi.save, { ...at({ channel_id, device_id: 'roof-1' }), body: { tags: [] } })).status).toBe(
      403,
    );
    expect((await client.call(devicesApi.tags, { params: { id: 'nowhere' } })).status).toBe(404);
  });
});

describe('D6: who may', () => {
  test('only those who manage channels are told that the connection to a network fails', async () => {
    const admin = app.as(app.admin);
    const options = { address: 'tts.example.com', application_id: 'app', tenant_id: 'ttn', api_key: 'wrong' };
    const network = await admin.get(networksApi.create, { body: { name: 'Fields', type: 'tts', options } });
    const channel_id = newId();
    await create({ channel_id, kind: 'tts', settings: { network_id: network.id } });
    const seenBy = async (who: { api_key: string }, id = channel_id) =>
      (await app.as(who).get(channelsApi.get, { params: { id } })).has_network_error;
    const all = [app.admin, person, viewer];
    expect(await Promise.all(all.map((who) => seenBy(who)))).toEqual([false, false, null]);
    const fail = () =>
      sql`
        insert into network_states (network_id, state, last_error) values (${network.id}, 'error', 'The key is wrong.')
        on conflict (network_id) do update set state = excluded.state`.execute(app.ctx.db);
    await fail();
    expect(await Promise.all(all.map((who) => seenBy(who)))).toEqual([true, true, null]);
    for (const address of [`/api/channels/${channel_id}`, '/api/channels'])
      expect(await (await client.json('GET', address)).text()).not.toContain('The key is wrong.');
    expect(await seenBy(person, (await aChannel()).channel_id)).toBe(false);
    await admin.get(networksApi.save, { params: { id: network.id }, body: { is_disabled: true } });
    await fail();
    expect(await seenBy(person)).toBe(false);
  });

  test('view_channel reads, with masked keys, and changes nothing', async () => {
    const device = await aDevice();
    const reader = app.as(viewer);
    expect((await reader.get(devicesApi.get, at(device))).api_key).toBe(secretMask);
    const [listed] = (await reader.get(devicesApi.list, { params: { id: device.channel_id } })) as Device[];
    expect(listed?.api_key).toBe(secretMask);
    expect((await create({ channel_id: newId() }, viewer)).status).toBe(403);
    expect((await addDevice(device.channel_id, { device_id: 'abc', device_name: 'x' }, viewer)).status).toBe(403);
    for (const endpoint of [devicesApi.remove, devicesApi.rotateKey])
      expect((await reader.call(endpoint as typeof devicesApi.remove, at(device))).status).toBe(403);
    await client.get(channelsApi.rotateKey, { params: { id: device.channel_id } });
    expect((await reader.get(channelsApi.get, { params: { id: device.channel_id } })).api_key).toBe(secretMask);
    for (const endpoint of [channelsApi.rotateKey, channelsApi.removeKey])
      expect((await reader.call(endpoint as typeof channelsApi.remove, { params: { id: device.channel_id } })).status).toBe(403);
    expect((await reader.call(channelsApi.remove, { params: { id: device.channel_id } })).status).toBe(403);
    expect((await reader.call(channelsApi.save, { params: { id: device.channel_id }, body: { channel_name: 'x' } })).status).toBe(403);
  });

  test('without it nothing is to be seen', async () => {
    const device = await aDevice();
    expect((await app.as(outsider).call(channelsApi.list)).status).toBe(403);
    expect((await app.as(outsider).call(devicesApi.get, at(device))).status).toBe(403);
  });
});

describe('with the broker', async () => {
  const broker = await testBroker(app);
  const connect = (device: Device) => broker.device({ ...device, pk: 0, channel_pk: 0 });

  test('a key from the API opens the broker; a new key ends the session of the old one', async () => {
    const device = await aDevice();
    const old = await connect(device);
    await expect.poll(async () => (await client.get(devicesApi.get, at(device))).online).toBe(true);
    const closed = new Promise<void>((done) => old.once('close', () => done()));
    const { api_key } = await client.get(devicesApi.rotateKey, at(device));
    await closed;
    await expect(connect(device)).rejects.toThrow();
    await connect({ ...device, api_key });
    expect((await client.get(devicesApi.get, at(device))).key_rotated_at).not.toBeNull();
  });

  test('a disabled channel is closed to its devices until it is enabled again', async () => {
    const device = await aDevice();
    await client.get(channelsApi.save, { params: { id: device.channel_id }, body: { is_disabled: true } });
    await expect(connect(device)).rejects.toThrow(/Not authorized/);
    await client.get(channelsApi.save, { params: { id: device.channel_id }, body: { is_disabled: false } });
    await expect
      .poll(() =>
        connect(device).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  test('iot-behaviour 1.2: a channel’s key opens it for a gateway; a new key, or none, ends its sessions within a second', async () => {
    const device = await aDevice();
    const channel = { params: { id: device.channel_id } };
    expect(await client.get(channelsApi.get, channel)).toMatchObject({
      api_key: null,
      settings: { auto_create: false, thingsboard_topics: false },
    });
    const login = (password: string) => broker.open({ username: device.channel_id, password });
    const up = `v1/${device.channel_id}/devices/roof-1/up`;
    let { api_key } = await client.get(channelsApi.rotateKey, channel);
    expect(api_key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect((await client.get(channelsApi.get, channel)).api_key).toBe(api_key);
    const { rows } = await sql<{ key_sealed: Buffer }>`
      select key_sealed from channel_settings where lookup_id = ${api_key.slice(0, 12)}`.execute(app.ctx.db);
    expect(rows[0]?.key_sealed.includes(api_key.slice(12))).toBe(false);
    for (const change of ['rotated', 'removed']) {
      const gateway = await login(api_key);
      await gateway.publishAsync(up, '{"t":1}', { qos: 1 });
      const heard: string[] = [];
      gateway.on('message', (topic) => heard.push(topic));
      await gateway.subscribeAsync([`v1/${device.channel_id}/devices/+/down`, `v1/${device.channel_id}/devices/+/error`], { qos: 1 });
      await broker.broker.send(`v1/${device.channel_id}/devices/roof-1/down`, 'x', 1);
      await expect.poll(() => heard).toEqual([`v1/${device.channel_id}/devices/roof-1/down`]);
      const closed = new Promise<void>((done) => gateway.once('close', () => done()));
      const old = api_key;
      if (change === 'rotated') ({ api_key } = await client.get(channelsApi.rotateKey, channel));
      else await client.get(channelsApi.removeKey, channel);
      await closed;
      await expect(login(old)).rejects.toThrow();
    }
    expect((await client.get(channelsApi.get, channel)).api_key).toBeNull();
  });

  test('iot-behaviour 1.10: where a channel allows it, a gateway makes the devices that it names', async () => {
    const { channel_id } = await aChannel();
    const channel = { params: { id: channel_id } };
    const { api_key } = await client.get(channelsApi.rotateKey, channel);
    const gateway = await broker.open({ username: channel_id, password: api_key });
    const say = (device: string) => gateway.publishAsync(`v1/${channel_id}/devices/${device}/up`, '{"t":1}', { qos: 1 });
    const devices = async () => ((await client.get(devicesApi.list, channel)) as Device[]).map(({ device_id }) => device_id);
    await say('attic-1');
    expect(await devices()).toEqual([]);
    const saved = await client.get(channelsApi.save, { ...channel, body: { auto_create: true } });
    expect(saved.settings).toMatchObject({ auto_create: true, thingsboard_topics: false });
    await expect
      .poll(async () => {
        await say('attic-1');
        return devices();
      })
      .toEqual(['attic-1']);
    await Promise.all([say('attic-2'), say('attic-2'), say('-no-'), say('Nor This')]);
    expect((await devices()).sort()).toEqual(['attic-1', 'attic-2']);
  });

  test('iot-behaviour 1.3: firmware made for ThingsBoard works where a channel says so', async () => {
    const device = await aDevice();
    const params = { id: device.channel_id };
    const say = async (topic: string, payload: string) => {
      const session = await broker.open({ username: device.api_key });
      const closed = new Promise<string>((done) => session.once('close', () => done('closed')));
      const done = session.publishAsync(topic, payload, { qos: 1 }).then(
        () => 'stored',
        () => 'closed',
      );
      const answer = await Promise.race([closed, done]);
      session.end(true);
      return answer;
    };
    expect(await say('v1/devices/me/telemetry', '{"t":1}')).toBe('closed');
    await client.get(channelsApi.save, { params, body: { thingsboard_topics: true } });
    // The broker gets the setting by a notification; ten refused messages until then would lock the address out.
    const { lookup_id = '' } = readDeviceKey(device.api_key) ?? {};
    await expect
      .poll(() => broker.directory.findByLookupId(lookup_id))
      .toMatchObject({ device: { channel: { thingsboard_topics: true } } });
    expect(await say('v1/devices/me/telemetry', '{"t":2}')).toBe('stored');
    expect(await say('v1/devices/me/attributes', '{"fw":"2.0"}')).toBe('stored');
    const { rows } = await sql`
      select value, (select state ->> 'fw' from telemetry.device_state state join telemetry.device on id = device_pk
        where device.device_id = metric.device_id and channel_pk = (select id from telemetry.channel c where c.channel_id = metric.channel_id)) as fw
      from app.metric where channel_id = ${device.channel_id} and attribute = 't'`.execute(app.ctx.db);
    expect(rows).toEqual([{ value: 2, fw: '2.0' }]);
  });

  test.each(['device', 'channel'])('a deleted %s ends the session', async (what) => {
    const device = await aDevice();
    const session = await connect(device);
    const closed = new Promise<void>((done) => session.once('close', () => done()));
    if (what === 'device') await client.get(devicesApi.remove, at(device));
    else await client.get(channelsApi.remove, { params: { id: device.channel_id } });
    await closed;
    await expect(connect(device)).rejects.toThrow();
  });
});
