import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { describe, expect, test } from 'vitest';
import { createSecrets } from '../platform/secrets.ts';
import { TestClient } from '../testing/client.ts';
import { testApp } from '../testing/test-app.ts';
import { issueAccessToken } from './access-token.ts';

const app = await testApp();
const bearer = (token: string) => new TestClient(app.origin, { authorization: `Bearer ${token}` });
const isAlive = async (token: string) => (await bearer(token).call(sessionApi.get)).status === 200;

describe('iot-behaviour 0.1: the access token of a session', () => {
  test('works as a bearer, for as long as it says', async () => {
    const user = await app.make.user();
    const { access_token, expiry } = await (await app.signedIn(user)).get(sessionApi.token);
    expect((await bearer(access_token).get(sessionApi.get)).user).toMatchObject({ id: user.id });
    const minutes = (Date.parse(expiry) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(1);
    expect(minutes).toBeLessThanOrEqual(15);
  });

  test('is 401 when signed out, and for a key, which is a token of its own', async () => {
    for (const client of [app.anonymous(), app.as(app.admin), app.as({ api_key: 'unknown' })]) {
      const reply = await client.call(sessionApi.token);
      expect(reply.status).toBe(401);
      expect(reply.message).toContain('Please login');
    }
  });

  test('dies with its session: signed out, disabled, new password', async () => {
    const [gone, disabled, changed] = [await app.make.user(), await app.make.user(), await app.make.user()];
    const clients = await Promise.all([gone, disabled, changed].map((user) => app.signedIn(user)));
    const tokens = await Promise.all(clients.map(async (client) => (await client.get(sessionApi.token)).access_token));
    expect(await Promise.all(tokens.map(isAlive))).toEqual([true, true, true]);
    await clients[0]?.fetch('/logout');
    await app.as(app.admin).get(usersApi.disable, { params: { id: disabled.id } });
    await clients[2]?.get(usersApi.save, {
      params: { id: changed.id },
      body: { password: 'new password', old_password: changed.password },
    });
    expect(await Promise.all(tokens.map(isAlive))).toEqual([false, false, false]);
  });

  test('cannot renew itself: who finds one has it for a quarter of an hour, not for ever', async () => {
    const { access_token } = await (await app.signedIn(await app.make.user())).get(sessionApi.token);
    expect((await bearer(access_token).call(sessionApi.token)).status).toBe(401);
  });

  test('can end its session itself', async () => {
    const client = await app.signedIn(await app.make.user());
    const { access_token } = await client.get(sessionApi.token);
    await bearer(access_token).get(sessionApi.logout);
    expect((await client.call(sessionApi.get)).status).toBe(404);
  });

  test('expired, forged or changed, it is nobody’s', async () => {
    const { access_token } = await (await app.signedIn(app.admin)).get(sessionApi.token);
    const [, session = '', expiry = '', mac = ''] = access_token.split('.');
    const later = String(Number(expiry) + 1);
    const ours = issueAccessToken(app.ctx.secrets, Number(session), new Date(Date.now() - 16 * 60_000)).access_token;
    const published = issueAccessToken(createSecrets('c292a0a3aa32397cdb050e233733900f'), Number(session), new Date()).access_token;
    const forged = [
      ours,
      published,
      `tt.${session}.${later}.${mac}`,
      `tt.${Number(session) + 1}.${expiry}.${mac}`,
      `tt.0${session}.${expiry}.${mac}`,
      `tt.${session}.${expiry}.`,
      `tt.${session}.${expiry}.${mac}x`,
      `tt.${session}.${expiry}.${mac.slice(0, -1)}`,
      `tt.${session}.99999999999999999999.${mac}`,
      `TT.${session}.${expiry}.${mac}`,
      `${access_token} ${access_token}`,
      mac,
      'tt...',
      'null',
      `eyJhbGciOiJub25lIn0.${Buffer.from(`{"sub":${app.admin.id}}`).toString('base64url')}.`,
    ];
    for (const token of forged) expect([token, await isAlive(token)]).toEqual([token, false]);
    expect(await isAlive(access_token)).toBe(true);
  });

  test('is no API key, and a key is no bearer', async () => {
    const { access_token } = await (await app.signedIn(app.admin)).get(sessionApi.token);
    expect((await app.as({ api_key: access_token }).call(sessionApi.get)).status).toBe(404);
    expect((await app.anonymous().fetch(`/api/session?api_key=${access_token}`)).status).toBe(404);
    expect(await isAlive(app.admin.api_key)).toBe(false);
  });
});
