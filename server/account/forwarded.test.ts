import { eventsApi } from '@telltale/domain/events/contract.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();

test('design 8: without TELLTALE_TRUST_PROXY nobody can choose their address by a header', async () => {
  const user = await app.make.user();
  const statuses = [];
  for (let i = 0; i < 12; i++) {
    const headers = { 'x-forwarded-for': `10.0.0.${i}`, forwarded: `for=10.0.0.${i}`, 'x-real-ip': `10.0.0.${i}` };
    statuses.push((await app.anonymous().json('POST', '/login', { email: user.email, password: 'wrong' }, headers)).status);
  }
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(400));
  expect(statuses.slice(10)).toEqual([429, 429]);
  await app.signedIn(app.admin);
  const [event] = (await app.as(app.admin).get(eventsApi.list)).results;
  expect(event?.location).toBe('127.0.0.1');
});

test.each(['1', 'true', 'proxy.local', '10.0.0.0/33', '10.0.0.0/x', '::1/129', '10.0.0.1/8/8'])(
  'TELLTALE_TRUST_PROXY=%s is named at the start',
  (value) => {
    expect(() => readConfig({ TELLTALE_TRUST_PROXY: value })).toThrow(/TELLTALE_TRUST_PROXY must list addresses/);
  },
);

test('TELLTALE_TRUST_PROXY takes addresses, ranges and the names of ranges', () => {
  expect(readConfig({ TELLTALE_TRUST_PROXY: 'loopback, 10.0.0.0/8 ::1,fd00::/8' }).trustProxy).toHaveLength(4);
});

test('a forged protocol or host changes neither cookies nor addresses', async () => {
  const client = app.anonymous();
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' };
  const response = await client.json('POST', '/login', app.admin, headers);
  expect(response.headers.getSetCookie().join()).not.toMatch(/Secure/i);
  expect(response.headers.get('strict-transport-security')).toBeNull();
  const config = await client.fetch('/api/session', { headers });
  expect(sessionApi.get.reply.parse(await config.json()).client_config.basePath).toBe(`${app.origin}/`);
});
