import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { auditApi } from '@telltale/domain/audit/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { type JWTPayload, SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestClient } from '../testing/client.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { TELLTALE_ALLOW_PRIVATE: '127.0.0.0/8' } });
const admin = app.as(app.admin);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid, use: 'sig' });

/** A proxy's server with its public keys. */
let published: unknown = {
  keys: [jwk(rsa.publicKey, 'r1'), jwk(ec.publicKey, 'e1'), { kty: 'oct', k: 'c2VjcmV0', kid: 'h1', alg: 'HS256' }],
};
let asked = 0;
const keys = createServer((_request, response) => {
  asked++;
  response.setHeader('content-type', 'application/json').end(JSON.stringify(published));
});
await new Promise<void>((done) => keys.listen(0, '127.0.0.1', done));
const keysAddress = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`;
afterAll(() => void keys.close());

const settings = {
  auth_jwt_login_enabled: true,
  auth_jwt_auth_issuer: 'https://proxy.example',
  auth_jwt_auth_audience: 'console',
  auth_jwt_auth_public_certs_url: `${keysAddress}/certs`,
  auth_jwt_auth_header_name: 'X-Proxy-Token',
  auth_jwt_auth_cookie_name: 'proxy_token',
};
const save = (body: object) => admin.get(organizationApi.saveSettings, { body });
beforeAll(() => save(settings));

const now = () => Math.floor(Date.now() / 1000);
interface Signing {
  key?: KeyObject;
  alg?: string;
  kid?: string | undefined;
  issuer?: string;
  audience?: string;
  expires?: number;
  notBefore?: number;
}
function token(claims: JWTPayload, signing: Signing = {}): Promise<string> {
  const { key = rsa.privateKey, alg = 'RS256', issuer = 'https://proxy.example', audience = 'console' } = signing;
  const kid = 'kid' in signing ? signing.kid : 'r1';
  const jwt = new SignJWT(claims)
    .setProtectedHeader({ alg, ...(kid ? { kid } : {}) })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(signing.expires ?? now() + 300);
  return (signing.notBefore ? jwt.setNotBefore(signing.notBefore) : jwt).sign(key);
}
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A browser behind the proxy: the header comes with each request. */
const behind = (value: string) => new TestClient(app.origin, { 'x-proxy-token': value });
const who = async (client: TestClient) =>
  (await client.get(sessionApi.get)).user as { id: number; name: string; email: string; groups: number[] };
const emailOf = async (client: TestClient) => (await who(client)).email;
const sessionsOf = async (email: string) =>
  (await sql`select from sessions join users on users.id = user_id where email = ${email}`.execute(app.ctx.db)).rows.length;

describe('server-behaviour 2 and 3.8: sign-in by the token of a proxy', () => {
  test('an unknown person gets an account in the default group and a session; requests at one moment share it', async () => {
    const value = await token({ email: 'Ada@proxy.example', name: 'Ada L' });
    const clients = Array.from({ length: 5 }, () => behind(value));
    await Promise.all(clients.map((client) => client.get(sessionApi.get)));
    const [client] = clients as [TestClient];
    const user = await who(client);
    expect(user).toMatchObject({ name: 'Ada L' });
    expect(user.email.toLowerCase()).toBe('ada@proxy.example');
    expect(user.groups).toHaveLength(1);
    expect(await sessionsOf(user.email)).toBe(1);
    const { results } = await admin.get(auditApi.list, { query: { action: 'login' } });
    expect(results.filter((entry) => entry.user?.id === user.id)).toHaveLength(1);
    const made = await admin.get(auditApi.list, { query: { user_id: user.id, object_type: 'user' } });
    expect(made.results).toMatchObject([{ action: 'account created', details: { method: 'jwt' } }]);
  });

  test('a write needs the CSRF token of that session, as every other', async () => {
    const value = await token({ email: app.admin.email });
    const bare = await fetch(`${app.origin}/api/groups`, {
      method: 'POST',
      headers: { 'x-proxy-token': value, 'content-type': 'application/json' },
      body: '{"name":"By another site"}',
    });
    expect([bare.status, await bare.text()]).toEqual([400, expect.stringContaining('CSRF')]);
    const browser = behind(value);
    await browser.get(sessionApi.get);
    expect((await browser.call(groupsApi.create, { body: { name: 'By proxy' } })).status).toBe(200);
  });

  test('by cookie, with ES256, without a key id, and pages open without the sign-in page', async () => {
    const value = await token({ email: 'grace@proxy.example' }, { key: ec.privateKey, alg: 'ES256', kid: undefined });
    const client = app.anonymous();
    client.cookies.set('proxy_token', value);
    expect(await emailOf(client)).toBe('grace@proxy.example');
    const page = await fetch(`${app.origin}/login`, { headers: { cookie: `proxy_token=${value}` }, redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/']);
  });

  test('a key in the request wins over the token', async () => {
    const value = await token({ email: 'ada@proxy.example' });
    const client = new TestClient(app.origin, { 'x-proxy-token': value, authorization: `Key ${app.admin.api_key}` });
    expect(await emailOf(client)).toBe(app.admin.email);
    const wrong = new TestClient(app.origin, { 'x-proxy-token': value, authorization: `Key ${'x'.repeat(40)}` });
    expect((await wrong.call(sessionApi.get)).status).toBe(404);
  });

  test('the session ends with its token: without it, and with that of another person', async () => {
    const client = behind(await token({ email: 'ada@proxy.example' }));
    await client.get(sessionApi.get);
    const cookies = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const session = (headers: Record<string, string>) => fetch(`${app.origin}/api/session`, { headers: { cookie: cookies, ...headers } });
    expect((await session({})).status).toBe(404);
    const next = await session({ 'x-proxy-token': await token({ email: 'grace@proxy.example' }) });
    expect(((await next.json()) as { user: { email: string } }).user.email).toBe('grace@proxy.example');
    const renewed = await session({ 'x-proxy-token': await token({ email: 'ada@proxy.example', name: 'Ada L' }) });
    expect(renewed.status).toBe(200);
    expect(renewed.headers.getSetCookie().filter((line) => line.startsWith('session='))).toEqual([]);
  });

  test('an access token of the session ends with it: without the token of the proxy, and with that of another person', async () => {
    const mine = await token({ email: 'bearer@example.com' });
    const { access_token } = await behind(mine).get(sessionApi.token);
    const bearer = (more: Record<string, string>) => new TestClient(app.origin, { authorization: `Bearer ${access_token}`, ...more });
    const others = await token({ email: 'other-bearer@example.com' });
    expect(await emailOf(bearer({ 'x-proxy-token': mine }))).toBe('bearer@example.com');
    expect((await bearer({}).call(sessionApi.get)).status).not.toBe(200);
    expect((await bearer({ 'x-proxy-token': others }).call(sessionApi.get)).status).not.toBe(200);
  });

  test('a disabled account is refused at the next request, with its session and with a new token', async () => {
    const value = await token({ email: 'off@proxy.example' });
    const client = behind(value);
    const user = await who(client);
    await admin.get(usersApi.disable, { params: { id: user.id } });
    expect(await client.call(sessionApi.get)).toMatchObject({ status: 403, message: expect.stringContaining('disabled') });
    expect((await behind(await token({ email: 'off@proxy.example' })).call(sessionApi.get)).status).toBe(403);
  });
});

describe('forged tokens (security 16)', () => {
  const header = (alg: string, more = {}) => base64({ alg, kid: 'r1', ...more });
  const claims = () => base64({ email: app.admin.email, iss: 'https://proxy.example', aud: 'console', exp: now() + 300 });
  const hmac = (secret: string | Buffer, alg = 'HS256') => {
    const body = `${header(alg)}.${claims()}`;
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
  };
  const mine = { email: app.admin.email };
  test.each<[string, () => Promise<string> | string]>([
    ['signed with another key', () => token(mine, { key: other.privateKey })],
    [
      'with a key of its own in the header',
      async () => {
        const jwt = new SignJWT(mine).setProtectedHeader({ alg: 'RS256', jwk: other.publicKey.export({ format: 'jwk' }) as never });
        return jwt
          .setIssuer('https://proxy.example')
          .setAudience('console')
          .setExpirationTime(now() + 300)
          .sign(other.privateKey);
      },
    ],
    ['alg none', () => `${header('none')}.${claims()}.`],
    ['alg None', () => `${header('None')}.${claims()}.`],
    ['no signature', async () => (await token(mine)).replace(/[^.]+$/, '')],
    ['HS256 by the public key as PEM', () => hmac(rsa.publicKey.export({ format: 'pem', type: 'spki' }) as string)],
    ['HS256 by the public key as bytes', () => hmac(rsa.publicKey.export({ format: 'der', type: 'spki' }))],
    ['HS256 by a secret that the key set publishes', () => hmac('secret')],
    ['RS256 in the header over an HMAC', () => hmac('secret', 'RS256')],
    ['an algorithm that is not listed', () => token(mine, { alg: 'PS256' })],
    ['expired', () => token(mine, { expires: now() - 60 })],
    ['not valid yet', () => token(mine, { notBefore: now() + 300 })],
    ['for another audience', () => token(mine, { audience: 'another console' })],
    ['of another issuer', () => token(mine, { issuer: 'https://evil.example' })],
    ['without an address', () => token({ sub: 'ada' })],
    ['an address that is no text', () => token({ email: [app.admin.email] } as never)],
    ['an address that is not verified', () => token({ ...mine, email_verified: false })],
    [
      'changed claims',
      async () => {
        const [head, , signature] = (await token({ email: 'ada@proxy.example' })).split('.');
        return `${head}.${claims()}.${signature}`;
      },
    ],
    ['no token at all', () => 'undefined'],
  ])('%s: 401', async (_what, make) => {
    const client = behind(await make());
    expect(await client.call(sessionApi.get)).toMatchObject({ status: 401, message: expect.stringContaining('sign-in token') });
    expect(client.cookies.has('session')).toBe(false);
    expect((await client.fetch('/login')).status).toBe(200);
  });

  test('no expiry: 401', async () => {
    const jwt = new SignJWT(mine).setProtectedHeader({ alg: 'RS256', kid: 'r1' }).setIssuer('https://proxy.example').setAudience('console');
    expect((await behind(await jwt.sign(rsa.privateKey)).call(sessionApi.get)).status).toBe(401);
  });

  test('refusals stand in the audit log, each token once', async () => {
    const value = await token(mine, { expires: now() - 90 });
    const before = (await admin.get(auditApi.list, { query: { action: 'login failed' } })).count;
    for (let n = 0; n < 3; n++) await behind(value).call(sessionApi.get);
    const { count, results } = await admin.get(auditApi.list, { query: { action: 'login failed' } });
    expect(count).toBe(before + 1);
    expect(results[0]).toMatchObject({ user: null, details: { method: 'jwt', reason: 'ERR_JWT_EXPIRED' } });
  });

  test('a flood of wrong tokens is 429 for them, and a right one still works', async () => {
    await sql`update attempts set count = 1001 where key like 'token address%'`.execute(app.ctx.db);
    expect((await behind(await token(mine, { expires: now() - 120 })).call(sessionApi.get)).status).toBe(429);
    expect((await behind(await token({ email: 'ada@proxy.example', name: 'Ada L' })).call(sessionApi.get)).status).toBe(200);
  });
});

describe('the key set', () => {
  test('is asked once for many tokens, also for such whose key it does not have', async () => {
    const before = asked;
    for (let n = 0; n < 5; n++) await behind(await token({ email: 'ada@proxy.example' }, { kid: `unknown-${n}` })).call(sessionApi.get);
    expect(asked - before).toBeLessThanOrEqual(1);
  });

  test('may be PEM texts by key id', async () => {
    published = { p1: rsa.publicKey.export({ format: 'pem', type: 'spki' }) };
    await save({ auth_jwt_auth_public_certs_url: `${keysAddress}/pem` });
    expect(await emailOf(behind(await token({ email: 'ada@proxy.example', name: 'Ada L' }, { kid: 'p1' })))).toBe('ada@proxy.example');
  });

  test('that cannot be read is 503, and an address that is not allowed is never asked', async () => {
    published = 'no keys';
    for (const address of [`${keysAddress}/broken`, 'http://169.254.169.254/latest/meta-data', 'https://nowhere.invalid/certs']) {
      await save({ auth_jwt_auth_public_certs_url: address });
      const client = behind(await token({ email: 'ada@proxy.example' }));
      expect(await client.call(sessionApi.get)).toMatchObject({ status: 503, message: expect.stringContaining('public keys') });
      expect((await client.fetch('/login')).status).toBe(200);
    }
  });
});

describe('settings', () => {
  test('A4: password login may be off while it works; turning it off, or leaving it incomplete, turns passwords on again', async () => {
    for (const last of [{ auth_jwt_login_enabled: false }, { auth_jwt_auth_audience: '' }]) {
      const off = { auth_password_login_enabled: false };
      await save({ ...settings, ...off });
      expect((await admin.call(organizationApi.saveSettings, { body: { ...off, ...last } })).status).toBe(400);
      const { settings: saved } = await admin.get(organizationApi.saveSettings, { body: last });
      expect(saved).toMatchObject({ ...last, auth_password_login_enabled: true });
    }
    await save(settings);
  });

  test.each([
    { auth_jwt_auth_public_certs_url: 'file:///etc/passwd' },
    { auth_jwt_auth_header_name: 'Authorization' },
    { auth_jwt_auth_header_name: 'a header' },
    { auth_jwt_auth_cookie_name: 'session' },
    { auth_jwt_auth_algorithms: ['none'] },
  ])('%j is a 400', async (body) => {
    expect((await admin.call(organizationApi.saveSettings, { body: body as never })).status).toBe(400);
  });

  test('switched off, tokens and their sessions mean nothing', async () => {
    await save(settings);
    const client = behind(await token({ email: 'ada@proxy.example', name: 'Ada L' }));
    expect((await client.call(sessionApi.get)).status).toBe(200);
    await save({ auth_jwt_login_enabled: false });
    expect((await client.call(sessionApi.get)).status).toBe(404);
  });
});
