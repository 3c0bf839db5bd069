import { auditApi } from '@telltale/domain/audit/contract.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { factorsApi } from '@telltale/domain/users/factors-contract.ts';
import { userSessionsApi } from '@telltale/domain/users/sessions-contract.ts';
import { describe, expect, test } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { totpOf } from './second-factor.ts';
import { attackedApp, form } from './testing/attacked-app.ts';

const { admin, app, save, smtp } = await attackedApp();

const isIn = async (client: TestClient) => (await client.call(sessionApi.get)).status === 200;

describe('sessions', () => {
  test('a session that was there before the sign-in is not taken over (fixation)', async () => {
    const user = await app.make.user();
    const client = app.anonymous();
    client.cookies.set('session', 'x'.repeat(43));
    client.cookies.set('sign_in', 'y'.repeat(43));
    await client.signIn(user.email, user.password);
    const first = client.cookies.get('session');
    expect(first).not.toBe('x'.repeat(43));
    await client.signIn(user.email, user.password);
    expect(client.cookies.get('session')).not.toBe(first);
  });

  test('one browser can be signed out from another, all others at once, and by nobody else', async () => {
    const user = await app.make.user();
    const [here, there, far] = [await app.signedIn(user), await app.signedIn(user), await app.signedIn(user)];
    const list = await here.get(userSessionsApi.list, { params: { id: user.id } });
    expect(list).toHaveLength(3);
    expect(list.filter((session) => session.is_current)).toHaveLength(1);
    const [other] = (await there.get(userSessionsApi.list, { params: { id: user.id } })).filter((session) => session.is_current);
    const stranger = await app.signedIn(await app.make.user());
    const revoke = { params: { id: user.id, sessionId: other?.id ?? 0 } };
    expect((await stranger.call(userSessionsApi.revoke, revoke)).status).toBe(403);
    // Combining one's own account id with another user's session id fails as well.
    const own = (await stranger.get(sessionApi.get)).user as { id: number };
    expect((await stranger.call(userSessionsApi.revoke, { params: { ...revoke.params, id: own.id } })).status).toBe(404);
    expect((await here.call(userSessionsApi.revoke, revoke)).status).toBe(200);
    expect([await isIn(here), await isIn(there), await isIn(far)]).toEqual([true, false, true]);
    expect((await here.call(userSessionsApi.revokeOthers, { params: { id: user.id } })).status).toBe(200);
    expect([await isIn(here), await isIn(far)]).toEqual([true, false]);
  });

  test('a disabled user is out at the next request: cookie, key, access token and open links', async () => {
    const user = await app.make.user();
    const client = await app.signedIn(user);
    const { access_token } = await client.get(sessionApi.token);
    await admin.get(usersApi.disable, { params: { id: user.id } });
    expect(await isIn(client)).toBe(false);
    expect(await isIn(app.as(user))).toBe(false);
    expect((await app.anonymous().fetch('/api/session', { headers: { authorization: `Bearer ${access_token}` } })).status).toBe(404);
    expect(await (await app.anonymous().signIn(user.email, user.password)).json()).toEqual({ message: 'Wrong email or password.' });
  });

  test('two administrators who disable each other at the same moment leave one', async () => {
    const [one, two] = [await app.make.user({ groups: ['admin'] }), await app.make.user({ groups: ['admin'] })];
    await Promise.all([
      admin.call(usersApi.disable, { params: { id: one.id } }),
      app.as(one).call(usersApi.disable, { params: { id: two.id } }),
      app.as(two).call(usersApi.disable, { params: { id: app.admin.id } }),
      app.as(one).call(usersApi.disable, { params: { id: app.admin.id } }),
    ]);
    const left = await Promise.all([app.admin, one, two].map(async (user) => isIn(app.as(user))));
    expect(left).toContain(true);
    // The tests below need the first administrator enabled again.
    const survivor = [app.admin, one, two][left.indexOf(true)];
    if (survivor) await app.as(survivor).call(usersApi.enable, { params: { id: app.admin.id } });
    expect(await isIn(admin)).toBe(true);
  });
});

describe('links', () => {
  const linkIn = (text: string) => /https:\/\/console\.example\.com(\/reset\/\w+)/.exec(text)?.[1] ?? '';

  test('a reset link works once, dies with the password, and never carries the host of a request', async () => {
    const user = await app.make.user();
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    await app.anonymous().json('POST', '/forgot', { email: user.email }, forged);
    const [letter] = await smtp.lettersTo(user.email);
    expect(letter?.text).not.toContain('evil.example');
    const link = linkIn(letter?.text ?? '');
    expect((await app.anonymous().json('POST', link, { password: 'a new password' })).status).toBe(200);
    expect((await app.anonymous().json('POST', link, { password: 'a third password' })).status).toBe(400);
    expect((await app.anonymous().signIn(user.email, 'a new password')).status).toBe(200);
  });

  test('security 16: who signs in by a provider is sent no reset', async () => {
    const user = await app.make.user({ email: 'external@example.com' });
    await app.ctx.db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute();
    const witness = await app.make.user();
    for (const email of [user.email, witness.email]) expect((await app.anonymous().json('POST', '/forgot', { email })).status).toBe(200);
    await smtp.lettersTo(witness.email);
    expect(smtp.letters.filter((letter) => letter.to.includes(user.email))).toEqual([]);
  });
});

