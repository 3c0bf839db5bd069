import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const group = await app.make.group();
const victim = await app.make.user({ group_ids: [group.id] });
const pending = await app.make.user({ pending: true });

/** All data that a write could have changed; only "last active" changes by itself. */
async function everything(): Promise<string> {
  const tables = ['organizations', 'groups', 'users', 'memberships', 'sessions', 'account_tokens', 'setup', 'events', 'jobs'];
  const parts = await Promise.all(
    tables.map((table) =>
      sql<{ text: string }>`
        select coalesce(string_agg((to_jsonb(t) - 'active_at' - 'seen_at')::text, '' order by (to_jsonb(t) - 'active_at' - 'seen_at')::text), '') as text
        from ${sql.table(table)} as t`.execute(app.ctx.db),
    ),
  );
  return parts.map(({ rows }) => rows[0]?.text ?? '').join('\n');
}

/** These routes bring their own proof and never act for the cookie: a foreign page may not call them either, but they need no token. */
const withOwnProof = [
  'POST /login',
  'POST /setup',
  'POST /forgot',
  'POST /invite/:token',
  'POST /reset/:token',
  'POST /ldap/login',
  'POST /passkey/options',
  'POST /passkey/login',
];

const bodies: Record<string, unknown> = {
  'POST /login': { email: victim.email, password: victim.password },
  'POST /forgot': { email: victim.email },
  'POST /api/settings/organization': { date_format: 'YYYY-MM-DD' },
  'POST /api/users': { name: 'Eve', email: 'eve@example.com' },
  'POST /api/users/:id': { name: 'Mallory' },
  'POST /api/groups': { name: 'Evil' },
  'POST /api/groups/:id': { name: 'Evil' },
  'POST /api/groups/:id/members': { user_id: pending.id },
  'POST /api/events': [{ action: 'view', object_type: 'page' }],
};
/** An address whose object exists where that matters: a refusal must not be a 404. */
function filled(method: string, path: string): string {
  const own: Record<string, string | number> = { userId: victim.id, token: 'x'.repeat(43) };
  const id = path.startsWith('/api/groups') ? group.id : method === 'DELETE' || path.endsWith('/invite') ? pending.id : victim.id;
  const ids = path.startsWith('/api/jobs') ? crypto.randomUUID() : id;
  return path.replace(/:(\w+)/g, (_, name: string) => String(own[name] ?? ids));
}

/** An identity provider posts through the browser: its signed answer is the proof (provider-attacks.test.ts). */
const fromOtherSites = ['/saml/callback'];

const writes = app.routes
  .filter((route) => route.method !== 'GET' && !fromOtherSites.includes(route.path))
  .map(({ method, path }) => ({
    name: `${method} ${path}`,
    method,
    path: filled(method, path),
    body: JSON.stringify(bodies[`${method} ${path}`] ?? { password: 'long enough' }),
  }));

const json = { 'content-type': 'application/json' };

