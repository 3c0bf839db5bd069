import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { focused, tabThrough } from './support/checks.ts';
import { journey } from './support/journey.ts';
import { admin, makeGroup, makePerson } from './support/people.ts';
import { hasFocus, isGone, isSeen, notice, openProfileMenu, placeOf, soon } from './support/screen.ts';

const notFound = "It seems like the page you're looking for cannot be found.";
const forbidden = 'It seems like you don’t have permission to see this page.';
const broken = 'It seems like we encountered an error. Try refreshing this page or contact your administrator.';
const offline = 'Please check your Internet connection.';

const readers = await makeGroup('Readers only', ['view_query']);
const reader = await makePerson('Rita Reader', [readers]);

/** What a reload would wipe out. */
const mark = (page: Page) => page.evaluate('void (window.isSamePage = true)');
const isSamePage = (page: Page) => page.evaluate<boolean>('window.isSamePage === true');

test(
  'Q2: an unknown page, a page of others and a broken page each show their panel, and the navigation goes on',
  journey(
    'errors',
    async ({ page, faults, shot, visit }) => {
      await page.goto('/no/such/page');
      await isSeen(page.getByText(notFound));
      await soon(() => page.title()).toBe('Page not found');
      await shot('404');
      await mark(page);
      await page.getByRole('link', { name: 'Go to the home page' }).click();
      await isSeen(page.getByRole('heading', { name: 'Welcome to Telltale' }));
      await soon(() => page.title()).toBe('Telltale');
      await soon(() => isSamePage(page)).toBe(true);

      faults.allow(/404 .*\/api\/users\/999999/);
      await page.goto('/users/999999');
      await isSeen(page.getByText(notFound));
      // None of these asks the server for something that cannot exist: the journey fails on any refused request.
      for (const address of ['/queries/abc', '/queries/abc/source', '/users/abc', '/groups/abc', '/groups/0', '/data_sources/1e3']) {
        await page.goto(address);
        await isSeen(page.getByText(notFound));
      }

      await page.goto('/groups');
      await isSeen(page.getByRole('table'));
      faults.allow(/page error: Error: the wind turned/);
      await page.evaluate("void setTimeout(() => { throw new Error('the wind turned'); })");
      await isSeen(page.getByText(broken));
      await page.getByText('Details').click();
      await isSeen(page.getByText('the wind turned'));
      await shot('window-error');
      await page.getByRole('link', { name: 'Telltale' }).click();
      await isSeen(page.getByRole('heading', { name: 'Welcome to Telltale' }));

      const limited = await visit({ as: reader });
      limited.faults.allow(/403 .*\/api\//);
      for (const address of ['/users', '/users/new', '/users/disabled', '/groups']) {
        await limited.page.goto(address);
        await isSeen(limited.page.getByText(forbidden));
      }
      await limited.shot('403', limited.page);
      await limited.page.goto(`/users/${reader.id + 1}`);
      await isSeen(limited.page.getByText(forbidden));
      await openProfileMenu(limited.page);
      await limited.page.getByRole('link', { name: 'Settings' }).click();
      await isSeen(limited.page.getByLabel('Email', { exact: true }));
      await soon(() => placeOf(limited.page)).toBe('/users/me');
      await soon(() => limited.page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents()).not.toContain(
        'Users',
      );
    },
    { as: admin() },
  ),
);

test(
  'screens 1.2: links of the console go without a reload and set the title; with a modifier they open a tab',
  journey(
    'links',
    async ({ page, context }) => {
      await page.goto('/');
      await isSeen(page.getByRole('link', { name: 'Users', exact: false }));
      await mark(page);
      for (const [link, place, title] of [
        ['Users', '/users', 'Users'],
        ['Pending Invitations', '/users/pending', 'Pending Invitations'],
        ['Groups', '/groups', 'Groups'],
        ['Readers only', `/groups/${readers.id}`, 'Readers only'],
        ['Account', '/users/me', 'Account'],
      ] as const) {
        await page.getByRole('link', { name: link }).first().click();
        await soon(() => page.title()).toBe(title);
        await soon(() => placeOf(page)).toBe(place);
      }
      await page.goBack();
      await soon(() => page.title()).toBe('Readers only');
      await soon(() => isSamePage(page)).toBe(true);

      // Chromium announces a background tab as a page (version 156) or by its request alone (153).
      const opened = (path: string) => {
        const isThere = (url: string) => new URL(url).pathname.startsWith(path);
        return Promise.any([
          context.waitForEvent('request', (request) => request.isNavigationRequest() && isThere(request.url())),
          context.waitForEvent('page', (tab) => isThere(tab.url())),
        ]);
      };
      const users = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Users' });
      await Promise.all([opened('/users'), users.click({ modifiers: ['ControlOrMeta'] })]);
      await Promise.all([opened('/help/'), page.getByRole('link', { name: 'Help' }).click({ modifiers: ['ControlOrMeta'] })]);
      await soon(() => placeOf(page)).toBe(`/groups/${readers.id}`);
      await soon(() => page.getByRole('dialog').count()).toBe(0);
    },
    { as: admin() },
  ),
);

test(
  'Q2: the offline notice stays until the connection is back, and a save made meanwhile fails at once and keeps the typed text',
  journey(
    'offline',
    async ({ page, context, faults, shot }) => {
      await page.goto('/users/me');
      await isSeen(page.getByLabel('Name', { exact: true }));
      faults.allow(/ERR_INTERNET_DISCONNECTED/);
      await context.setOffline(true);
      await isSeen(notice(page, offline));
      await page.getByLabel('Name', { exact: true }).fill('Rita the sailor');
      await page.getByRole('button', { name: 'Save' }).click();
      const refusal = notice(page, 'The server could not be reached. Please check your Internet connection and try again.');
      await isSeen(refusal);
      await shot('notices');
      await isGone(refusal);
      await soon(() => notice(page, offline).count()).toBe(1);
      await context.setOffline(false);
      await isGone(notice(page, offline));
      await soon(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Rita the sailor');
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Saved.'));
    },
    { as: reader },
  ),
);

test(
  'Q2: notifications stand bottom right for three seconds',
  journey(
    'notices',
    async ({ page }) => {
      await page.goto('/users/me');
      await page.getByLabel('Name', { exact: true }).fill('Rita the reader');
      // By the page's own eyes: the test may look late.
      await page.evaluate(`window.stood = new Promise((resolve) => {
        let shownAt;
        const watcher = new MutationObserver(() => {
          const isThere = document.querySelector('.ant-notification-notice') !== null;
          if (isThere) shownAt ??= performance.now();
          else if (shownAt !== undefined) {
            watcher.disconnect();
            resolve(performance.now() - shownAt);
          }
        });
        watcher.observe(document.body, { subtree: true, childList: true });
      }); void 0`);
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Saved.'));
      const box = await page.locator('.ant-notification-notice').first().boundingBox();
      expect(box && 1440 - box.x - box.width).toBeLessThan(40);
      expect(box && 900 - box.y - box.height).toBeLessThan(60);
      await isGone(notice(page, 'Saved.'));
      const stoodMs = await page.evaluate<number>('stood');
      expect(stoodMs).toBeGreaterThan(2000);
    },
    { as: reader },
  ),
);

test(
  'Q2: help opens beside the page; where nothing answers within 20 seconds it says so and offers a new window',
  journey(
    'help',
    async ({ page, context, faults, shot }) => {
      await page.goto('/users/me');
      await page.getByRole('link', { name: 'Help' }).click();
      const drawer = page.getByRole('dialog', { name: 'Help' });
      await isSeen(drawer);
      const frame = page.frameLocator('iframe[title="Help page"]');
      await isSeen(frame.getByRole('heading', { level: 1 }));
      expect((await drawer.boundingBox())?.width).toBe(400);
      await shot('drawer');
      // The page beside it stays usable.
      await page.getByLabel('Name', { exact: true }).fill('Rita reads help');
      await drawer.press('Escape');
      await isGone(drawer);

      faults.allow(/\/help\//);
      await context.route('**/help/**', (route) => route.abort());
      await page.getByRole('link', { name: 'Help' }).click();
      await isSeen(drawer.getByText('Something went wrong.'));
      await soon(() => drawer.getByRole('link', { name: 'Click here to open the page in a new window.' }).getAttribute('target')).toBe(
        '_blank',
      );
      await shot('dead');
      await drawer.press('Escape');
      await isGone(drawer);

      // A page that never answers: the browser's own clock, a hundred times as fast.
      await context.unroute('**/help/**');
      await context.route('**/help/**', () => {});
      await page.evaluate(`{
        const timeout = AbortSignal.timeout;
        window.askedFor = [];
        AbortSignal.timeout = (ms) => { window.askedFor.push(ms); return timeout.call(AbortSignal, ms / 100); };
      }`);
      await page.getByRole('link', { name: 'Help' }).click();
      await isSeen(drawer.getByText('Something went wrong.'));
      await soon(() => page.evaluate('window.askedFor')).toEqual([20_000]);
    },
    { as: reader },
  ),
);

test(
  'Q2: the link to the alerts is named Alerts, and described by how many are triggered',
  journey(
    'alerts-link',
    async ({ page }) => {
      await page.route('**/api/alerts/summary', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), triggered: 2 } });
      });
      await page.goto('/users/me');
      const link = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Alerts', exact: true });
      await isSeen(link.getByText('2', { exact: true }));
      await soon(() => link.getAttribute('title')).toBe('2 triggered');
    },
    { as: admin() },
  ),
);

