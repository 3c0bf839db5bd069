import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { organizationName } from '../organizations/organizations.ts';
import { testApp } from '../testing/test-app.ts';
import { forgetSetupDone, issueSetupCode } from './setup.ts';

const app = await testApp({ isEmpty: true });
const count = async (table: string) =>
  (await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(app.ctx.db)).rows[0]?.count;

/** The state at a first start: no users, a fresh code on the console. */
let code = '';
beforeEach(async () => {
  await sql`truncate users, setup, attempts restart identity cascade`.execute(app.ctx.db);
  forgetSetupDone();
  code = (await issueSetupCode(app.ctx)) ?? '';
});

const first = () => ({ code, name: 'Ada', email: 'Ada@Example.com', password: 'a good password', org_name: 'Sensors & Co' });
const setUp = (body: object, headers: Record<string, string> = {}) => app.anonymous().json('POST', '/setup', body, headers);
const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

describe('the first administrator (server-behaviour 3.9, security 2)', () => {
  test('the code is printed in groups that people can type', () => {
    expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  });

  test('with the code they are created in both built-in groups and signed in', async () => {
    const client = app.anonymous();
    expect((await client.json('POST', '/setup', first())).status).toBe(200);
    const { user } = await client.get(sessionApi.get);
    expect(user).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
    expect(user.permissions).toEqual(expect.arrayContaining(['admin', 'super_admin', 'view_query']));
    expect(((await client.get(groupsApi.list)) as { name: string }[]).map((group) => group.name)).toEqual(['admin', 'default']);
    expect(await organizationName(app.ctx)).toBe('Sensors & Co');
    expect((await app.anonymous().signIn('ada@example.com', 'a good password')).status).toBe(200);
  });

  test('a form is answered by a redirect', async () => {
    const response = await app.anonymous().fetch('/setup', form(first()));
    expect([response.status, response.headers.get('location')]).toEqual([302, '/']);
  });

  test('the code may be typed in any case, without hyphens, with spaces', async () => {
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `;
    expect((await setUp({ ...first(), code: typed })).status).toBe(200);
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['only hyphens', '---'],
    ['a guess', 'AAAA-AAAA-AAAA'],
    ['a pattern', '%'],
    ['the beginning', 'PREFIX'],
  ])('%s instead of the code is refused, as JSON and on the page', async (_, given) => {
    const body = { ...first(), code: given === 'PREFIX' ? code.slice(0, 9) : given };
    const answer = await setUp(body);
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 403,
      body: { message: expect.stringContaining('code is wrong') },
    });
    const page = await app.anonymous().fetch('/setup', form({ ...first(), code: body.code ?? '' }));
    expect(page.status).toBe(403);
    expect(await page.text()).toContain('code is wrong');
    expect(await count('users')).toBe(0);
  });

  test('a new start prints a new code, and the old one opens nothing', async () => {
    const old = code;
    code = (await issueSetupCode(app.ctx)) ?? '';
    expect(code).not.toBe(old);
    expect((await setUp({ ...first(), code: old })).status).toBe(403);
    expect((await setUp(first())).status).toBe(200);
  });

  test('the code is not in the database to be read', async () => {
    const { rows } = await sql<{ text: string }>`select setup::text as text from setup`.execute(app.ctx.db);
    expect(rows[0]?.text).not.toContain(code.slice(0, 4));
  });

  test('a wrong field keeps the code alive for another try', async () => {
    expect((await setUp({ ...first(), email: 'nonsense' })).status).toBe(400);
    expect((await setUp(first())).status).toBe(200);
  });

  test('of two at the same moment exactly one becomes the administrator', async () => {
    const bodies = Array.from({ length: 8 }, (_, i) => ({ ...first(), name: `Racer ${i}`, email: `racer${i}@example.com` }));
    const statuses = await Promise.all(bodies.map(async (body) => (await setUp(body)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status !== 200).every((status) => status === 404 || status === 403)).toBe(true);
    expect(await count('users')).toBe(1);
    expect(await count('setup')).toBe(0);
  });

  test('guessing ends after twenty tries an hour', async () => {
    const statuses = [];
    for (let i = 0; i < 22; i++) statuses.push((await setUp({ ...first(), code: 'AAAA' })).status);
    expect(statuses.slice(0, 20).every((status) => status === 403)).toBe(true);
    expect(statuses.slice(20)).toEqual([429, 429]);
  });
});

describe('before and after', () => {
  test('before: sign-in leads to the set-up page, and every other door is closed', async () => {
    expect((await app.anonymous().fetch('/login')).headers.get('location')).toBe('/setup');
    const page = await app.anonymous().fetch('/setup');
    expect([page.status, (await page.text()).includes(code.slice(0, 4))]).toEqual([200, false]);
    expect((await app.anonymous().signIn('a@example.com', 'x')).status).toBe(400);
    for (const path of ['/api/session', '/api/users', '/api/settings/organization', '/api/events']) {
      expect((await app.anonymous().fetch(path)).status).toBe(404);
    }
    expect((await app.anonymous().fetch('/api/config')).status).toBe(200);
  });

  test('a code in the address is filled in, as text', async () => {
    const page = await (await app.anonymous().fetch('/setup?code=%22%3E%3Cscript%3Ealert(1)%3C/script%3E')).text();
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;');
    expect((await app.anonymous().fetch('/setup?code=a&code=b')).status).toBe(200);
  });

  test('after: the set-up routes are gone, for the right code too', async () => {
    await setUp(first());
    expect((await app.anonymous().fetch('/setup')).headers.get('location')).toBe('/');
    for (const body of [first(), {}, { ...first(), code: 'AAAA' }]) expect((await setUp(body)).status).toBe(404);
    expect((await app.anonymous().fetch('/setup', form(first()))).status).toBe(404);
    expect(await issueSetupCode(app.ctx)).toBeUndefined();
    expect(await count('users')).toBe(1);
  });
});

describe('hostile texts', () => {
  test.each([
    ['markup', '<script>alert(1)</script>'],
    ['SQL', "Robert'); drop table users; --"],
    ['a template', '{{7*7}}%s%n<%= 7 %>'],
    ['unicode', 'Zoë 😀 \u202e مرحبا'],
    ['the longest', 'n'.repeat(255)],
  ])('%s is a name like any other', async (_, text) => {
    const client = app.anonymous();
    expect((await client.json('POST', '/setup', { ...first(), name: text, org_name: text })).status).toBe(200);
    const { user } = await client.get(sessionApi.get);
    expect(user).toMatchObject({ name: text });
    expect(await organizationName(app.ctx)).toBe(text);
    expect((await client.get(usersApi.list)).count).toBe(1);
  });

  test.each([
    ['300 characters', { org_name: 'n'.repeat(300) }],
    ['321 characters', { name: 'n'.repeat(321) }],
    ['U+0000', { name: 'a\u0000b' }],
    ['only spaces', { name: '   ' }],
    ['no organisation', { org_name: '' }],
    ['a number', { name: 5 }],
    ['no address', { email: 'ada' }],
    ['two addresses', { email: 'a@b.c,d@e.f' }],
    ['an address with a name', { email: 'Ada <ada@example.com>' }],
    ['two lines', { email: 'a@b.c\r\nBcc: d@e.f' }],
    ['a short password', { password: '12345' }],
    ['a very long password', { password: 'p'.repeat(1025) }],
  ])('%s is a 400 with a reason, and nobody is created', async (_, change) => {
    const answer = await setUp({ ...first(), ...change });
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 400, body: { message: expect.any(String) } });
    expect(await count('users')).toBe(0);
  });

  test('the page gives back what was typed, escaped, and never the password', async () => {
    const page = await app.anonymous().fetch('/setup', form({ ...first(), code: '"><b>', name: '<i>x</i>', password: 'my-secret-word' }));
    const text = await page.text();
    expect(text).not.toMatch(/<b>|<i>|my-secret-word/);
    expect(text).toContain('&lt;i&gt;x&lt;/i&gt;');
  });
});