describe('password login is off', () => {
  test('no link sets a password any more, and an invitation leads to the provider', async () => {
    const invited = await app.make.user({ pending: true });
    await admin.get(usersApi.invite, { params: { id: invited.id } });
    const [letter] = await smtp.lettersTo(invited.email);
    const [, link = ''] = /https:\/\/console\.example\.com(\/invite\/\w+)/.exec(letter?.text ?? '') ?? [];
    const saml = { auth_saml_enabled: true, auth_saml_metadata_url: 'https://idp.example.com/metadata' };
    await save({ ...saml, auth_password_login_enabled: false });
    const page = await (await app.anonymous().fetch(link)).text();
    expect(page).toContain('SAML Login');
    expect(page).not.toContain('name="password"');
    expect((await app.anonymous().json('POST', link, { password: 'long enough' })).status).toBe(400);
    expect((await app.anonymous().fetch('/forgot')).status).toBe(404);
    expect((await app.anonymous().json('POST', '/passkey/options', {})).status).toBe(404);
    expect((await admin.call(usersApi.resetPassword, { params: { id: app.admin.id } })).status).toBe(400);
    await save({ auth_saml_enabled: false, auth_password_login_enabled: true });
  });
});

describe('redirects', () => {
  test.each([
    'https://evil.example/', '//evil.example', '///evil.example', '/\\evil.example', '\\\\evil.example', '/%09/evil.example',
    'https:evil.example', 'javascript:alert(1)', 'data:text/html,x', '/\t/evil.example', 'http:///evil.example', '/x//evil.example',
  ])('next=%j stays on this site, at every way in (security 14)', async (next) => {
    const user = await app.make.user();
    const client = app.anonymous();
    const reply = await client.fetch(`/login?next=${encodeURIComponent(next)}`, form({ email: user.email, password: user.password }));
    const location = reply.headers.get('location') ?? '';
    expect(reply.status).toBe(302);
    expect(new URL(location, app.origin).origin).toBe(app.origin);
    expect(location).not.toMatch(/^[/\\]{2}/);
    const again = await client.fetch(`/login?next=${encodeURIComponent(next)}`);
    expect(new URL(again.headers.get('location') ?? '', app.origin).origin).toBe(app.origin);
  }); // biome-ignore format: a list
});