test(
  'screens 1.3: under 768 px the entries are in a menu that closes after a choice',
  journey(
    'phone',
    async ({ page, shot }) => {
      await page.goto('/users/me');
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      const menu = page.getByRole('navigation', { name: 'Main menu' });
      await isSeen(menu.getByRole('link', { name: 'Log out' }));
      await shot('menu');
      await menu.getByRole('link', { name: 'Home' }).click();
      await isSeen(page.getByRole('heading', { name: 'Welcome to Telltale' }));
      await isGone(menu);
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await page.mouse.click(380, 600);
      await isGone(menu);
      await openProfileMenu(page);
      await shot('profile');
      await page.keyboard.press('Escape');
      // Usage events wait for a second and would find no session: the journey fails on any refused request.
      await page.route('**/api/auth/logout', async (route) => {
        const response = await route.fetch();
        await new Promise((resolve) => setTimeout(resolve, 1200));
        await route.fulfill({ response });
      });
      await page.goto('/');
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await menu.getByRole('link', { name: 'Log out' }).click();
      await page.waitForURL('**/login');
    },
    { as: admin(), width: 390, height: 844, browser: { hasTouch: true } },
  ),
);

test(
  'the console is used by keyboard alone: skip link, order of the Tab key, menus, and a focus one can see',
  journey(
    'keyboard',
    async ({ page, shot }) => {
      await page.goto('/users/me');
      await isSeen(page.getByLabel('Name', { exact: true }));
      await page.keyboard.press('Tab');
      await soon(() => hasFocus(page.getByRole('button', { name: 'Skip to content' }))).toBe(true);
      await shot('skip');
      await page.keyboard.press('Enter');
      await soon(() => hasFocus(page.locator('main'))).toBe(true);
      await page.keyboard.press('Tab');
      await soon(() => hasFocus(page.getByRole('navigation', { name: 'Settings' }).getByRole('link').first())).toBe(true);

      await page.reload();
      await isSeen(page.getByLabel('Name', { exact: true }));
      const stops = await tabThrough(page, 40);
      const names = stops.map(({ name }) => name);
      const order = [
        'Skip to content',
        'Telltale',
        'Help',
        'Profile menu of',
        'Users',
        'Groups',
        'Account',
        'Name',
        'Email',
        'Save',
        'Show API Key',
      ];
      const places = order.map((start) => names.findIndex((name) => name.startsWith(start)));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(places).not.toContain(-1);
      expect(stops.filter(({ isVisible }) => !isVisible)).toEqual([]);

      const button = page.getByRole('button', { name: 'Profile menu' });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect((await focused(page))?.name).toBe('Account');
      await shot('menu');
      await page.keyboard.press('Escape');
      await isGone(page.getByRole('link', { name: 'Logout' }));
      await soon(() => hasFocus(button)).toBe(true);
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await soon(() => page.title()).not.toBe('Account');
      await isGone(page.getByRole('link', { name: 'Logout' }));

      await page.goto('/users/me');
      await page.getByRole('button', { name: 'Change Password' }).focus();
      await page.keyboard.press('Enter');
      await soon(() => hasFocus(page.getByLabel('Current Password'))).toBe(true);
      await page.keyboard.press('Escape');
      await isGone(page.getByRole('dialog'));
      await soon(() => hasFocus(page.getByRole('button', { name: 'Change Password' }))).toBe(true);
    },
    { as: admin() },
  ),
);

