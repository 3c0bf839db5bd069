import { type AddressInfo, createServer } from 'node:net';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createMail } from '../platform/mail.ts';
import { rawRequest } from '../testing/raw.ts';
import { fakeSmtp } from '../testing/smtp.ts';
import { testApp } from '../testing/test-app.ts';
import { sendMail } from '../users/account-mails.ts';
import { answerAfterMs } from './recovery.ts';

const smtp = await fakeSmtp();
const publicUrl = 'https://console.example/base';
const app = await testApp({ env: { SMTP_URL: smtp.url, PUBLIC_URL: `${publicUrl}/`, MAIL_FROM: 'Telltale <no-reply@console.example>' } });
await app.startWorker();
const admin = app.as(app.admin);

let count = 0;
const newAddress = () => `person-${++count}@example.com`;
const invite = (email: string, name = 'New Person') => admin.get(usersApi.create, { body: { name, email } });
/** The link in the newest mail to an address, as a path of this server. */
async function linkTo(email: string, letters = 1): Promise<string> {
  const letter = (await smtp.lettersTo(email, letters)).at(-1);
  const [, path = ''] = new RegExp(`${publicUrl}(/\\w+/\\w{43})`).exec(letter?.text ?? '') ?? [];
  return path;
}
const choose = (path: string, password = 'chosen password') => app.anonymous().json('POST', path, { password });
const forgot = (email: string) => app.anonymous().json('POST', '/forgot', { email });
const forget = () => sql`delete from attempts`.execute(app.ctx.db);