describe('guessing', () => {
  test('ten wrong passwords close the door for this address only: the owner comes in from elsewhere', async () => {
    const user = await app.make.user();
    const guess = (headers: Record<string, string> = {}) =>
      app.anonymous().json('POST', '/login', { email: user.email, password: 'wrong' }, headers);
    for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
    // A forwarded header from an untrusted proxy does not change the address.
    expect((await guess({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(429);
    const counted = await app.ctx.db.selectFrom('attempts').select('count').where('key', 'like', 'sign-in account %').execute();
    expect(counted.length).toBeGreaterThan(0);
  });

  test('the answer does not say whether an account is there, disabled or without a password', async () => {
    const [known, disabled, pending] = [await app.make.user(), await app.make.user(), await app.make.user({ pending: true })];
    await admin.get(usersApi.disable, { params: { id: disabled.id } });
    const answers = await Promise.all(
      [known.email, disabled.email, pending.email, 'nobody@example.com'].map(async (email) => {
        const reply = await app.anonymous().signIn(email, 'wrong password');
        return [reply.status, await reply.text()];
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('an unknown account costs as much time as a known one: both derive a key', async () => {
    const known = await app.make.user();
    const timed = async (email: string) => {
      const begun = performance.now();
      await app.anonymous().signIn(email, 'wrong password');
      return performance.now() - begun;
    };
    const rounds: (readonly [number, number])[] = [];
    for (let n = 0; n < 4; n++) rounds.push([await timed(known.email), await timed(`nobody-${n}@example.com`)] as const);
    const best = (at: 0 | 1) => Math.min(...rounds.map((round) => round[at]));
    expect(best(1)).toBeGreaterThan(best(0) / 3);
  });
});

describe('second factor', () => {
  /** An account with the second factor on, and its secret. */
  const enrolled = async () => {
    const user = await app.make.user();
    const client = await app.signedIn(user);
    const { secret = '' } = await client.get(factorsApi.saveTotp, { params: { id: user.id }, body: {} });
    // The test enrols with the code of the previous step, because the sign-in needs the current one.
    const code = totpOf(secret).generate({ timestamp: Date.now() - 30_000 });
    const { recovery_codes = [] } = await client.get(factorsApi.saveTotp, { params: { id: user.id }, body: { code } });
    return { user, client, secret, recovery_codes };
  };
  const login = (client: TestClient, body: object) => client.json('POST', '/login', body);

  test('without its code the right password is not enough, and the code works once', async () => {
    const { user, secret } = await enrolled();
    const { email, password } = user;
    const client = app.anonymous();
    const asked = await login(client, { email, password });
    expect([asked.status, await asked.json()]).toMatchObject([400, { second_factor: true }]);
    expect(client.cookies.has('session')).toBe(false);
    const code = totpOf(secret).generate();
    expect((await login(app.anonymous(), { email, password, code: code === '000000' ? '000001' : '000000' })).status).toBe(400);
    expect((await login(client, { email, password, code })).status).toBe(200);
    expect((await login(app.anonymous(), { email, password, code })).status).toBe(400);
  });

  test('a wrong code stands in the audit log with the account', async () => {
    const { user } = await enrolled();
    await login(app.anonymous(), { email: user.email, password: user.password, code: '000000' });
    const { results } = await admin.get(auditApi.list, { query: { action: 'login failed' } });
    expect(results[0]).toMatchObject({ user: { id: user.id, email: user.email }, details: { method: 'second factor' } });
  });

  test('the page asks for the code alone, in the browser that knew the password', async () => {
    const { user, secret } = await enrolled();
    const client = app.anonymous();
    const page = await client.fetch('/login?next=/alerts', form({ email: user.email, password: user.password }));
    const [, ticket = ''] = /name="ticket" value="(\w+)"/.exec(await page.text()) ?? [];
    const code = totpOf(secret).generate();
    expect((await app.anonymous().fetch('/login', form({ ticket, code }))).status).toBe(400);
    expect((await client.fetch('/login', form({ ticket, code: '12' }))).status).toBe(400);
    const end = await client.fetch('/login?next=/alerts', form({ ticket, code }));
    expect([end.status, end.headers.get('location')]).toEqual([302, '/alerts']);
    expect(
      (await client.fetch('/login', form({ ticket, code: totpOf(secret).generate({ timestamp: Date.now() + 30_000 }) }))).status,
    ).not.toBe(302);
  });

  test('a recovery code works once, also where codes were guessed too often; a reset does not go round the factor', async () => {
    const { user, recovery_codes } = await enrolled();
    const { email, password } = user;
    expect(recovery_codes).toHaveLength(10);
    const [code = ''] = recovery_codes;
    expect((await login(app.anonymous(), { email, password, code: code.toLowerCase() })).status).toBe(200);
    expect((await login(app.anonymous(), { email, password, code })).status).toBe(400);
    await admin.get(usersApi.resetPassword, { params: { id: user.id } });
    const [letter] = await smtp.lettersTo(email);
    const [, link = ''] = /https:\/\/console\.example\.com(\/reset\/\w+)/.exec(letter?.text ?? '') ?? [];
    const client = app.anonymous();
    expect((await client.json('POST', link, { password: 'a new password' })).status).toBe(200);
    expect(client.cookies.has('session')).toBe(false);
  });

  test('nobody turns it on or off for somebody else or by a key; an administrator takes a lost one away', async () => {
    const { user, client } = await enrolled();
    const params = { id: user.id };
    const stranger = await app.signedIn(await app.make.user());
    expect((await stranger.call(factorsApi.removeTotp, { params, body: {} })).status).toBe(403);
    expect((await app.as(user).call(factorsApi.removeTotp, { params, body: {} })).status).toBe(403);
    expect((await app.as(user).call(factorsApi.saveTotp, { params, body: {} })).status).toBe(403);
    expect((await client.call(factorsApi.saveTotp, { params, body: {} })).status).toBe(409);
    expect((await client.get(factorsApi.totp, { params })).is_enabled).toBe(true);
    expect((await (await app.signedIn(app.admin)).call(factorsApi.removeTotp, { params, body: {} })).status).toBe(200);
    expect((await app.anonymous().signIn(user.email, user.password)).status).toBe(200);
  });
});

describe('passkeys', () => {
  test('a key alone removes none, neither of its owner nor of somebody else', async () => {
    const user = await app.make.user();
    const { id: passkeyId } = await app.ctx.db
      .insertInto('passkeys')
      .values({ user_id: user.id, credential_id: 'c', public_key: Buffer.from('p'), counter: 0, name: 'Laptop' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const params = { id: user.id, passkeyId };
    for (const byKey of [app.as(user), admin]) expect((await byKey.call(factorsApi.removePasskey, { params })).status).toBe(403);
    const browser = await app.signedIn(user);
    expect(await browser.get(factorsApi.passkeys, { params: { id: user.id } })).toHaveLength(1);
    expect((await browser.call(factorsApi.removePasskey, { params })).status).toBe(200);
    expect(await browser.get(factorsApi.passkeys, { params: { id: user.id } })).toEqual([]);
  });
});
