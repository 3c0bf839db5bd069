import { usersApi } from '@telltale/domain/users/contract.ts';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { journey } from './support/journey.ts';
import { admin, adminClient, invitePerson, makeGroup, makePerson } from './support/people.ts';
import { dialog, hasFocus, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const total = 45;
const listCall = /\/api\/users\?/;

beforeAll(async () => {
  const { count } = await (await adminClient()).get(usersApi.list, { query: { pending: 'false' } });
  const names = Array.from({ length: total - count }, (_, at) => `Listed ${String(at).padStart(2, '0')}`);
  while (names.length > 0) await Promise.all(names.splice(0, 5).map((name) => makePerson(name)));
});

const rows = (page: Page) => page.getByRole('table').locator('tbody tr');
const range = (page: Page, text: string) => page.getByText(text, { exact: true });
const namesOf = (page: Page) => rows(page).locator('td:first-child a').allTextContents();
const rowOf = (page: Page, name: string) => rows(page).filter({ has: page.getByRole('link', { name, exact: true }) });

test(
  'screens 4: the list is loaded in the shape of rows, paged, sorted, and its state lives in the address',
  journey(
    'users',
    async ({ page, faults, shot }) => {
      const released = Promise.withResolvers<void>();
      await page.route(listCall, async (route) => {
        await released.promise;
        await route.continue();
      });
      await page.goto('/users');
      await isSeen(rows(page));
      await soon(() => page.getByRole('table').getAttribute('aria-busy')).toBe('true');
      await soon(() => rows(page).count()).toBe(10);
      await shot('skeleton');
      released.resolve();
      await isSeen(range(page, `1–20 of ${total}`));
      await page.unroute(listCall);
      await soon(() => rows(page).count()).toBe(20);
      await shot('list');

      await page.getByRole('button', { name: 'Page 3' }).click();
      await isSeen(range(page, `41–${total} of ${total}`));
      await soon(() => placeOf(page)).toBe('/users?page=3');
      await page.reload();
      await isSeen(range(page, `41–${total} of ${total}`));

      await page.getByRole('button', { name: 'Name', exact: true }).click();
      await isSeen(page.locator('th[aria-sort="ascending"]', { hasText: 'Name' }));
      await soon(() => placeOf(page)).toBe('/users?order=name');
      await isSeen(range(page, `1–20 of ${total}`));
      const ascending = await namesOf(page);
      await page.getByRole('button', { name: 'Name', exact: true }).click();
      await isSeen(page.locator('th[aria-sort="descending"]', { hasText: 'Name' }));
      await soon(() => namesOf(page)).not.toEqual(ascending);
      await soon(() => placeOf(page)).toBe('/users?order=-name');

      faults.allow(/4\d\d .*\/api\/users\?.*page=/);
      await page.goto('/users?page=99');
      await isSeen(range(page, `41–${total} of ${total}`));
      await soon(() => placeOf(page)).toBe('/users?page=3');
      await page.goto('/users?page=-1&page_size=none');
      await isSeen(range(page, `1–20 of ${total}`));
    },
    { as: admin() },
  ),
);

test(
  'Q9: a search is sent 200 ms after the last key, resets the page, and Back finds it again',
  journey(
    'users-search',
    async ({ page, shot }) => {
      const asked: string[] = [];
      page.on('request', (request) => listCall.test(request.url()) && asked.push(new URL(request.url()).searchParams.get('q') ?? ''));
      // On a busy machine keys may be further apart than that: then it is typed anew.
      for (let left = 5; left > 0 && asked.filter((term) => term !== '').length !== 1; left--) {
        asked.length = 0;
        await page.goto('/users?page=2');
        await isSeen(range(page, `21–40 of ${total}`));
        await page.getByLabel('Search Users').pressSequentially('listed 1');
        await soon(() => placeOf(page)).toBe('/users?q=listed+1');
        await soon(async () => (await namesOf(page)).every((name) => name.startsWith('Listed 1'))).toBe(true);
        await isSeen(rowOf(page, 'Listed 10'));
      }
      expect(asked.filter((term) => term !== '')).toEqual(['listed 1']);

      await page.getByRole('link', { name: 'Listed 10' }).click();
      await soon(() => page.title()).toBe('Listed 10');
      await page.goBack();
      await isSeen(page.getByRole('link', { name: 'Listed 11' }));
      await soon(() => page.getByLabel('Search Users').inputValue()).toBe('listed 1');
      await page.goForward();
      await soon(() => page.title()).toBe('Listed 10');
      await page.goBack();

      await page.getByLabel('Search Users').fill('nobody is called so');
      await isSeen(page.getByText("Sorry, we couldn't find anything."));
      await shot('nothing');
      await page.getByLabel('Search Users').press('Escape');
      await isSeen(range(page, `1–20 of ${total}`));
      await soon(() => placeOf(page)).toBe('/users');
    },
    { as: admin() },
  ),
);

test(
  'Q9: a chosen page size is remembered over a reload and stays on the page where that exists',
  journey(
    'users-size',
    async ({ page }) => {
      await page.goto('/users?page=2');
      await isSeen(range(page, `21–40 of ${total}`));
      const sizes = page.getByLabel('Items per page');
      await soon(() => sizes.locator('option').allTextContents()).toEqual([
        '5 / page',
        '10 / page',
        '20 / page',
        '50 / page',
        '100 / page',
      ]);
      await sizes.selectOption('5');
      await isSeen(range(page, `6–10 of ${total}`));
      await soon(() => rows(page).count()).toBe(5);
      await page.goto('/users');
      await isSeen(range(page, `1–5 of ${total}`));
      await page.getByRole('button', { name: 'Page 9' }).click();
      await isSeen(range(page, `41–45 of ${total}`));
      await sizes.selectOption('100');
      await isSeen(range(page, `1–${total} of ${total}`));
      await soon(() => page.getByRole('button', { name: 'Next page' }).count()).toBe(0);
      await soon(() => rows(page).count()).toBe(total);
    },
    { as: admin() },
  ),
);

test(
  'screens 15: a list that cannot be read says why and offers another try; rows that were read stay',
  journey(
    'users-error',
    async ({ page, faults, shot }) => {
      faults.allow(/500/);
      const fail = () =>
        page.route(listCall, (route) => route.fulfill({ status: 500, json: { message: 'The disk is full.' } }), { times: 1 });
      await fail();
      await page.goto('/users');
      await isSeen(page.getByText('The disk is full.'));
      await shot('first-load');
      await page.getByRole('button', { name: 'Retry' }).click();
      await isSeen(range(page, `1–20 of ${total}`));

      await fail();
      await page.getByRole('button', { name: 'Page 2' }).click();
      await isSeen(page.getByText('The disk is full.'));
      await page.getByRole('button', { name: 'Retry' }).click();
      await isSeen(range(page, `21–40 of ${total}`));

      // Read again after a change: what was there stays, and says that it is old.
      await page.goto('/users?q=Listed+0');
      await isSeen(rowOf(page, 'Listed 00'));
      await fail();
      await page.getByRole('button', { name: 'Disable Listed 00' }).click();
      await isSeen(page.getByRole('alert').filter({ hasText: 'Not up to date' }).getByText('The disk is full.'));
      await shot('stale');
      await soon(() => rowOf(page, 'Listed 00').count()).toBe(1);
      await page.getByRole('button', { name: 'Retry' }).click();
      await isGone(rowOf(page, 'Listed 00'));
      await page.getByRole('button', { name: 'Undo' }).click();
      await isSeen(rowOf(page, 'Listed 00'));
      await soon(() => page.getByText('Not up to date').count()).toBe(0);
    },
    { as: admin() },
  ),
);

test(
  'A8: disabling and enabling act at once, tell it in the exact words, and can be undone; nobody acts on themself',
  journey(
    'users-disable',
    async ({ page, faults, shot, visit }) => {
      const victim = await makePerson('Victor Disabled');
      const there = await visit({ as: victim });
      await there.page.goto('/users/me');
      await page.goto('/users?q=Disabled');
      await page.getByRole('button', { name: `Disable ${victim.name}` }).click();
      await isSeen(notice(page, `User ${victim.name} is now disabled.`));
      await shot('toast');
      await isGone(rowOf(page, victim.name));
      await page.getByRole('button', { name: 'Undo' }).click();
      await isSeen(notice(page, `User ${victim.name} is now enabled.`));
      await isSeen(rowOf(page, victim.name));
      there.faults.allow(/404 .*\/api\//);
      await there.page.getByRole('link', { name: 'Groups' }).first().click();
      await isSeen(there.page.getByText('Your session has expired. Please login to continue.'));

      await page.getByRole('button', { name: `Disable ${victim.name}` }).click();
      await isGone(rowOf(page, victim.name));
      await page.getByRole('link', { name: 'Disabled Users' }).click();
      await isSeen(rowOf(page, victim.name));
      await shot('disabled-view');
      await page.getByRole('link', { name: victim.name }).click();
      await isSeen(page.getByRole('button', { name: 'Enable User' }));
      await shot('disabled-profile');
      await soon(() => page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      await soon(() => page.getByText('API Key').count()).toBe(0);
      await page.goBack();
      await page.getByRole('button', { name: `Enable ${victim.name}` }).click();
      await isSeen(notice(page, `User ${victim.name} is now enabled.`));
      await isGone(rowOf(page, victim.name));

      faults.allow(/403 .*\/disable/);
      await page.goto('/users?q=Disabled');
      await page.route('**/disable', (route) => route.fulfill({ status: 403, json: { message: 'Not today.' } }), { times: 1 });
      await page.getByRole('button', { name: `Disable ${victim.name}` }).click();
      await isSeen(notice(page, 'Cannot disable user'));
      await isSeen(notice(page, 'Not today.'));

      await page.goto(`/users?q=${admin().email}`);
      await isSeen(rowOf(page, admin().name));
      await soon(() => rowOf(page, admin().name).getByRole('button').count()).toBe(0);
    },
    { as: admin() },
  ),
);

test(
  'A8: without a mail server the invitation is a link to hand over; it is accepted in another browser, or deleted',
  journey(
    'users-invite',
    async ({ page, context, faults, shot, visit }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto('/users');
      await page.getByRole('button', { name: 'New User' }).click();
      const form = dialog(page, 'Create a New User');
      await form.getByRole('button', { name: 'Create' }).click();
      await soon(() => form.getByText('This field is required.').count()).toBe(2);
      await form.getByLabel('Name').fill('Ingrid Invited');
      await form.getByLabel('Email').fill('not an address');
      await isSeen(form.getByText('This field must be a valid email.'));
      await form.getByLabel('Email').fill(admin().email);
      faults.allow(/400 .*\/api\/users/);
      await form.getByLabel('Email').press('Enter');
      await isSeen(form.getByRole('alert').getByText('Email already taken.'));
      await shot('refused');
      await form.getByLabel('Email').fill('ingrid@people.example');
      await form.getByRole('button', { name: 'Create' }).click();

      const handOver = dialog(page, 'Email not sent!');
      await isSeen(handOver.getByText('The mail server is not configured, please send the following link to Ingrid Invited:'));
      const link = await handOver.getByLabel('Link', { exact: true }).inputValue();
      expect(link).toMatch(new RegExp(`^${new URL(page.url()).origin}/invite/\\S{40,}$`));
      await handOver.getByRole('button', { name: 'Copy Link' }).click();
      await isSeen(page.getByText('Copied!'));
      await shot('link');
      await soon(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(link);
      await handOver.getByRole('button', { name: 'Close' }).last().click();
      await isSeen(rowOf(page, 'Ingrid Invited'));
      await soon(() => placeOf(page)).toBe('/users/pending');
      await isSeen(page.getByRole('columnheader', { name: 'Joined' }));
      await shot('pending');

      const guest = await visit();
      await guest.page.goto(link);
      await guest.page.getByLabel('Password').fill('ingrids password');
      await guest.page.getByRole('button', { name: 'Set Password' }).click();
      await isSeen(guest.page.getByRole('heading', { name: 'Welcome to Telltale, Ingrid Invited' }));
      await page.goto('/users?q=ingrid');
      await isSeen(rowOf(page, 'Ingrid Invited'));

      const unwanted = await invitePerson('Ulla Unwanted');
      await page.goto('/users/pending?q=Unwanted');
      await page.getByRole('button', { name: 'Delete Ulla Unwanted' }).click();
      await isSeen(notice(page, 'User Ulla Unwanted has been deleted.'));
      await isGone(rowOf(page, 'Ulla Unwanted'));
      guest.faults.allow(/400 .*\/invite\//);
      await guest.page.goto(unwanted.invite_link);
      await isSeen(guest.page.getByText('Your invite link is invalid. Bad signature. Please double-check the token.'));

      await page.goto('/users/new');
      await soon(() => hasFocus(form.getByLabel('Name'))).toBe(true);
      await page.keyboard.press('Escape');
      await isGone(form);
      await soon(() => placeOf(page)).toBe('/users');
    },
    { as: admin() },
  ),
);

test(
  'A6: who may only look sees the list without actions, and the profile of others as a card',
  journey('users-viewer', async ({ visit }) => {
    const viewer = await makePerson('Vera Viewer');
    const stranger = await makePerson('Sten Stranger', [await makeGroup('Night watch')]);
    const { page, shot } = await visit({ as: viewer });
    await page.goto('/users?q=Listed+10');
    await isSeen(rowOf(page, 'Listed 10'));
    await soon(() => page.getByRole('button', { name: 'New User' }).count()).toBe(0);
    await soon(() => page.getByRole('link', { name: 'Disabled Users' }).count()).toBe(0);
    await soon(() => rows(page).getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Listed 10' }).click();
    await isSeen(page.getByRole('link', { name: 'listed.10@people.example' }));
    await soon(() => page.getByRole('textbox').count()).toBe(0);
    await soon(() => page.getByText('API Key').count()).toBe(0);
    await page.goto(`/users/${stranger.id}`);
    await isSeen(page.getByRole('link', { name: 'Night watch' }));
    await shot('card', page);
  }),
);