describe('letters (server-behaviour 3.10)', () => {
  test('an invitation names who invites, to what and as whom, in text and HTML', async () => {
    const email = newAddress();
    const user = await invite(email);
    expect(user.invite_link).toBeUndefined();
    const [letter] = await smtp.lettersTo(email);
    expect(letter?.subject).toBe('admin invited you to join Telltale');
    expect(letter?.headers.get('from')).toBe('Telltale <no-reply@console.example>');
    for (const part of [letter?.text, letter?.html]) {
      expect(part).toContain('admin invited you to join Example');
      expect(part).toContain(email);
      expect(part).toMatch(new RegExp(`${publicUrl}/invite/\\w{43}`));
    }
    expect(letter?.html).toContain(`href="${publicUrl}/invite/`);
  });

  test('hostile names stay text: no markup in the HTML, no header of their own, no second recipient', async () => {
    const email = newAddress();
    const eve = await app.make.user({ name: 'Eve\r\nBcc: victim@example.com\r\n\r\n<b>hi</b>', groups: ['admin', 'default'] });
    await app.as(eve).get(usersApi.create, { body: { name: '<script>alert(1)</script> "quoted"', email } });
    const [letter] = await smtp.lettersTo(email);
    expect(letter?.headers.has('bcc')).toBe(false);
    expect(letter?.subject).not.toMatch(/[\r\n]/);
    expect(letter?.to).toEqual([email]);
    expect(letter?.html).not.toMatch(/<script|<b>hi/);
    expect(letter?.html).toContain('&lt;script&gt;');
    expect(smtp.letters.some((one) => one.to.includes('victim@example.com'))).toBe(false);
  });

  test.each(['a@b.c, victim@example.com', 'a@b.c\nBcc: victim@example.com', '<victim@example.com>', '"a b"@c.d', 'a@b@c', 'a;b@c'])(
    'nobody is invited at %j',
    async (email) => {
      expect((await admin.call(usersApi.create, { body: { name: 'X', email } })).status).toBe(400);
    },
  );

  test('security 18: links go to the configured address, whatever the request claims', async () => {
    const email = newAddress();
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    };
    const headers = { ...forged, authorization: `Key ${app.admin.api_key}`, 'content-type': 'application/json' };
    const { id } = await invite(email);
    await rawRequest(app.origin, `/api/users/${id}/invite`, { method: 'POST', headers });
    await rawRequest(app.origin, `/api/users/${id}/reset_password`, { method: 'POST', headers });
    await rawRequest(app.origin, '/forgot', {
      method: 'POST',
      headers: { ...forged, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    const letters = await smtp.lettersTo(email, 4);
    for (const { text, html } of letters) {
      expect(text).toContain(`${publicUrl}/`);
      expect(text + html).not.toContain('evil.example');
    }
  });

  test('a mail server that refuses is asked again', async () => {
    const email = newAddress();
    smtp.refuseNext(1);
    await invite(email);
    await expect.poll(() => smtp.refused).toBe(1);
    // The queue waits before the next attempt; the test skips the wait.
    const hurry = sql`
      update jobs set run_at = now() where status = 1 and attempts > 0 and payload->>'to' = ${email} returning id`;
    await expect.poll(async () => (await hurry.execute(app.ctx.db)).rows).toHaveLength(1);
    expect(await smtp.lettersTo(email)).toHaveLength(1);
    const { rows } = await sql`select status, attempts from jobs where payload->>'to' = ${email}`.execute(app.ctx.db);
    expect(rows).toEqual([{ status: expect.any(Number), attempts: 2 }]);
  });
});

describe('a mail server that is there but says nothing', () => {
  test('is given up and asked again, so that the letter is not lost', async () => {
    const deaf = createServer(() => {});
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const { port } = deaf.address() as AddressInfo;
    const mail = createMail(`smtp://127.0.0.1:${port}`, undefined);
    const startedAt = Date.now();
    await expect(mail.send({ to: 'a@b.c', subject: '', text: '', html: '' })).rejects.toThrow(/greeting/i);
    expect(Date.now() - startedAt).toBeLessThan(sendMail.timeLimitMs / 2);
    deaf.close();
  });
});

describe('accepting an invitation (3.6)', () => {
  test('the page asks for a password, which signs in and is theirs from then on', async () => {
    const email = newAddress();
    const { id } = await invite(email);
    const path = await linkTo(email);
    const page = await app.anonymous().fetch(path);
    expect([page.status, (await page.text()).includes('please choose a password')]).toEqual([200, true]);
    const client = app.anonymous();
    expect((await client.json('POST', path, { password: 'chosen password' })).status).toBe(200);
    expect((await client.get(sessionApi.get)).user).toMatchObject({ id, email });
    expect(await admin.get(usersApi.get, { params: { id } })).toMatchObject({ is_invitation_pending: false });
    expect((await app.anonymous().signIn(email, 'chosen password')).status).toBe(200);
  });

  test('as a form it works too, in the browser of the administrator who sent it as well', async () => {
    const email = newAddress();
    await invite(email);
    const browser = await app.signedIn(app.admin);
    const response = await browser.fetch(await linkTo(email), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: app.origin, 'sec-fetch-site': 'same-origin' },
      body: 'password=chosen+password',
    });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/']);
    expect((await browser.get(sessionApi.get)).user).toMatchObject({ email });
  });

  test.each([
    [undefined, 'Cannot use empty password.'],
    ['', 'Cannot use empty password.'],
    ['12345', 'Password length is too short (<6).'],
  ])('password %j is refused, and the link still works', async (password, message) => {
    const email = newAddress();
    await invite(email);
    const path = await linkTo(email);
    const answer = await app.anonymous().json('POST', path, { password });
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 400, body: { message } });
    const page = await app.anonymous().fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ password: password ?? '' }).toString(),
    });
    expect(await page.text()).toContain(message.replace('<', '&lt;'));
    expect((await choose(path)).status).toBe(200);
  });

  test('W4: a link works once, also when it is used twice at the same moment', async () => {
    const email = newAddress();
    await invite(email);
    const path = await linkTo(email);
    const statuses = await Promise.all([1, 2, 3, 4].map(async (i) => (await choose(path, `password ${i}`)).status));
    expect(statuses.sort()).toEqual([200, 400, 400, 400]);
    const late = await choose(path);
    expect(await late.json()).toEqual({ message: expect.stringContaining('already been accepted') });
    expect(await (await app.anonymous().fetch(path)).text()).toContain('already been accepted');
  });

  test('a new invitation ends the older one; a deleted invitation ends them all', async () => {
    const email = newAddress();
    const { id } = await invite(email);
    const old = await linkTo(email);
    await admin.get(usersApi.invite, { params: { id } });
    const current = await linkTo(email, 2);
    expect((await choose(old)).status).toBe(400);
    await admin.get(usersApi.remove, { params: { id } });
    expect((await choose(current)).status).toBe(400);
  });
});

