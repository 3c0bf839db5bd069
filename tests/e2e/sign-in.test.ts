import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { journey } from './support/journey.ts';
import { makePerson } from './support/people.ts';
import { hasFocus, isGone, isSeen, openProfileMenu, placeOf, soon } from './support/screen.ts';

const ada = await makePerson('Ada Sign-in');

async function logIn(page: Page, { email = ada.email, password = ada.password, remember = true } = {}): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Remember me').setChecked(remember);
  await page.getByRole('button', { name: 'Log In' }).click();
}

test(
  'Q2: a deep link leads to the login page and from there to where it pointed; a wrong password keeps the e-mail',
  journey('sign-in', async ({ page, faults, shot }) => {
    await page.goto('/users?q=Ada&page_size=5');
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe('/login');
    expect(searchParams.get('next')).toContain('/users?q=Ada&page_size=5');
    await soon(() => page.title()).toBe('Login to Telltale');
    await soon(() => page.getByLabel('Remember me').isChecked()).toBe(true);
    await shot('empty');

    faults.allow(/400 .*\/login/);
    await logIn(page, { password: 'not the password' });
    await isSeen(page.getByRole('alert'));
    await soon(() => page.getByRole('alert').textContent()).toBe('Wrong email or password.');
    await soon(() => page.getByLabel('Email').inputValue()).toBe(ada.email);
    await soon(() => page.getByLabel('Password').inputValue()).toBe('');
    await soon(() => hasFocus(page.getByLabel('Password'))).toBe(true);
    await shot('wrong-password');

    await logIn(page);
    await isSeen(page.getByRole('heading', { name: 'Users', exact: true }));
    await soon(() => placeOf(page)).toBe('/users?q=Ada&page_size=5');
    await soon(() => page.getByLabel('Search Users').inputValue()).toBe('Ada');

    await page.goto('/login?next=%2Fgroups');
    await soon(() => placeOf(page)).toBe('/groups');
  }),
);

test(
  'screens 2: only paths of this site are followed after signing in',
  journey('sign-in-elsewhere', async ({ page }) => {
    await page.goto('/login?next=https%3A%2F%2Fevil.example%2F%2Fevil.example');
    await logIn(page);
    await isSeen(page.getByRole('heading', { name: 'Welcome to Telltale' }));
    await soon(() => placeOf(page)).toBe('/');
  }),
);

test(
  'screens 2: "Remember me" keeps the session for a month, without it it ends with the browser',
  journey('remember', async ({ page, context, visit }) => {
    const lifeOf = async (from = context) => {
      const cookies = await from.cookies();
      return cookies.filter(({ name }) => name === 'session' || name === 'csrf_token').map(({ expires }) => expires);
    };
    await page.goto('/login');
    await logIn(page);
    await page.waitForURL('/');
    for (const expires of await lifeOf()) expect((expires - Date.now() / 1000) / 86_400).toBeCloseTo(31, 0);

    const guest = await visit();
    await guest.page.goto('/login');
    await logIn(guest.page, { remember: false });
    await guest.page.waitForURL('/');
    await soon(() => lifeOf(guest.context)).toEqual([-1, -1]);
  }),
);

test(
  'Q4: the profile menu and /logout sign out, and the other tab learns it with its next call',
  journey(
    'sign-out',
    async ({ page, context, faults, shot }) => {
      await page.goto('/users/me');
      const other = await context.newPage();
      await other.goto('/groups');
      await isSeen(other.getByRole('link', { name: 'default', exact: true }));

      await openProfileMenu(page);
      await shot('menu');
      await page.getByRole('link', { name: 'Logout' }).click();
      await page.waitForURL('**/login');
      expect((await context.cookies()).map(({ name }) => name)).toEqual([]);

      faults.allow(/404 .*\/api\//);
      await other.getByRole('link', { name: 'Account' }).click();
      await isSeen(other.getByText('Your session has expired. Please login to continue.'));
      await logIn(page);
      await page.waitForURL('/');
      // Coming back to the tab is enough.
      await other.evaluate("dispatchEvent(new Event('focus'))");
      await isGone(other.getByText('Your session has expired. Please login to continue.'));
      await soon(() => other.getByLabel('Name', { exact: true }).inputValue()).toBe(ada.name);

      await other.goto('/logout');
      await other.waitForURL('**/login');
      await page.goto('/users/me');
      await soon(() => new URL(page.url()).pathname).toBe('/login');
    },
    { as: ada },
  ),
);

test(
  'design 8: a chosen theme is remembered and there before the first paint, on the login page too; "System" follows the system',
  journey(
    'theme',
    async ({ page, context, shot }) => {
      await context.addInitScript(`new MutationObserver((_, observer) => {
        if (!document.documentElement?.dataset.theme) return;
        observer.disconnect();
        window.themedAt = performance.now();
      }).observe(document, { attributes: true, subtree: true, childList: true })`);
      const themeOf = (shown = page) => shown.evaluate<string>('document.documentElement.dataset.theme');
      const isThemedBeforePaint = () =>
        soon(() => page.evaluate<number>("performance.getEntriesByType('paint')[0]?.startTime ?? 0"))
          .toBeGreaterThan(0)
          .then(() => page.evaluate<boolean>("window.themedAt <= performance.getEntriesByType('paint')[0].startTime"));
      const choose = async (name: string) => {
        await openProfileMenu(page);
        await page.locator('label', { hasText: name }).click();
        await page.keyboard.press('Escape');
      };

      await page.goto('/users/me');
      await isSeen(page.getByLabel('Email', { exact: true }));
      await soon(() => themeOf()).toBe('light');
      const second = await context.newPage();
      await second.goto('/groups');
      await choose('Dark');
      await soon(() => themeOf()).toBe('dark');
      await soon(() => themeOf(second)).toBe('dark');
      await second.close();
      await shot('account');
      await page.reload();
      await isSeen(page.getByLabel('Email', { exact: true }));
      await soon(() => themeOf()).toBe('dark');
      await soon(() => isThemedBeforePaint()).toBe(true);

      await page.goto('/logout');
      await page.waitForURL('**/login');
      await soon(() => themeOf()).toBe('dark');
      await soon(() => isThemedBeforePaint()).toBe(true);
      await soon(() => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe('rgb(14, 22, 32)');
      await shot('login');

      await logIn(page);
      await page.waitForURL('/');
      await choose('System');
      await soon(() => themeOf()).toBe('light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await soon(() => themeOf()).toBe('dark');
      await choose('Light');
      await soon(() => themeOf()).toBe('light');
      await page.reload();
      await soon(() => themeOf()).toBe('light');
    },
    { as: ada },
  ),
);