test.each(['reduce', 'no-preference'] as const)(
  'screens 1.4: a dialog puts the focus where one types, and never on a button (motion: %s)',
  async (reducedMotion) => {
    const look = journey(
      `dialog-${reducedMotion}`,
      async ({ page }) => {
        await page.goto('/users/new');
        await soon(() => hasFocus(page.getByRole('dialog').getByLabel('Name'))).toBe(true);
        await page.goto('/users/me');
        await page.getByRole('button', { name: 'Regenerate' }).click();
        const question = page.getByRole('dialog', { name: 'Regenerate API Key' });
        await isSeen(question.getByText('Are you sure you want to regenerate?'));
        await soon(() => question.locator(':focus').count()).toBe(1);
        await soon(() => question.getByRole('button').and(page.locator(':focus')).count()).toBe(0);
        await page.keyboard.press('Enter');
        await isSeen(question);
      },
      { as: admin(), browser: { reducedMotion } },
    );
    await look();
  },
);

test.each(['reduce', 'no-preference'] as const)(
  'screens 1.4: the button that opened a dialog gets the focus back, also when the dialog was loading first (motion: %s)',
  async (reducedMotion) => {
    const look = journey(
      `dialog-loading-${reducedMotion}`,
      async ({ page }) => {
        const asked = Promise.withResolvers<void>();
        const answer = Promise.withResolvers<void>();
        await page.route('**/api/networks/names*', async (route) => {
          asked.resolve();
          await answer.promise;
          await route.fulfill({ json: [] });
        });
        await page.goto('/console/channels');
        const opener = page.getByRole('button', { name: 'Add Channel' }).first();
        await opener.focus();
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog', { name: 'Add Channel' });
        await asked.promise;
        await soon(() => dialog.locator(':focus').count()).toBe(1);
        answer.resolve();
        await isSeen(dialog.getByText('A channel needs a network first.'));
        await page.keyboard.press('Escape');
        await isGone(dialog);
        await soon(() => hasFocus(opener)).toBe(true);
      },
      { as: admin(), browser: { reducedMotion } },
    );
    await look();
  },
);

test(
  'Ctrl+K opens the search again while it is still closing, and closes it; the focus goes back to where it was',
  journey(
    'search-again',
    async ({ page }) => {
      await page.goto('/');
      const opener = page.getByRole('button', { name: 'Search everywhere' });
      const box = page.getByRole('combobox', { name: 'Search everywhere' });
      await opener.click();
      await soon(() => hasFocus(box)).toBe(true);
      await box.fill('typed before');
      // In one go: the closing takes a moment, which the second key must not miss.
      await page.evaluate(`(() => {
        const press = (key, more) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
        press('Escape', { code: 'Escape', keyCode: 27 });
        setTimeout(() => press('k', { ctrlKey: true }), 30);
      })()`);
      await soon(() => box.inputValue()).toBe('');
      await soon(() => hasFocus(box)).toBe(true);
      await page.keyboard.press('Control+k');
      await isGone(box);
      await soon(() => hasFocus(opener)).toBe(true);
    },
    { as: admin(), browser: { reducedMotion: 'no-preference' } },
  ),
);
