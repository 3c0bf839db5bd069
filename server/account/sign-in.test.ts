import { eventsApi } from '@telltale/domain/events/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { hostileNexts } from '@telltale/domain/session/safe-next.vectors.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const user = await app.make.user({ email: 'ann@example.com' });
const right = { email: user.email, password: user.password };
const wrongText = 'Wrong email or password.';

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const cookieLine = (response: Response, name: string) => response.headers.getSetCookie().find((line) => line.startsWith(`${name}=`)) ?? '';

describe('signing in (design 6 and 8)', () => {
  test('JSON answers 200 and a session that works', async () => {
    const client = app.anonymous();
    const response = await client.json('POST', '/login', right);
    expect(response.status).toBe(200);
    expect((await client.get(sessionApi.get)).user).toMatchObject({ id: user.id, email: user.email });
  });

  test('a form is answered by a redirect', async () => {
    const client = app.anonymous();
    const response = await client.fetch('/login?next=%2Fqueries%2F1', form({ ...right, remember: 'on' }));
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/queries/1');
    expect((await client.call(sessionApi.get)).status).toBe(200);
  });

  test('server-behaviour 3.1: the e-mail is found in any case and with spaces around it', async () => {
    expect((await app.anonymous().json('POST', '/login', { ...right, email: ' ANN@Example.COM ' })).status).toBe(200);
  });

  test.each([
    ['a wrong password', { ...right, password: 'wrong' }],
    ['an unknown account', { email: 'nobody@example.com', password: user.password }],
    ['no password', { email: user.email }],
    ['nothing', {}],
    ['an empty password', { ...right, password: '' }],
    ['the password in another case', { ...right, password: user.password.toUpperCase() }],
    ['SQL', { email: "' or 1=1 --", password: "' or 1=1 --" }],
    ['a pattern', { email: '%', password: '%' }],
  ])('%s gets the one text, 400 as JSON and on the page', async (_, body) => {
    const client = app.anonymous();
    const answer = await client.json('POST', '/login', body);
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 400, body: { message: wrongText } });
    const page = await client.fetch('/login', form(body as Record<string, string>));
    expect(page.status).toBe(400);
    expect(await page.text()).toContain(wrongText);
    expect(client.cookies.size).toBe(0);
  });

  test('server-behaviour 3.1: disabled and invited people get the same text, even with the right password', async () => {
    const [disabled, invited] = [await app.make.user(), await app.make.user({ pending: true })];
    await app.as(app.admin).json('POST', `/api/users/${disabled.id}/disable`);
    for (const person of [disabled, invited]) {
      const answer = await app.anonymous().json('POST', '/login', person);
      expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 400, body: { message: wrongText } });
    }
  });

  test('what was typed comes back as text, never as markup', async () => {
    const email = '"><script>alert(1)</script>';
    const page = await (await app.anonymous().fetch('/login', form({ email, password: 'x' }))).text();
    expect(page).not.toContain('<script>');
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
  });

  test('server-behaviour 23.4: a sign-in is recorded with who and from where', async () => {
    await app.signedIn(user);
    const [event] = (await app.as(app.admin).get(eventsApi.list)).results;
    expect(event).toMatchObject({ action: 'login', object_type: 'redash', user_id: user.id, location: '127.0.0.1' });
  });

  test('a browser that is signed in already may sign in again, as itself or as somebody else', async () => {
    const client = await app.signedIn(app.admin);
    expect((await client.fetch('/login', form(right))).status).toBe(302);
    expect((await client.get(sessionApi.get)).user).toMatchObject({ id: user.id });
    expect((await client.fetch('/login?next=/alerts')).headers.get('location')).toBe('/alerts');
  });

  test('22: with password login off nobody signs in, and the page says why', async () => {
    const { sql } = await import('kysely');
    await sql`update organizations set settings = '{"auth_password_login_enabled": false}'`.execute(app.ctx.db);
    const answer = await app.anonymous().json('POST', '/login', right);
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 400,
      body: { message: 'Password login is not enabled for your organization.' },
    });
    expect(await (await app.anonymous().fetch('/login')).text()).toContain('Password login is not enabled');
    expect((await app.anonymous().fetch('/forgot')).status).toBe(404);
    expect((await app.anonymous().json('POST', '/forgot', { email: user.email })).status).toBe(404);
    await app.as(app.admin).get(organizationApi.saveSettings, { body: { auth_password_login_enabled: null } });
    expect((await app.anonymous().json('POST', '/login', right)).status).toBe(200);
  });
});