describe('a forgotten password (3.4)', () => {
  test('the link sets a new one, ends every session and signs in', async () => {
    await forget();
    const user = await app.make.user();
    const before = await app.signedIn(user);
    expect((await forgot(user.email.toUpperCase())).status).toBe(200);
    const path = await linkTo(user.email);
    expect(path).toMatch(/^\/reset\//);
    const client = app.anonymous();
    expect((await client.json('POST', path, { password: 'brand new one' })).status).toBe(200);
    expect((await client.call(sessionApi.get)).status).toBe(200);
    expect((await before.call(sessionApi.get)).status).toBe(404);
    expect((await app.anonymous().signIn(user.email, user.password)).status).toBe(400);
    expect((await choose(path)).status).toBe(400);
  });

  test('known, unknown and disabled addresses get the same answer; only the letters differ', async () => {
    await forget();
    const [known, disabled] = [await app.make.user(), await app.make.user()];
    await admin.get(usersApi.disable, { params: { id: disabled.id } });
    const answers = [];
    for (const email of [known.email, disabled.email, 'unknown@example.com', 'no address at all', '%', '']) {
      const json = await forgot(email);
      const page = await app.anonymous().fetch('/forgot', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '1' },
        body: new URLSearchParams({ email }).toString(),
      });
      answers.push(JSON.stringify([json.status, await json.text(), page.status, await page.text()]));
      await sql`delete from attempts where key like 'forgot address%'`.execute(app.ctx.db);
    }
    expect(new Set(answers).size).toBe(1);
    expect((await smtp.lettersTo(known.email, 2))[0]?.subject).toBe('Reset your password');
    const [notice] = await smtp.lettersTo(disabled.email, 2);
    expect(notice?.subject).toBe('Your account is disabled');
    expect(`${notice?.text}${notice?.html}`).not.toContain('/reset/');
    expect(smtp.letters.some((letter) => letter.to.includes('unknown@example.com'))).toBe(false);
  });

  test('the time of the answer is the same for known and unknown addresses, and no link lies open among the jobs', async () => {
    await forget();
    const known = await app.make.user();
    for (const email of [known.email, 'unknown@example.com']) {
      const started = performance.now();
      expect((await forgot(email)).status).toBe(200);
      expect(performance.now() - started).toBeGreaterThanOrEqual(answerAfterMs - 5);
    }
    const path = await linkTo(known.email);
    const { rows } = await sql<{ text: string }>`
      select coalesce(string_agg(payload::text, ' '), '') as text from jobs where payload::text like ${`%${known.email}%`}`.execute(
      app.ctx.db,
    );
    expect(rows[0]?.text).toContain(known.email);
    expect(rows[0]?.text).not.toContain(path.split('/').at(-1));
    expect(rows[0]?.text).not.toContain('/reset/');
  });

  test('a link dies with the password, with the e-mail and with the account it was made for', async () => {
    await forget();
    const [changed, moved, disabled] = [await app.make.user(), await app.make.user(), await app.make.user()];
    const paths = [];
    for (const user of [changed, moved, disabled]) {
      await forgot(user.email);
      paths.push(await linkTo(user.email));
    }
    await app
      .as(changed)
      .get(usersApi.save, { params: { id: changed.id }, body: { password: 'new password', old_password: changed.password } });
    await admin.get(usersApi.save, { params: { id: moved.id }, body: { email: newAddress(), old_password: app.admin.password } });
    await admin.get(usersApi.disable, { params: { id: disabled.id } });
    for (const path of paths) expect((await choose(path)).status).toBe(400);
  });

  test('an expired link says so, and does nothing', async () => {
    await forget();
    const user = await app.make.user();
    await forgot(user.email);
    const path = await linkTo(user.email);
    await sql`update account_tokens set expires_at = now() - interval '1 second' where user_id = ${user.id}`.execute(app.ctx.db);
    expect(await (await choose(path)).json()).toEqual({ message: 'Your reset link has expired. Please ask for a new one.' });
    expect((await app.anonymous().signIn(user.email, user.password)).status).toBe(200);
  });

  test('W4: a link is good for its own purpose only', async () => {
    await forget();
    const email = newAddress();
    const { id } = await invite(email);
    const invitation = await linkTo(email);
    await admin.get(usersApi.resetPassword, { params: { id } });
    const reset = await linkTo(email, 2);
    const token = (path: string) => path.split('/')[2];
    for (const path of [
      `/reset/${token(invitation)}`,
      `/verify/${token(invitation)}`,
      `/invite/${token(reset)}`,
      `/verify/${token(reset)}`,
    ]) {
      expect([path, (await app.anonymous().fetch(path)).status]).toEqual([path, 400]);
      expect([path, (await choose(path)).status >= 400]).toEqual([path, true]);
    }
    expect((await choose(reset)).status).toBe(200);
    expect((await choose(invitation)).status).toBe(400);
  });

  test('nobody is flooded: five letters an hour to an account, ten requests an hour for it from one address', async () => {
    await forget();
    const user = await app.make.user();
    for (let i = 0; i < 10; i++) expect((await forgot(user.email)).status).toBe(200);
    await smtp.lettersTo(user.email, 5);
    const refused = await forgot(user.email);
    expect({ status: refused.status, body: await refused.json() }).toEqual({
      status: 429,
      body: { message: expect.stringContaining('hour') },
    });
    // Others behind the same address are not locked out.
    expect((await forgot('unknown@example.com')).status).toBe(200);
    const { rows } = await sql<{ count: number }>`select count(*) as count from jobs where payload->>'to' = ${user.email}`.execute(
      app.ctx.db,
    );
    expect(rows[0]?.count).toBe(5);
  });

  test('the reset page and its faults are pages, escaped and never cached', async () => {
    for (const path of ['/reset/x', '/invite/%3Cscript%3E', '/verify/%22%3E', '/reset/%00', `/invite/${'a'.repeat(400)}`]) {
      const page = await app.anonymous().fetch(path);
      expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 400, 'no-store']);
      expect(await page.text()).not.toMatch(/<script>|"">/);
    }
  });
});

