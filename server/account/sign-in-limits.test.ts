import { eventsApi } from '@telltale/domain/events/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { isPassword } from '../session/passwords.ts';
import { testApp } from '../testing/test-app.ts';

/** The app trusts a proxy, so that a test can use any client address. */
const app = await testApp({ env: { TELLTALE_TRUST_PROXY: '127.0.0.1' } });
const from = (address: string) => ({ 'x-forwarded-for': address });
const signIn = async (email: string, password: string, address: string) =>
  (await app.anonymous().json('POST', '/login', { email, password }, from(address))).status;
const many = <T>(count: number, make: (i: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, i) => make(i)));
const countOf = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

describe('design 8: sign-in limits', () => {
  test('ten failures close the door for this account from this address, the right password included', async () => {
    const user = await app.make.user();
    for (let i = 0; i < 10; i++) expect(await signIn(user.email, 'wrong', '10.0.0.1')).toBe(400);
    const answer = await app.anonymous().json('POST', '/login', user, from('10.0.0.1'));
    expect(answer.status).toBe(429);
    expect(await answer.json()).toEqual({ message: expect.stringMatching(/too many failed attempts.*15 minutes/i) });
    const page = await app.anonymous().fetch('/login', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...from('10.0.0.1') },
      body: new URLSearchParams({ email: user.email, password: user.password }).toString(),
    });
    expect(page.status).toBe(429);
    expect(await page.text()).toContain('Too many failed attempts');
  });

  test('a burst of thirty at once is tried ten times and no more', async () => {
    const user = await app.make.user();
    const statuses = await many(30, () => signIn(user.email, 'wrong', '10.0.0.2'));
    expect([countOf(statuses, 400), countOf(statuses, 429)]).toEqual([10, 20]);
  });

  test('another address and another account are not locked', async () => {
    const [user, other] = [await app.make.user(), await app.make.user()];
    await many(12, () => signIn(user.email, 'wrong', '10.0.0.3'));
    expect(await signIn(user.email, user.password, '10.0.0.3')).toBe(429);
    expect(await signIn(user.email, user.password, '10.0.0.4')).toBe(200);
    expect(await signIn(other.email, other.password, '10.0.0.3')).toBe(200);
  });

  test('another address of the same IPv6 network is the same door', async () => {
    const user = await app.make.user();
    await many(12, (i) => signIn(user.email, 'wrong', `2001:db8:0:1::${i.toString(16)}`));
    expect(await signIn(user.email, user.password, '2001:db8:0:1:ffff::1')).toBe(429);
    expect(await signIn(user.email, user.password, '2001:db8:0:2::1')).toBe(200);
  });

  test('another spelling of the account is the same account', async () => {
    const user = await app.make.user();
    const spellings = [user.email, user.email.toUpperCase(), ` ${user.email}`, `${user.email}\t`];
    await many(12, (i) => signIn(spellings[i % 4] ?? '', 'wrong', '10.0.0.5'));
    expect(await signIn(user.email, user.password, '10.0.0.5')).toBe(429);
  });

  test('only failures count: a success begins anew, and successes alone never lock', async () => {
    const user = await app.make.user();
    for (let round = 0; round < 2; round++) {
      await many(6, () => signIn(user.email, 'wrong', '10.0.0.6'));
      expect(await signIn(user.email, user.password, '10.0.0.6')).toBe(200);
    }
    const statuses = await many(15, () => signIn(user.email, user.password, '10.0.0.6'));
    expect(countOf(statuses, 200)).toBe(15);
  });

  test('after a quarter of an hour the door is open again', async () => {
    const user = await app.make.user();
    await many(12, () => signIn(user.email, 'wrong', '10.0.0.7'));
    await sql`update attempts set window_ends_at = now() - interval '1 second' where key like 'sign-in pair%'`.execute(app.ctx.db);
    expect(await signIn(user.email, user.password, '10.0.0.7')).toBe(200);
  });

  test('above a hundred failures an account is slowed down, but its right password is never refused', async () => {
    const user = await app.make.user();
    await signIn(user.email, 'wrong', '10.0.0.8');
    await sql`update attempts set count = 109 where key = (select key from attempts where key like 'sign-in account%' order by window_ends_at desc limit 1)`.execute(
      app.ctx.db,
    );
    const startedAt = performance.now();
    expect(await signIn(user.email, user.password, '10.9.9.9')).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(450);
  });

  test('refused sign-ins neither slow the account down for others nor fill the address', async () => {
    const user = await app.make.user();
    await many(60, () => signIn(user.email, 'wrong', '10.0.0.12'));
    const { rows } = await sql<{
      count: number;
    }>`select count from attempts where key like 'sign-in account%' order by window_ends_at desc limit 1`.execute(app.ctx.db);
    expect(rows[0]?.count).toBe(10);
  });

  test('after a thousand failures from one address wrong passwords are refused for an hour, right ones only wait', async () => {
    const user = await app.make.user();
    await signIn('nobody@example.com', 'wrong', '10.0.0.9');
    await sql`update attempts set count = 1000 where key = (select key from attempts where key like 'sign-in address%' order by window_ends_at desc limit 1)`.execute(
      app.ctx.db,
    );
    expect(await signIn(user.email, 'wrong', '10.0.0.9')).toBe(429);
    expect(await signIn(user.email, user.password, '10.0.0.9')).toBe(200);
    expect(await signIn(user.email, user.password, '10.0.0.10')).toBe(200);
  });

  test('unknown accounts are limited like known ones, so the limit does not reveal accounts', async () => {
    const statuses = await many(12, () => signIn('ghost@example.com', 'wrong', '10.0.0.11'));
    expect([countOf(statuses, 400), countOf(statuses, 429)]).toEqual([10, 2]);
  });
});

