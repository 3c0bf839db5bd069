import type { BrowserContext, Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { journey } from './support/journey.ts';
import { makePerson } from './support/people.ts';
import { dialog, isGone, isSeen, notice, soon } from './support/screen.ts';

const grace = await makePerson('Grace Expired');
const expired = 'Your session has expired. Please login to continue.';

test(
  'screens 1.1: a session that ends while somebody types costs a sign-in in a small window, and nothing else',
  journey(
    'expired',
    async ({ page, context, faults, shot }) => {
      await page.goto('/users/me');
      await page.getByLabel('Name', { exact: true }).fill('Grace the second');
      const saves: string[] = [];
      page.on(
        'request',
        (request) => request.method() === 'POST' && request.url().endsWith(`/users/${grace.id}`) && saves.push(request.url()),
      );

      // Ended by the server alone: the browser still has its cookie, as after a night.
      await endSessionsOf(context);
      faults.allow(/404 .*\/api\//);
      await pressBehindDialog(page.getByRole('button', { name: 'Save' }));
      await isSeen(page.getByText(expired));
      await shot('dialog');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await isSeen(page.getByText(expired));

      const [popup] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: 'Login' }).click()]);
      await isSeen(popup.getByRole('heading', { name: 'Login to Telltale' }));
      expect(popup.viewportSize()).toEqual({ width: 640, height: 640 });
      await popup.getByLabel('Email').fill(grace.email);
      await popup.getByLabel('Password').fill(grace.password);
      await Promise.all([popup.waitForEvent('close'), popup.getByRole('button', { name: 'Log In' }).click()]);

      await isGone(page.getByText(expired));
      await isSeen(notice(page, 'Saved.'));
      await soon(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Grace the second');
      expect(saves).toHaveLength(2);
      await isSeen(page.getByRole('button', { name: 'Profile menu of Grace the second' }));
    },
    { as: grace },
  ),
);

test(
  'screens 1.1: the dialog stands over an open one too, and signing in anywhere else in the browser is enough',
  journey(
    'expired-dialog',
    async ({ page, context, faults, shot, visit }) => {
      await page.goto('/users/me');
      await page.getByRole('button', { name: 'Change Password' }).click();
      await page.getByLabel('Current Password').fill(grace.password);
      await page.getByLabel('New Password', { exact: true }).fill('the next password');
      await page.getByLabel('Repeat New Password').fill('the next password');
      await endSessionsOf(context);
      faults.allow(/404 .*\/api\//);
      await pressBehindDialog(page.getByRole('button', { name: 'Update Password' }));
      await isSeen(page.getByText(expired));
      await shot('over-a-dialog');
      await soon(() => page.locator('dialog[open]').count()).toBe(1);

      await context.request.post('/login', { data: grace });
      await page.evaluate("dispatchEvent(new Event('focus'))");
      await isGone(page.getByText(expired));
      await isSeen(notice(page, 'Saved.'));
      await isGone(dialog(page, 'Change Password'));

      const elsewhere = await visit();
      expect((await elsewhere.context.request.post('/login', { data: { ...grace, password: 'the next password' } })).status()).toBe(200);
      grace.password = 'the next password';
    },
    { as: grace },
  ),
);

test(
  'screens 1.1: a lost CSRF cookie is renewed silently and the call is sent again',
  journey(
    'csrf',
    async ({ page, context, faults }) => {
      await page.goto('/users/me');
      await page.getByLabel('Name', { exact: true }).fill('Grace the third');
      await context.clearCookies({ name: 'csrf_token' });
      faults.allow(/400 .*\/api\/users\//);
      const pinged = page.waitForRequest('**/ping');
      await page.getByRole('button', { name: 'Save' }).click();
      await pinged;
      await isSeen(notice(page, 'Saved.'));
      await soon(() => page.getByText(expired).count()).toBe(0);
      expect((await context.cookies()).map(({ name }) => name).sort()).toEqual(['csrf_token', 'session']);
    },
    { as: grace },
  ),
);

test(
  'somebody else who signs in meanwhile gets their own console, not the waiting calls of the first',
  journey(
    'expired-other',
    async ({ page, context, faults }) => {
      const other = await makePerson('Linus Other');
      await page.goto(`/users/${other.id}`);
      await isSeen(page.getByText(other.email));
      await endSessionsOf(context);
      faults.allow(/40[34] .*\/api\//);
      await pressBehindDialog(page.getByRole('link', { name: 'Account' }));
      await isSeen(page.getByText(expired));
      await context.request.post('/login', { data: other });
      await Promise.all([page.waitForEvent('load'), page.evaluate("dispatchEvent(new Event('focus'))")]);
      await isSeen(page.getByRole('button', { name: 'Profile menu of Linus Other' }));
      await soon(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe(other.email);
    },
    { as: grace },
  ),
);

/** A call that the page makes by itself may have raised the dialog before anybody presses anything, and then it covers everything. */
const pressBehindDialog = (target: Locator): Promise<void> => target.dispatchEvent('click');

/** Signs a copy of the browser's cookies out. */
async function endSessionsOf(context: BrowserContext): Promise<void> {
  const cookies = await context.cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const csrf = cookies.find(({ name }) => name === 'csrf_token')?.value ?? '';
  const url = new URL('/console/api/auth/logout', context.pages()[0]?.url());
  const reply = await fetch(url, { method: 'POST', headers: { cookie, 'x-csrf-token': decodeURIComponent(csrf) } });
  expect(reply.status).toBe(200);
}
