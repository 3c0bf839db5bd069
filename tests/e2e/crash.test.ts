import { beforeAll, expect, test } from 'vitest';
import { rolesOf } from '../../server/testing/processes.ts';
import { fileConsole } from './support/file-console.ts';
import { journey } from './support/journey.ts';
import { admin, makePerson } from './support/people.ts';
import { isSeen, notice, openProfileMenu, placeOf, soon } from './support/screen.ts';
import { quickest, until } from './support/until.ts';

const { url, pid } = await fileConsole();
const readiness = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status ?? 0;

function kill(role: 'web' | 'worker'): number {
  const killed = rolesOf(pid)[role];
  if (!killed) throw new Error(`there is no ${role} to kill`);
  process.kill(killed, 'SIGKILL');
  return killed;
}

/** What a browser says of a server that is not there. */
const dead = /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|dynamically imported module/;

/** The styles that the page has asked for and that are not there. */
const unstyled = `(() => {
  const links = [...document.querySelectorAll('link[rel=stylesheet]')];
  const loaded = new Set(links.filter((link) => link.sheet).map((link) => link.href));
  return links.map((link) => link.href).filter((href) => !loaded.has(href));
})()`;

const carl = await makePerson('Carl Crash');
beforeAll(() => until('the console is ready', 60_000, async () => (await readiness()) === 200));

test(
  'design 2: kill -9 of the web process costs a moment: the page recovers by itself and nobody is signed out',
  journey(
    'crash',
    async ({ page, context, faults, shot, visit }) => {
      const other = await visit({ as: admin() });
      await other.page.goto('/groups');
      await isSeen(other.page.getByRole('link', { name: 'default' }));
      await page.goto('/users');
      await isSeen(page.getByRole('table'));
      for (const one of [faults, other.faults]) one.allow(dead);
      const cookies = await context.cookies();

      const killed = kill('web');
      // One asks for data, the other for a page whose code it has not fetched yet.
      await Promise.all([page.getByLabel('Search Users').fill('Carl Cra'), other.page.getByRole('link', { name: 'default' }).click()]);
      await soon(() => page.locator('tbody tr').count()).toBe(1);
      await isSeen(page.getByRole('link', { name: carl.name }));
      await isSeen(other.page.getByRole('button', { name: 'Add Members' }));
      await isSeen(other.page.getByRole('link', { name: admin().name, exact: true }));
      await soon(() => other.page.evaluate<string[]>(unstyled)).toEqual([]);
      await shot('recovered');
      expect(rolesOf(pid).web).not.toBe(killed);
      for (const one of [page, other.page]) {
        await soon(() => one.getByText('Your session has expired. Please login to continue.').count()).toBe(0);
      }
      await soon(() => context.cookies()).toEqual(cookies);
    },
    { as: carl },
  ),
);

test(
  'a save that meets a dead server says so, keeps what was typed, and works a moment later',
  journey(
    'crash-save',
    async ({ page, faults, shot }) => {
      await page.goto('/users/me');
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('Carl Saved');
      faults.allow(dead);
      kill('web');
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'The server could not be reached. Please check your Internet connection and try again.'));
      await shot('refused');
      await soon(() => name.inputValue()).toBe('Carl Saved');
      await until('the web process is back', 60_000, async () => (await readiness()) === 200);
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Saved.'));
      await isSeen(page.getByRole('button', { name: 'Profile menu of Carl Saved' }));
    },
    { as: carl },
  ),
);

test(
  'after an update the code of a page is gone under its old name: going there reloads once, pointing there does nothing',
  journey(
    'update',
    async ({ page, faults }) => {
      await page.goto('/');
      await isSeen(page.getByRole('heading', { name: 'Welcome to Telltale' }));
      await page.evaluate('void (window.isSamePage = true)');
      faults.allow(/404 .*\/static\/|dynamically imported module/);
      let isOld = true;
      await page.route('**/static/UserPage-*.js', (route) => (isOld ? route.fulfill({ status: 404, body: 'gone' }) : route.continue()));
      const account = page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Account' });
      await Promise.all([
        page.waitForResponse('**/static/UserPage-*.js'),
        openProfileMenu(page),
        page.getByRole('link', { name: 'Account', exact: true }).hover(),
      ]);
      await page.keyboard.press('Escape');
      await soon(() => page.evaluate('window.isSamePage')).toBe(true);

      // The new console has the page: it is asked for after it was seen that the server is there.
      page.on('request', (request) => {
        if (request.url().endsWith('/ping')) isOld = false;
      });
      await Promise.all([page.waitForEvent('load'), account.click()]);
      await isSeen(page.getByLabel('Email', { exact: true }));
      await soon(() => placeOf(page)).toBe('/users/me');
    },
    { as: carl },
  ),
);

test('design 8: /readyz tells a dead worker within five seconds, and that it is back', async () => {
  const promisedMs = 5000;
  const best = await quickest(promisedMs, async () => {
    await until('/readyz says that the worker is back', 60_000, async () => (await readiness()) === 200);
    kill('worker');
    return () => until('/readyz says that the worker is dead', 60_000, async () => (await readiness()) === 503);
  });
  expect(best).toBeLessThan(promisedMs);
  await until('/readyz says that the worker is back', 60_000, async () => (await readiness()) === 200);
});
