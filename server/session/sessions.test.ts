import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { TestClient } from '../testing/client.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

const app = await testApp();
const admin = app.as(app.admin);

/** A second client with the same cookies. */
function copyOf(client: TestClient): TestClient {
  const copy = new TestClient(app.origin);
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
}
const isAlive = async (client: TestClient) => (await client.call(sessionApi.get)).status === 200;
const lastSession = async () =>
  (
    await sql<{ id: number; days: number; hours: number }>`
      select id, extract(epoch from expires_at - now())::float / 86400 as days, extract(epoch from expires_at - now())::float / 3600 as hours
      from sessions order by id desc limit 1`.execute(app.ctx.db)
  ).rows[0] ?? { id: 0, days: 0, hours: 0 };

describe('an ended session refuses its old cookie (security 35)', () => {
  test('on GET /logout', async () => {
    const client = await app.signedIn(await app.make.user());
    const kept = copyOf(client);
    const response = await client.fetch('/logout');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/login']);
    expect(client.cookies.size).toBe(0);
    expect(await isAlive(kept)).toBe(false);
  });

  test('on POST /console/api/auth/logout, which answers {}', async () => {
    const client = await app.signedIn(await app.make.user());
    const kept = copyOf(client);
    expect((await client.call(sessionApi.logout)).body).toEqual({});
    expect(client.cookies.size).toBe(0);
    expect(await isAlive(kept)).toBe(false);
    expect((await client.call(sessionApi.logout)).status).toBe(200);
  });

  test('signing out ends this session and no other', async () => {
    const user = await app.make.user();
    const [first, second] = [await app.signedIn(user), await app.signedIn(user)];
    await first.fetch('/logout');
    expect(await isAlive(second)).toBe(true);
  });

  test('on a change of password: all of them, while the one that changed it goes on under a new cookie', async () => {
    const user = await app.make.user();
    const [own, other] = [await app.signedIn(user), await app.signedIn(user)];
    const stolen = copyOf(own);
    const reply = await own.call(usersApi.save, {
      params: { id: user.id },
      body: { password: 'another good one', old_password: user.password },
    });
    expect(reply.status).toBe(200);
    expect([await isAlive(own), await isAlive(other), await isAlive(stolen)]).toEqual([true, false, false]);
    expect((await own.call(usersApi.save, { params: { id: user.id }, body: { name: 'Still me' } })).status).toBe(200);
  });

  test('on a change of password, also of a sign-in that was under way with the old one', async () => {
    const user = await app.make.user();
    const thief = app.anonymous();
    let late: Promise<Response> | undefined;
    await app.ctx.transaction(async (tx) => {
      await sql`update users set password_hash = 'argon2id$changed' where id = ${user.id}`.execute(tx.db);
      await sql`delete from sessions where user_id = ${user.id}`.execute(tx.db);
      late = thief.signIn(user.email, user.password);
      // Long enough for the old password to be verified.
      await new Promise((resolve) => setTimeout(resolve, 600));
    });
    expect((await late)?.status).toBe(400);
    expect(thief.cookies.size).toBe(0);
    const { rows } = await sql`select from sessions where user_id = ${user.id}`.execute(app.ctx.db);
    expect(rows).toEqual([]);
  });

  test('on a change of e-mail, by themselves or by an administrator', async () => {
    const user = await app.make.user();
    const client = await app.signedIn(user);
    await admin.get(usersApi.save, { params: { id: user.id }, body: { email: 'moved@example.com', old_password: app.admin.password } });
    expect(await isAlive(client)).toBe(false);
  });

  test('a remembered session stays remembered when its password changes', async () => {
    const user = await app.make.user();
    const client = app.anonymous();
    await client.signIn(user.email, user.password, true);
    await client.get(usersApi.save, { params: { id: user.id }, body: { password: 'another good one', old_password: user.password } });
    expect((await lastSession()).days).toBeGreaterThan(30);
  });

  test('on being disabled, at once, and it does not come back with the account', async () => {
    const user = await app.make.user();
    const client = await app.signedIn(user);
    await admin.get(usersApi.disable, { params: { id: user.id } });
    expect(await isAlive(client)).toBe(false);
    await admin.get(usersApi.enable, { params: { id: user.id } });
    expect(await isAlive(client)).toBe(false);
  });

  test('a change of role acts on the next request', async () => {
    const user = await app.make.user({ groups: ['admin', 'default'] });
    const client = await app.signedIn(user);
    expect((await client.call(usersApi.list)).status).toBe(200);
    await admin.get(usersApi.save, { params: { id: user.id }, body: { group_ids: [(await app.make.group({ permissions: [] })).id] } });
    expect((await client.call(usersApi.list)).status).toBe(403);
  });
});

