import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { expect, test } from 'vitest';
import { hookServer } from '../../server/testing/hook-server.ts';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { consoleWithBroker } from './support/devices.ts';
import { dialog, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const hook = await hookServer();
const { client, here } = consoleWithBroker('destinations', { TELLTALE_ALLOW_PRIVATE: '127.0.0.1' });

test(
  'A2, A5 and A8: a destination is made in three steps, tried, changed and deleted',
  here('destinations', async ({ page, shot, faults }) => {
    await page.goto('/destination');
    await isSeen(page.getByText('There are no alert destinations yet.'));
    await soon(() => page.getByRole('navigation', { name: 'Settings' }).locator('[aria-current]').innerText()).toBe('Alert Destinations');
    await shot('none');
    await page.getByRole('link', { name: 'Click here to add one' }).click();
    await soon(() => placeOf(page)).toBe('/destination/new');
    const form = dialog(page, 'Create a New Alert Destination');
    await soon(() =>
      form
        .getByRole('listitem')
        .filter({ hasText: /^(Type Selection|Configuration|Done)$/ })
        .count(),
    ).toBe(3);
    await isSeen(form.getByRole('button', { name: 'Slack' }));
    await shot('kinds');
    await form.getByLabel('Search types').fill('no such kind');
    await isSeen(form.getByText("Sorry, we couldn't find anything."));
    await form.getByLabel('Search types').fill('');
    await form.getByRole('button', { name: 'Webhook', exact: true }).click();
    await form.getByRole('button', { name: 'Create' }).click();
    await soon(() => form.getByText('This field is required.').count()).toBe(2);
    await form.getByLabel('Name', { exact: true }).fill('Ops webhook');
    await form.getByLabel('Webhook URL').fill(`${hook.url}/typed`);
    await form.getByRole('button', { name: 'Send a test' }).click();
    await isSeen(notice(page, 'Test sent.'));
    await hook.callsTo('/typed');
    await shot('configuration');
    await form.getByRole('button', { name: 'Create' }).click();
    await isSeen(notice(page, 'Saved.'));
    await isSeen(page.getByRole('heading', { name: 'Ops webhook' }));
    const address = placeOf(page);
    expect(address).toMatch(/^\/destinations\/\d+$/);

    // A rename keeps the secret; a refusal of the other side is told.
    await page.getByLabel('Name', { exact: true }).fill('Operations');
    await page.getByRole('button', { name: 'Save' }).click();
    await isSeen(page.getByRole('heading', { name: 'Operations' }));
    hook.answers.push(500);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await isSeen(notice(page, 'Failed sending the test:'));
    await hook.callsTo('/typed', 2);
    await isSeen(page.getByText('Nothing was sent to this destination yet.'));
    await shot('edit');
    await soon(() => accessibilityFaults(page)).toEqual([]);

    // A name that is taken is refused in the dialog, which stays.
    faults.allow(/400/);
    await page.goto('/destinations/new');
    await form.getByRole('button', { name: 'Email', exact: true }).click();
    await form.getByLabel('Name', { exact: true }).fill('Operations');
    await form.getByLabel('Addresses').fill('a@example.com');
    await form.getByRole('button', { name: 'Create' }).click();
    await isSeen(form.getByText('Alert Destination with the name Operations already exists.'));
    await shot('refused');
    await form.getByLabel('Name', { exact: true }).fill('On call');
    await form.getByRole('button', { name: 'Create' }).click();
    await isSeen(page.getByRole('heading', { name: 'On call' }));

    await page.goto(address.replace('/destinations/', '/destination/'));
    await isSeen(page.getByRole('heading', { name: 'Operations' }));
    await page.getByRole('button', { name: 'Delete' }).click();
    const sure = dialog(page, 'Delete Alert Destination');
    await isSeen(sure.getByText('Are you sure you want to delete this alert destination?'));
    await sure.getByRole('button', { name: 'Delete' }).click();
    await isSeen(notice(page, 'Alert destination deleted successfully.'));
    await soon(() => placeOf(page)).toBe('/destinations');
    await isGone(page.getByRole('link', { name: 'Operations' }));
    await isSeen(page.getByRole('link', { name: 'On call' }));
    expect(await client().get(destinationsApi.list)).toHaveLength(1);
  }),
);

test(
  'destinations fit a phone',
  here(
    'destinations-phone',
    async ({ page, shot }) => {
      const made = await client().get(destinationsApi.create, { body: { name: 'Chat', type: 'slack', options: { url: hook.url } } });
      for (const [name, place] of Object.entries({ list: '/destinations', edit: `/destinations/${made.id}`, new: '/destination/new' })) {
        await page.goto(place);
        await isSeen(page.getByText('Chat').first());
        await page.waitForLoadState('networkidle');
        await shot(name);
        await soon(() => overflow(page)).toEqual([]);
      }
    },
    { width: 390, height: 844, theme: 'dark' },
  ),
);