describe('every write with a session cookie (security 15)', async () => {
  const browser = await app.signedIn(app.admin);
  const other = await app.signedIn(app.admin);
  const own = { 'x-csrf-token': browser.cookies.get('csrf_token') ?? '' };
  const tricks: [string, Record<string, string>, (body: string) => string][] = [
    ['no token', json, (body) => body],
    ['a wrong token', { ...json, 'x-csrf-token': 'A'.repeat(43) }, (body) => body],
    ['an empty token', { ...json, 'x-csrf-token': '' }, (body) => body],
    ['the token of another session', { ...json, 'x-csrf-token': other.cookies.get('csrf_token') ?? '' }, (body) => body],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded', ...own }, () => 'name=Eve&email=eve%40example.com'],
    ['a multipart form', { 'content-type': 'multipart/form-data; boundary=x', ...own }, (body) => body],
    ['plain text', { 'content-type': 'text/plain', ...own }, (body) => body],
    ['plain text in capitals', { 'content-type': ' Text/Plain;charset=utf-8', ...own }, (body) => body],
    ['a foreign origin', { ...json, ...own, origin: 'https://evil.example' }, (body) => body],
    ['the origin of a sandboxed frame', { ...json, ...own, origin: 'null' }, (body) => body],
    ['our host on another port', { ...json, ...own, origin: 'http://127.0.0.1:1' }, (body) => body],
    ['a cross-site fetch', { ...json, ...own, 'sec-fetch-site': 'cross-site' }, (body) => body],
  ];
  const isAboutOrigin = (trick: string) => /origin|our host|cross-site/.test(trick);

  test.each(writes)('$name is refused for each trick, and nothing changes', async ({ name, method, path, body }) => {
    const before = await everything();
    const seen: Record<string, number> = {};
    for (const [trick, headers, shape] of tricks) {
      if (withOwnProof.includes(name) && !isAboutOrigin(trick)) continue;
      const answer = await browser.fetch(path, { method, headers, body: shape(body) });
      const { message } = (await answer.json()) as { message: string };
      expect(message).toBeTruthy();
      seen[trick] = answer.status;
      if (trick.endsWith('token') || trick.startsWith('the token')) expect(message).toContain('CSRF');
    }
    const expected = (trick: string) => (isAboutOrigin(trick) ? 403 : /form|plain/.test(trick) ? 415 : 400);
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((trick) => [trick, expected(trick)])));
    expect(await everything()).toBe(before);
  });

  test('with its own token, and from our own pages, the same write goes through', async () => {
    const save = (headers: Record<string, string>) =>
      browser.json('POST', '/api/settings/organization', { date_format: 'YYYY-MM-DD' }, headers);
    expect((await save({})).status).toBe(200);
    expect((await save({ origin: app.origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await app.as(app.admin).get(organizationApi.settings)).settings.date_format).toBe('YYYY-MM-DD');
  });

  test('server-behaviour 1.1: a stale token is mended by GET /ping, as clients do it', async () => {
    const client = await app.signedIn(victim);
    client.cookies.set('csrf_token', 'stale');
    expect((await client.call(usersApi.save, { params: { id: victim.id }, body: { name: 'V' } })).message).toContain('CSRF');
    await client.fetch('/ping');
    expect((await client.call(usersApi.save, { params: { id: victim.id }, body: { name: 'V' } })).status).toBe(200);
  });

  test('a token cannot be made without the session: it is not the cookie and not the same for two sessions', () => {
    const tokens = [browser, other].flatMap((client) => [client.cookies.get('csrf_token'), client.cookies.get('session')]);
    expect(new Set(tokens).size).toBe(4);
  });
});

describe('writes without a cookie', () => {
  test('a key needs no token, wherever the call comes from', async () => {
    const answer = await app.as(app.admin).fetch('/api/groups', {
      method: 'POST',
      headers: { 'content-type': 'text/plain', origin: 'https://script.example', 'sec-fetch-site': 'cross-site' },
      body: '{"name":"By script"}',
    });
    expect(answer.status).toBe(200);
  });

  test('a bearer token of the session needs none either', async () => {
    const { access_token } = await (await app.signedIn(victim)).get(sessionApi.token);
    const answer = await app.anonymous().fetch('/api/events', {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
      body: '[]',
    });
    expect(answer.status).toBe(200);
  });

  test('nobody can be signed in by a foreign page (login CSRF)', async () => {
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }];
    for (const headers of foreign) {
      const client = app.anonymous();
      const answer = await client.json('POST', '/login', { email: victim.email, password: victim.password }, headers);
      expect(answer.status).toBe(403);
      expect(client.cookies.size).toBe(0);
    }
  });

  test('a GET never writes for the cookie of a foreign page: it cannot sign out by an image', async () => {
    const browser: TestClient = await app.signedIn(victim);
    const embedded: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
      { accept: 'image/avif,image/webp,*/*;q=0.8' },
    ];
    for (const headers of embedded) await browser.fetch('/logout', { headers });
    expect((await browser.call(sessionApi.get)).status).toBe(200);
    await browser.fetch('/logout', { headers: { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' } });
    expect((await browser.call(sessionApi.get)).status).toBe(404);
  });
});