describe('the cookies (server-behaviour 2, security 15 and 35)', () => {
  test('the session is out of reach of scripts, the CSRF token is not; neither crosses sites', async () => {
    const response = await app.anonymous().signIn(right.email, right.password);
    const [session, csrf] = [cookieLine(response, 'session'), cookieLine(response, 'csrf_token')];
    expect(session).toMatch(/^session=[A-Za-z0-9]{43}; /);
    expect(session).toMatch(/HttpOnly/i);
    expect(csrf).not.toMatch(/HttpOnly/i);
    for (const line of [session, csrf]) {
      expect(line).toMatch(/SameSite=Lax/i);
      expect(line).toMatch(/Path=\//i);
      expect(line).not.toMatch(/Max-Age|Expires|Domain/i);
    }
  });

  test.each([true, 'on', 'true', 1])('remember %j keeps both for 31 days', async (remember) => {
    const response = await app.anonymous().json('POST', '/login', { ...right, remember: remember === 1 ? 'on' : remember });
    expect(cookieLine(response, 'session')).toMatch(/Max-Age=2678400/);
    expect(cookieLine(response, 'csrf_token')).toMatch(/Max-Age=2678400/);
  });

  test.each([false, null, ''])('remember %j does not', async (remember) => {
    const response = await app.anonymous().json('POST', '/login', { ...right, remember });
    expect(cookieLine(response, 'session')).not.toMatch(/Max-Age/);
  });

  test('each sign-in has a cookie of its own: nobody can plant one beforehand', async () => {
    const client = app.anonymous();
    client.cookies.set('session', 'A'.repeat(43));
    await client.json('POST', '/login', right);
    expect(client.cookies.get('session')).not.toBe('A'.repeat(43));
    expect((await app.signedIn(user)).cookies.get('session')).not.toBe(client.cookies.get('session'));
  });
});

describe('server-behaviour 27.7 and security 14: where it goes afterwards', () => {
  test.each([
    ['queries', '/queries'],
    ['https://x.io', '/'],
    ['//x.io', '/'],
    ['//localhost/queries', '/queries'],
    ['/\\evil.com', '/'],
    ['', '/'],
    ['/queries/日本?x=ü#é', '/queries/%E6%97%A5%E6%9C%AC?x=%C3%BC#%C3%A9'],
  ])('next=%s → %s', async (next, expected) => {
    const response = await app.anonymous().fetch(`/login?next=${encodeURIComponent(next)}`, form(right));
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({ status: 302, location: expected });
  });

  test('none of the hostile shapes leads off the site, through the redirect or the page', async () => {
    const browser = await app.signedIn(user);
    for (const shape of hostileNexts.filter((next) => next.isWellFormed() && next.length < 4000)) {
      const asked = `/login?next=${encodeURIComponent(shape)}`;
      const location = (await browser.fetch(asked)).headers.get('location') ?? '';
      expect([shape, location.startsWith('/'), new URL(location, app.origin).origin]).toEqual([shape, true, app.origin]);
      expect(location).not.toMatch(/^\/[/\\]/);
      const [, kept = ''] = /action="\/login\?next=([^"]*)"/.exec(await (await app.anonymous().fetch(asked)).text()) ?? [];
      expect(new URL(decodeURIComponent(kept), app.origin).origin).toBe(app.origin);
    }
  });

  test('next given twice is none', async () => {
    const browser = await app.signedIn(user);
    expect((await browser.fetch('/login?next=/a&next=//evil.com')).headers.get('location')).toBe('/');
    expect((await app.anonymous().fetch('/login?next=/a&next=/b')).status).toBe(200);
  });

  test('next on its way out is of no use to anybody', async () => {
    const response = await (await app.signedIn(user)).fetch('/logout?next=https://evil.com');
    expect(response.headers.get('location')).toBe('/login');
  });
});
