import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { foreignBroker } from '../testing/foreign-broker.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const options = { address: 'tts.example.com', application_id: 'weather-app', tenant_id: 'ttn', api_key: 'NNSXS.SECRET' };
let made = 0;
const create = (type: string, given: Record<string, unknown>) =>
  admin.call(networksApi.create, { body: { name: `Network ${++made}`, type, options: given } });

describe('design 8.1: saved networks', () => {
  test('Made, read with masked secrets, changed, deleted; its channels stay', async () => {
    const { body: network } = await create('tts', options);
    expect(network).toMatchObject({
      type: 'tts',
      state: 'connecting',
      last_error: null,
      last_message_at: null,
      options: { ...options, api_key: secretMask },
      webhook_url: `${app.origin}/api/networks/${network.id}/webhook`,
    });
    expect(network.webhook_secret).toMatch(/^[A-Za-z0-9]{40}$/);
    await admin.get(channelsApi.create, { body: { channel_id: 'stays', kind: 'tts', settings: { network_id: network.id } } });
    const params = { id: network.id };
    const renamed = await admin.get(networksApi.save, { params, body: { name: 'Renamed', options: { ...options, api_key: secretMask } } });
    expect(renamed).toMatchObject({ name: 'Renamed', channels: 1, options: { api_key: secretMask } });
    expect((await admin.call(networksApi.save, { params, body: { type: 'http', options: {} } })).status).toBe(400);
    await admin.get(networksApi.remove, { params });
    expect((await admin.call(networksApi.get, { params })).status).toBe(404);
    expect(await admin.get(channelsApi.get, { params: { id: 'stays' } })).toMatchObject({
      network_name: null,
      settings: { network_id: null },
    });
  });

  test('Neither secret lies open in the database', async () => {
    const { body: network } = await create('tts', options);
    const { rows } = await sql<{ text: string }>`select networks::text as text from networks where id = ${network.id}`.execute(app.ctx.db);
    expect(rows[0]?.text).not.toContain('SECRET');
    expect(rows[0]?.text).not.toContain(network.webhook_secret);
  });

  test('A kept secret goes only to the address it was saved for', async () => {
    const { body: network } = await create('tts', options);
    const save = (changes: Record<string, unknown>) =>
      admin.call(networksApi.save, { params: { id: network.id }, body: { options: { ...options, api_key: secretMask, ...changes } } });
    for (const changes of [{ address: 'evil.example.com' }, { tls: false }, { address: null }]) {
      expect(await save(changes)).toMatchObject({ status: 400, message: expect.stringContaining('Enter API Key again') });
      const test = { type: 'tts', id: network.id, options: { ...options, api_key: secretMask, ...changes } };
      expect((await admin.get(networksApi.testUnsaved, { body: test })).message).toContain('Enter API Key again');
    }
    expect((await save({ address: 'evil.example.com', api_key: 'another' })).status).toBe(200);
    expect((await save({ address: 'evil.example.com', tenant_id: 'other' })).status).toBe(200);
  });

  test.each([
    ['tts', {}, /Application ID is required/],
    ['tts', { ...options, address: 'http://x' }, /Address must be/],
    ['tts', { ...options, address: 'a b' }, /Address must be/],
    ['tts', { ...options, address: 'host:99999' }, /Address must be/],
    ['tts', { ...options, more: 1 }, /no option more/],
    ['chirpstack', { api_address: 'ftp://x' }, /API Address/],
    ['chirpstack', { api_address: 'http://u:p@x' }, /API Address/],
    ['simulated', { devices: 0 }, /between 1 and 100/],
    ['simulated', { speed: 'fast' }, /must be a number/],
    ['nothing', {}, /no network type nothing/],
  ])('%s %j is refused', async (type, given, message) => {
    expect(await create(type, given)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  test('A name is used once, also by several at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => admin.call(networksApi.create, { body: { name: 'Twice', type: 'http', options: {} } })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.find(({ status }) => status !== 200)?.message).toBe('Network with the name Twice already exists.');
  });

  test('The types say what they ask for', async () => {
    const types = await admin.get(networksApi.types);
    expect(types.map(({ type }) => type)).toEqual(['tts', 'chirpstack', 'http', 'simulated']);
    expect(types[0]?.configuration_schema).toMatchObject({
      order: ['address', 'tls', 'application_id', 'tenant_id', 'api_key'],
      secret: ['api_key'],
    });
    expect(types[1]?.configuration_schema.order?.slice(0, 7)).toEqual([
      'address',
      'tls',
      'application_id',
      'username',
      'password',
      'api_address',
      'api_key',
    ]);
  });
});

describe('Test of a connection', () => {
  test('Link-local addresses are refused, others are tried', async () => {
    const attempt = (address: string) =>
      admin.get(networksApi.testUnsaved, { body: { type: 'chirpstack', options: { address, tls: false } } });
    for (const address of ['169.254.169.254', '[fe80::1]:1883', '[::ffff:169.254.1.1]'])
      expect(await attempt(address)).toEqual({
        ok: false,
        message: 'Link-local addresses (169.254.0.0/16, fe80::/10) cannot be networks.',
      });
    const broker = await foreignBroker({ username: 'a', password: 'b' });
    const address = `127.0.0.1:${broker.port}`;
    const options = { address, tls: false, username: 'a' };
    const test = (password: string) =>
      admin.get(networksApi.testUnsaved, { body: { type: 'chirpstack', options: { ...options, password } } });
    expect(await test('b')).toEqual({ ok: true, message: 'The network answers.' });
    expect(await test('x')).toEqual({ ok: false, message: `${address} does not accept the user name or key.` });
    await broker.goAway();
    expect(await test('b')).toEqual({ ok: false, message: `${address} refused the connection.` });
  });
});

describe('Channels of networks', () => {
  test('Each kind wants a network of its own type; an application has one channel', async () => {
    const { body: network } = await create('tts', options);
    const bind = (channel_id: string, kind: 'mqtt' | 'tts' | 'chirpstack', settings: object) =>
      admin.call(channelsApi.create, { body: { channel_id, kind, settings } });
    expect((await bind('none', 'tts', {})).message).toBe('Network is required.');
    expect((await bind('none', 'chirpstack', { network_id: network.id })).message).toContain('needs a network of that type');
    expect((await bind('none', 'mqtt', { network_id: network.id })).status).toBe(400);
    expect((await bind('none', 'tts', { network_id: 999_999 })).message).toBe('There is no such network.');
    expect((await bind('first', 'tts', { network_id: network.id, application_id: 'a', metadata: 'full' })).body).toMatchObject({
      kind: 'tts',
      network_name: network.name,
      uplinks_last_hour: 0,
      settings: { network_id: network.id, application_id: 'a', metadata: 'full', auto_create: true },
    });
    expect((await bind('second', 'tts', { network_id: network.id, application_id: 'a' })).message).toContain(
      '"first" takes this application',
    );
    const list = (await admin.get(channelsApi.list, { query: { kind: ['tts', 'chirpstack', 'simulated'] } })) as { channel_id: string }[];
    expect(list.map(({ channel_id }) => channel_id)).toContain('first');
  });
});

test('Airtime: the answer of the calculator', async () => {
  const ask = (body: object) => admin.call(networksApi.airtime, { body: body as { bytes: number; sf: number; bandwidth_khz: 125 } });
  expect((await ask({ bytes: 10, sf: 7, bandwidth_khz: 125 })).body).toEqual({ airtime_ms: 61.696, per_hour_at_1_percent: 583 });
  expect((await ask({ bytes: 10, sf: 12, bandwidth_khz: 125, coding_rate: '4/5' })).body).toEqual({
    airtime_ms: 1482.752,
    per_hour_at_1_percent: 24,
  });
  for (const body of [
    {},
    { bytes: -1, sf: 7, bandwidth_khz: 125 },
    { bytes: 1, sf: 6, bandwidth_khz: 125 },
    { bytes: 1, sf: 7, bandwidth_khz: 100 },
  ])
    expect((await ask(body)).status).toBe(400);
});