describe('how long it lasts (server-behaviour 2)', () => {
  const expire = (id: number) => sql`update sessions set expires_at = now() - interval '1 second' where id = ${id}`.execute(app.ctx.db);
  /** Makes a session look as if it was last used some hours ago. */
  const age = (id: number) =>
    sql`update sessions set seen_at = now() - interval '5 hours', expires_at = now() + interval '1 hour' where id = ${id}`.execute(
      app.ctx.db,
    );
  const settle = (hours: number) => until(lastSession, (last) => last.hours >= hours);

  test('six hours, 31 days when asked to remember, and not a second more', async () => {
    const user = await app.make.user();
    const client = await app.signedIn(user);
    const { id, hours } = await lastSession();
    expect(hours).toBeCloseTo(6, 1);
    await expire(id);
    expect(await isAlive(client)).toBe(false);
    await client.signIn(user.email, user.password, true);
    expect((await lastSession()).days).toBeCloseTo(31, 1);
  });

  test('each use begins the six hours anew', async () => {
    const client = await app.signedIn(await app.make.user());
    const { id } = await lastSession();
    await age(id);
    expect(await isAlive(client)).toBe(true);
    await settle(5.9);
    expect((await lastSession()).hours).toBeCloseTo(6, 1);
  });

  test('a session that is used lives on, however busy the same person is elsewhere', async () => {
    const user = await app.make.user();
    const wall = await app.signedIn(user);
    await age((await lastSession()).id);
    expect(await isAlive(wall)).toBe(true);
    const desk = await app.signedIn(user);
    await app.as(user).get(sessionApi.get);
    await age((await lastSession()).id);
    expect(await isAlive(desk)).toBe(true);
    await settle(5.9);
    expect((await lastSession()).hours).toBeCloseTo(6, 1);
  });

  test('server-behaviour 21.1: who signs in is active at once', async () => {
    const user = await app.make.user();
    const begun = Date.now();
    await app.signedIn(user);
    const { active_at } = await admin.get(usersApi.get, { params: { id: user.id } });
    expect(Date.parse(active_at ?? '')).toBeGreaterThanOrEqual(begun);
  });

  test('server-behaviour 21.1: being there is noted as active_at', async () => {
    const user = await app.make.user();
    const begun = Date.now();
    await app.as(user).get(sessionApi.get);
    const active_at = await until(
      async () => (await admin.get(usersApi.get, { params: { id: user.id } })).active_at,
      (active) => active !== null,
    );
    expect(Date.parse(active_at ?? '')).toBeGreaterThanOrEqual(begun);
  });
});

describe('what cannot be a session', () => {
  test.each([
    ['garbage', 'garbage'],
    ['an empty value', '""'],
    ['SQL', "'%20or%201=1--"],
    ['a broken escape', '%E0%A4%A'],
    ['a NUL', '%00'],
    ['a number', '1'],
    ['8 KB', 'a'.repeat(8000)],
    ['a prototype', '__proto__'],
  ])('%s is nobody, not a failure', async (_, value) => {
    const response = await app.anonymous().fetch('/api/session', { headers: { cookie: `session=${value}; __proto__=x; constructor=y` } });
    expect(response.status).toBe(404);
  });

  test('the stored hash is not the cookie: a copy of the database opens nothing', async () => {
    const client = await app.signedIn(await app.make.user());
    const { rows } = await sql<{
      text: string;
      hash: string;
    }>`select sessions::text as text, encode(token_hash, 'hex') as hash from sessions order by id desc limit 1`.execute(app.ctx.db);
    expect(rows[0]?.text).not.toContain(client.cookies.get('session'));
    const thief = app.anonymous();
    thief.cookies.set('session', rows[0]?.hash ?? '');
    expect(await isAlive(thief)).toBe(false);
  });
});