describe('server-behaviour 21.2: the current password of a change is no way round the limits', () => {
  test('ten wrong ones, then none is tried for a while', async () => {
    const user = await app.make.user();
    const change = async (old_password: string) =>
      (await app.as(user).json('POST', `/api/users/${user.id}`, { password: 'something new', old_password })).status;
    const statuses = await many(12, () => change('wrong'));
    expect([countOf(statuses, 403), countOf(statuses, 429)]).toEqual([10, 2]);
    expect(await change(user.password)).toBe(429);
    expect(await signIn(user.email, user.password, '10.0.1.1')).toBe(200);
  });
});

describe('X-Forwarded-For', () => {
  test('is the address behind a trusted proxy, and the last untrusted hop of a chain', async () => {
    await app.anonymous().json('POST', '/login', app.admin, from('6.6.6.6, 10.1.2.3'));
    const [event] = (await app.as(app.admin).get(eventsApi.list)).results;
    expect(event?.location).toBe('10.1.2.3');
  });
});

describe('security 32: a flood of sign-ins, which needs no account', () => {
  test('waits in a bounded line; beyond it the answer is 503 with a time to come back, and later the right password is taken', async () => {
    const user = await app.make.user();
    const hash = (passes: number) => `argon2id$19456$${passes}$1$${'a'.repeat(22)}$${'a'.repeat(43)}`;
    // Two that take long, and a full line behind them.
    const line = [400, 400, ...Array.from({ length: 100 }, () => 1)].map((passes) => isPassword('wrong', hash(passes)));
    for (const email of [user.email, 'nobody@example.com']) {
      const refused = await app.anonymous().json('POST', '/login', { email, password: user.password }, from('10.0.0.40'));
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
      expect(await refused.json()).toEqual({ message: expect.stringMatching(/too many people are signing in/i) });
    }
    expect(new Set(await Promise.all(line))).toEqual(new Set([false]));
    expect(await signIn(user.email, user.password, '10.0.0.40')).toBe(200);
  });
});
