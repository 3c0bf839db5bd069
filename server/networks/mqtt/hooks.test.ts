import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testBroker } from '../../testing/broker.ts';
import { type MadeDevice, makeDevices } from '../../testing/fleet.ts';
import { testApp } from '../../testing/test-app.ts';
import { newDeviceKey } from '../device-key.ts';
import { listenHooks } from './hooks.ts';

const app = await testApp();
const { directory } = await testBroker(app);
const secret = 'a secret of the product';
const person = await app.make.user();
const limited = await app.make.user();
const findUser = async (key: string) => {
  if (key === person.api_key) return { id: person.id, mayView: true, channel_ids: null };
  return key === limited.api_key ? { id: limited.id, mayView: true, channel_ids: new Set(['weather']) } : undefined;
};
const hooks = await listenHooks({ host: '127.0.0.1', port: 0, secret }, { directory, findUser, log: app.ctx.log });
afterAll(() => hooks.close());
const [device, other] = (await makeDevices(app.ctx, 'weather', 2)) as [MadeDevice, MadeDevice];
const { api_key, record } = newDeviceKey(app.ctx.secrets);
await sql`
  update channel_settings set lookup_id = ${record.lookup_id}, key_hash = ${record.key_hash}, key_sealed = ${record.key_sealed}
  where channel_pk = ${device.channel_pk}`.execute(app.ctx.db);

const post = async (path: string, body: unknown, given = secret) => {
  const reply = await fetch(`http://127.0.0.1:${hooks.port}/internal/mqtt/${path}`, {
    method: 'POST',
    headers: { 'x-telltale-secret': given },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};
const auth = (username: string | null, password?: string) => post('auth', { clientid: 'c', username, password, peerhost: '10.0.0.1' });
const name = ({ channel_id, device_id }: MadeDevice) => `${channel_id}/${device_id}`;
const own = `v1/${device.channel_id}/devices/${device.device_id}`;

describe('iot-behaviour 1.13: questions of a broker that stands before ours', () => {
  test('who knows a key comes in with its rights, believed for an hour', async () => {
    const inAnHour = () => Date.now() / 1000 + 3600;
    const asked = inAnHour();
    const { status, body } = await auth(name(device), device.api_key);
    const answered = inAnHour();
    expect([status, body.result]).toEqual([200, 'allow']);
    expect(body.client_attrs).toEqual({ channel: 'weather', device: device.device_id });
    expect(body.acl).toEqual([
      ...['up', 'up/#', 'state', 'ack'].map((kind) => ({ permission: 'allow', action: 'publish', topic: `${own}/${kind}` })),
      ...['down', 'error', 'config'].map((kind) => ({ permission: 'allow', action: 'subscribe', topic: `${own}/${kind}` })),
      { permission: 'deny', action: 'all', topic: '#' },
    ]);
    expect(body.expire_at).toBeGreaterThan(asked - 5);
    expect(body.expire_at).toBeLessThan(answered + 5);
    expect((await auth(device.api_key)).body.result).toBe('allow');
    expect((await auth('weather', api_key)).body).toMatchObject({ result: 'allow', client_attrs: { channel: 'weather' } });
    expect((await auth('$user', person.api_key)).body.acl).toContainEqual({
      permission: 'allow',
      action: 'subscribe',
      topic: 'v1/+/devices/+/state',
    });
    expect((await auth('$user', limited.api_key)).body.acl).toEqual([
      ...['up', 'up/#', 'state'].map((kind) => ({ permission: 'allow', action: 'subscribe', topic: `v1/weather/devices/+/${kind}` })),
      { permission: 'deny', action: 'all', topic: '#' },
    ]);
  });

  test('a client without the right gets a refusal, never silence', async () => {
    for (const [username, password] of [
      [name(device), other.api_key],
      [name(device), ''],
      [null, undefined],
      ['weather', device.api_key],
      ['$user', 'x'],
    ] as const)
      expect(await auth(username, password)).toEqual({ status: 200, body: { result: 'deny' } });
    for (const body of ['{', '[]', '{"username":7}', 'x'.repeat(70_000)])
      expect((await post('auth', body)).body).toEqual({ result: 'deny' });
    for (let n = 0; n < 25; n++) await auth(name(other), 'x'.repeat(40));
    expect((await auth(name(other), other.api_key)).body).toEqual({ result: 'deny' });
  });

  test.each([
    ['publish', `${own}/up`, 'allow'],
    ['publish', `${own}/up/raw/7`, 'allow'],
    ['publish', `${own}/down`, 'deny'],
    ['publish', `v1/weather/devices/${other.device_id}/up`, 'deny'],
    ['publish', '$SYS/x', 'deny'],
    ['subscribe', `${own}/down`, 'allow'],
    ['subscribe', '#', 'deny'],
    ['subscribe', `${own}/up`, 'deny'],
    ['other', `${own}/up`, 'deny'],
  ])('a device may %s %s: %s', async (action, topic, result) => {
    for (const username of [name(device), device.api_key])
      expect((await post('acl', { clientid: 'c', username, action, topic, qos: 1, retain: false })).body).toEqual({ result });
  });

  test('a gateway those of its channel, nobody those of none', async () => {
    const acl = async (username: string, topic: string) => (await post('acl', { username, action: 'publish', topic })).body.result;
    expect(await acl('weather', `${own}/up`)).toBe('allow');
    expect(await acl('weather', 'v1/other/devices/x/up')).toBe('deny');
    for (const username of ['', '$user', 'nobody', 'weather/nobody', `${device.api_key.slice(0, 39)}!`, 'a\0b'])
      expect(await acl(username, `${own}/up`)).toBe('deny');
  });

  test('without the secret there is nothing, not even a difference', async () => {
    for (const given of ['', 'wrong', secret.toUpperCase()])
      for (const path of ['auth', 'acl', 'else']) expect(await post(path, {}, given)).toEqual({ status: 401, body: { result: 'deny' } });
    expect((await post('else', {})).status).toBe(404);
  });
});
