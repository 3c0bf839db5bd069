import { beforeAll, expect, inject, test } from 'vitest';
import { journey } from './support/journey.ts';
import { admin, makePerson } from './support/people.ts';
import { findRole } from './support/processes.ts';
import { isSeen, notice } from './support/screen.ts';
import { until } from './support/until.ts';

const { url, pid } = inject('console');
const readiness = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status ?? 0;

function kill(role: 'web' | 'worker'): number {
  const killed = findRole(pid, role);
  if (!killed) throw new Error(`there is no ${role} to kill`);
  process.kill(killed, 'SIGKILL');
  return killed;
}

const carl = await makePerson('Carl Crash');
beforeAll(() => until('the console is ready', 20_000, async () => (await readiness()) === 200));

test(
  'design 2: kill -9 of the web process costs a moment: the page recovers by itself and nobody is signed out',
  journey(
    'crash',
    async ({ page, context, faults, shot, visit }) => {
      const other = await visit({ as: admin() });
      await other.page.goto('/groups');
      await page.goto('/users');
      await isSeen(page.getByRole('table'));
      for (const one of [faults, other.faults])
        one.allow(/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|50[234]/);
      const cookies = await context.cookies();

      const killed = kill('web');
      await page.getByLabel('Search Users').fill('Carl');
      await isSeen(page.getByRole('link', { name: 'Carl Crash' }));
      await shot('recovered');
      expect(findRole(pid, 'web')).not.toBe(killed);
      await other.page.getByRole('link', { name: 'default' }).click();
      await isSeen(other.page.getByRole('table'));
      for (const one of [page, other.page]) {
        expect(await one.getByText('Your session has expired. Please login to continue.').count()).toBe(0);
      }
      expect(await context.cookies()).toEqual(cookies);
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
      faults.allow(/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|50[234]/);
      kill('web');
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'The server could not be reached. Please check your Internet connection and try again.'));
      await shot('refused');
      expect(await name.inputValue()).toBe('Carl Saved');
      await until('the web process is back', 20_000, async () => (await readiness()) === 200);
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Saved.'));
      await isSeen(page.getByRole('button', { name: 'Profile menu of Carl Saved' }));
    },
    { as: carl },
  ),
);

test('design 8: /readyz tells a dead worker within five seconds, and that it is back', async () => {
  kill('worker');
  await until('/readyz says that the worker is dead', 5_000, async () => (await readiness()) === 503);
  await until('/readyz says that it is back', 20_000, async () => (await readiness()) === 200);
});
