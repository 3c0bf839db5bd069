import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);

test('A8: without mail the links are answered instead, relative to the page that shows them', async () => {
  const user = await admin.get(usersApi.create, { body: { name: 'New', email: 'new@example.com' } });
  expect(user.invite_link).toMatch(/^\/invite\/\w{43}$/);
  const again = await admin.get(usersApi.invite, { params: { id: user.id } });
  expect(again.invite_link).not.toBe(user.invite_link);
  const { reset_link = '' } = await admin.get(usersApi.resetPassword, { params: { id: user.id } });
  expect(reset_link).toMatch(/^\/reset\/\w{43}$/);
  expect((await app.anonymous().json('POST', reset_link, { password: 'chosen password' })).status).toBe(200);
  expect((await app.anonymous().signIn('new@example.com', 'chosen password')).status).toBe(200);
});

test('server-behaviour 21.2: nobody but an administrator gets a link, and not for a disabled account', async () => {
  const [user, other] = [await app.make.user(), await app.make.user()];
  for (const endpoint of [usersApi.resetPassword, usersApi.invite]) {
    expect((await app.as(user).call(endpoint, { params: { id: other.id } })).status).toBe(403);
    expect((await app.as(user).call(endpoint, { params: { id: user.id } })).status).toBe(403);
  }
  await admin.get(usersApi.disable, { params: { id: other.id } });
  expect((await admin.call(usersApi.resetPassword, { params: { id: other.id } })).status).toBe(404);
  expect((await admin.call(usersApi.invite, { params: { id: other.id } })).status).toBe(404);
});

test('design 8.1: the key of an administrator alone does not change their own password', async () => {
  const params = { id: app.admin.id };
  expect(await admin.call(usersApi.resetPassword, { params })).toMatchObject({
    status: 403,
    message: 'Sign in to change your own password.',
  });
  const { access_token } = await (await app.signedIn(app.admin)).get(sessionApi.token);
  const byToken = await app.anonymous().fetch(`/api/users/${app.admin.id}/reset_password`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(byToken.status).toBe(403);
  const { reset_link } = await (await app.signedIn(app.admin)).get(usersApi.resetPassword, { params });
  expect(reset_link).toMatch(/^\/reset\/\w{43}$/);
});

test('server-behaviour 3.4: a forgotten password sends nothing and answers the same', async () => {
  const user = await app.make.user();
  const [known, unknown] = await Promise.all(
    [user.email, 'unknown@example.com'].map(async (email) => (await app.anonymous().json('POST', '/forgot', { email })).text()),
  );
  expect(known).toBe(unknown);
});