describe('verifying an e-mail (3.7)', () => {
  test('a changed address is unverified until its own link is followed, once', async () => {
    const user = await app.make.user();
    const email = newAddress();
    const saved = await app.as(user).get(usersApi.save, { params: { id: user.id }, body: { email, old_password: user.password } });
    expect((await smtp.lettersTo(user.email, 1))[0]?.text).toContain(`is now ${email}`);
    expect(saved.is_email_verified).toBe(false);
    expect((await app.as(user).get(sessionApi.get)).messages).toEqual(['email-not-verified']);
    const path = await linkTo(email);
    expect(path).toMatch(/^\/verify\//);
    expect((await app.anonymous().fetch(path)).status).toBe(200);
    expect((await app.as(user).get(sessionApi.get)).messages).toEqual([]);
    expect((await app.anonymous().fetch(path)).status).toBe(400);
  });

  test('a link to an address that was changed again verifies nothing', async () => {
    const user = await app.make.user();
    const [first, second] = [newAddress(), newAddress()];
    await app.as(user).get(usersApi.save, { params: { id: user.id }, body: { email: first, old_password: user.password } });
    const path = await linkTo(first);
    await app.as(user).get(usersApi.save, { params: { id: user.id }, body: { email: second, old_password: user.password } });
    expect((await app.anonymous().fetch(path)).status).toBe(400);
    expect((await app.as(user).get(sessionApi.get)).messages).toEqual(['email-not-verified']);
  });

  test('POST /verification_email/ sends it again, and is not a way to flood somebody', async () => {
    const user = await app.make.user();
    const victim = newAddress();
    await app.as(user).get(usersApi.save, { params: { id: user.id }, body: { email: victim, old_password: user.password } });
    const statuses = [];
    for (let i = 0; i < 12; i++) statuses.push((await app.as(user).call(usersApi.verificationEmail)).status);
    expect(statuses).toEqual([...Array(9).fill(200), 429, 429, 429]);
    expect(
      (await app.as(user).call(usersApi.save, { params: { id: user.id }, body: { email: newAddress(), old_password: user.password } }))
        .status,
    ).toBe(429);
  });

  test('for a verified address it sends nothing and says the same', async () => {
    const user = await app.make.user();
    const reply = await app.as(user).get(usersApi.verificationEmail);
    expect(reply.message).toContain('check your inbox');
    const { rows } = await sql`select from jobs where payload->>'to' = ${user.email}`.execute(app.ctx.db);
    expect(rows).toEqual([]);
  });
});
