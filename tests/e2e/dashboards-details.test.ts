import { unsafeShareMessage } from '@telltale/domain/dashboards/contract.ts';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { makeDashboard, makeQuery, makeWidget, saveSettings } from './support/dashboards.ts';
import { journey } from './support/journey.ts';
import { admin, makeGroup, makePerson } from './support/people.ts';
import { choose } from './support/queries.ts';
import { dialog, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const half = { col: 0, row: 0, sizeX: 3, sizeY: 8 };
const widget = (page: Page, name: string) => page.getByRole('article', { name });

test(
  'D3: values come from the dashboard, the widget or are fixed; titles are shared; the address carries them',
  journey(
    'dashboards-parameters',
    async ({ page, shot }) => {
      const limit = (title: string) => ({ name: 'limit', type: 'number', value: 20, title });
      const one = await makeQuery('Over one', 'select * from $stations where temp > {{ limit }}', [limit('Limit')]);
      const two = await makeQuery('Over two', 'select * from $stations where temp > {{ limit }}', [limit('Limit')]);
      const board = await makeDashboard('Parameters');
      const mapped = { limit: { name: 'limit', type: 'dashboard-level', mapTo: 'limit', value: null, title: '' } };
      await makeWidget(board.id, one.table, half, { parameterMappings: mapped });
      await makeWidget(board.id, two.table, { ...half, col: 3 }, { parameterMappings: mapped });
      await page.goto(`${board.url}?p_limit=25`);
      await isSeen(widget(page, one.name).getByText('Rome'));
      await soon(() => widget(page, one.name).getByText('Oslo').count()).toBe(0);

      const edit = async () => {
        await widget(page, one.name).hover();
        await page.getByRole('button', { name: `Menu of ${one.name}` }).click();
        await page.getByRole('menuitem', { name: 'Edit Parameters' }).click();
      };
      await edit();
      const form = dialog(page, 'Parameters');
      await form.getByTitle('Edit Title of limit').click();
      await soon(() => form.getByLabel('Title of limit').getAttribute('maxlength')).toBe('100');
      await form.getByLabel('Title of limit').fill('Warmer than');
      await page.keyboard.press('Enter');
      await shot('titles');
      await form.getByRole('button', { name: 'OK', exact: true }).click();
      await isGone(form);
      await isSeen(page.getByText('Warmer than', { exact: true }));

      // Of its own: a second input, on the widget.
      await edit();
      await page.getByRole('button', { name: 'Edit source and value of limit' }).click();
      await page.getByText('Widget parameter').last().click();
      await page.locator('.ant-popover').getByRole('button', { name: 'OK' }).click();
      await form.getByRole('button', { name: 'OK', exact: true }).click();
      await isGone(form);
      const own = widget(page, one.name).getByRole('spinbutton');
      await isSeen(own);
      await own.fill('19');
      await page.keyboard.press('Control+Enter');
      await soon(() => placeOf(page)).toMatch(/p_w\d+_limit=19/);
      await isSeen(widget(page, one.name).getByText('Oslo'));
      await shot('widget-level');

      // Fixed: nobody is asked.
      await edit();
      await page.getByRole('button', { name: 'Edit source and value of limit' }).click();
      await page.getByText('Static value').last().click();
      await page.locator('.ant-popover').getByRole('spinbutton').fill('26');
      await page.locator('.ant-popover').getByRole('button', { name: 'OK' }).click();
      await form.getByRole('button', { name: 'OK', exact: true }).click();
      await isGone(form);
      await soon(() => widget(page, one.name).getByRole('spinbutton').count()).toBe(0);
      await soon(() => widget(page, one.name).getByText('Oslo').count()).toBe(0);
      await isSeen(widget(page, one.name).getByText('Rome'));
    },
    { as: admin() },
  ),
);

test(
  'D2, visualizations 20.4: filters of the dashboard choose in every widget and stand in the address; a widget may choose something else',
  journey(
    'dashboards-filters',
    async ({ page, shot }) => {
      const text = 'select city as "city::multi-filter", temp from $stations';
      const [one, two] = [await makeQuery('Filtered one', text), await makeQuery('Filtered two', text)];
      const board = await makeDashboard('Filters');
      await makeWidget(board.id, one.table, half);
      await makeWidget(board.id, two.table, { ...half, col: 3 });
      await page.goto(`${board.url}?edit`);
      await isSeen(widget(page, one.name).getByText('21.50'));
      await page.getByLabel('Use Dashboard Level Filters').click();
      // One for all, and one of each widget.
      await soon(() => page.getByRole('combobox', { name: 'City' }).count()).toBe(3);
      const forAll = page.getByRole('combobox', { name: 'City' }).first();
      await page.getByRole('button', { name: 'Done Editing' }).click();
      await isSeen(page.getByText('+1 more').first());
      await forAll.click();
      await page.getByTitle('Clear', { exact: true }).click();
      await soon(() => widget(page, one.name).getByText('21.50').count()).toBe(0);
      await page.getByTitle('Rome', { exact: true }).click();
      for (const { name } of [one, two]) {
        await isSeen(widget(page, name).getByText('27.00'));
        await soon(() => widget(page, name).getByText('21.50').count()).toBe(0);
      }
      await page.keyboard.press('Escape');
      await soon(() => new URL(page.url()).searchParams.getAll('city::multi-filter')).toEqual(['Rome']);
      await shot('chosen');

      const own = widget(page, one.name).getByRole('combobox', { name: 'City' });
      await choose(page, own, 'Oslo');
      await page.keyboard.press('Escape');
      await isSeen(widget(page, one.name).getByText('21.50'));
      await soon(() => widget(page, two.name).getByText('21.50').count()).toBe(0);
      await soon(() => new URL(page.url()).searchParams.getAll('city::multi-filter')).toEqual(['Rome']);

      await page.reload();
      await isSeen(widget(page, two.name).getByText('27.00'));
      await soon(() => widget(page, two.name).getByText('21.50').count()).toBe(0);

      await page.goto(`${board.url}?edit`);
      await page.getByLabel('Use Dashboard Level Filters').click();
      await soon(() => page.getByRole('combobox', { name: 'City' }).count()).toBe(2);
      await page.goto(`${board.url}?city::multi-filter=Rome`);
      await soon(() => page.getByRole('combobox', { name: 'City' }).count()).toBe(3);
      await isSeen(widget(page, one.name).getByText('27.00'));
      await choose(page, forAll, 'Select All');
      for (const { name } of [one, two]) await isSeen(widget(page, name).getByText('21.50'));
      await soon(() => page.getByRole('combobox', { name: 'City' }).count()).toBe(3);
    },
    { as: admin() },
  ),
);

test(
  'screens 9.4, visualizations 2.3: an expanded widget has the filters of the widget; a value it lacks leaves no rows',
  journey(
    'dashboards-widget-filters',
    async ({ page }) => {
      const query = await makeQuery('Filtered here', 'select city as "city::filter", temp from $stations');
      const board = await makeDashboard('Widget filters');
      await makeWidget(board.id, query.table, half);
      await page.goto(board.url);
      const place = widget(page, query.name);
      await isSeen(place.getByText('21.50'));
      await choose(page, place.getByRole('combobox', { name: 'City' }), 'Rome');
      await isSeen(place.getByText('27.00'));
      await place.hover();
      await page.getByRole('button', { name: `Expand ${query.name}` }).click();
      const expanded = dialog(page, query.name);
      await isSeen(expanded.getByText('27.00'));
      await choose(page, expanded.getByRole('combobox', { name: 'City' }), 'Oslo');
      await isSeen(expanded.getByText('21.50'));
      await expanded.getByRole('button', { name: 'Close' }).last().click();
      await isGone(expanded);
      await isSeen(place.getByText('21.50'));

      await page.goto(`${board.url}?city::filter=Nowhere`);
      await isSeen(place.getByRole('combobox', { name: 'City' }));
      await place.getByRole('figure').waitFor({ state: 'attached' });
      await soon(() => place.getByText(/\d\d\.\d\d/).count()).toBe(0);
    },
    { as: admin() },
  ),
);

test(
  'D5, D6: free text is not shared, strangers see what they may see, and public addresses can be switched off',
  journey(
    'dashboards-access',
    async ({ page, faults, visit, shot }) => {
      const free = await makeQuery('Free text', "select * from $stations where city = '{{ city }}'", [
        { name: 'city', type: 'text', value: 'Oslo' },
      ]);
      const board = await makeDashboard('Guarded');
      await makeWidget(board.id, free.table, half);
      await page.goto(board.url);
      await page.getByRole('button', { name: 'Dashboard Sharing Options' }).click();
      const share = dialog(page, 'Share Dashboard');
      await isSeen(share.getByText(unsafeShareMessage));
      await soon(() => share.getByRole('switch').isDisabled()).toBe(true);
      await shot('unsafe');
      await share.getByRole('button', { name: 'Close' }).last().click();

      const nobody = await makePerson('Nora Nosource', [await makeGroup('No sources', ['list_dashboards', 'view_query'])]);
      const other = await visit({ as: nobody });
      await other.page.goto(board.url);
      await isSeen(other.page.getByText("This widget requires access to a data source you don't have access to."));
      await other.shot('restricted');
      await soon(() => other.page.getByRole('button', { name: 'More actions' }).count()).toBe(0);

      const safe = await makeDashboard('Open');
      await makeWidget(safe.id, 'Hello', half);
      await page.goto(safe.url);
      await page.getByRole('button', { name: 'Dashboard Sharing Options' }).click();
      await share.getByRole('switch').click();
      const address = await share.getByLabel('Secret address', { exact: true }).inputValue();
      const guest = await visit();
      await guest.page.goto(address);
      await isSeen(guest.page.getByText('Hello'));
      try {
        await saveSettings({ disable_public_urls: true, disable_fullscreen: true });
        await guest.page.reload();
        await isGone(guest.page.getByText('Hello'));
        await page.goto(`${safe.url}?fullscreen`);
        await isSeen(page.getByText('Hello'));
        await isSeen(page.getByRole('navigation', { name: 'Main', exact: true }));
        await soon(() => page.getByRole('button', { name: /Sharing|Fullscreen/ }).count()).toBe(0);
      } finally {
        await saveSettings({ disable_public_urls: false, disable_fullscreen: false });
      }
      guest.faults.allow(/404 .*/);
      faults.allow(/403 .*/);
      await guest.page.goto(`${address}x`);
      await isSeen(guest.page.getByRole('alert'));
      await soon(() => guest.page.getByText('Hello').count()).toBe(0);
    },
    { as: admin() },
  ),
);

test(
  'D4: refresh, fullscreen and old addresses; on a phone a single column without editing',
  journey(
    'dashboards-view',
    async ({ page, visit, shot }) => {
      const query = await makeQuery('Now', 'select now() as at, city from $stations');
      const board = await makeDashboard('Look at this');
      await makeWidget(board.id, query.table, half);
      await makeWidget(board.id, '# On the right', { ...half, col: 3 });
      await page.addInitScript(`globalThis.shifted = 0; new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });`);
      await page.goto(`/dashboard/${board.slug}?refresh=1`);
      await soon(() => placeOf(page)).toBe(`${board.url}?refresh=1`);
      await isSeen(widget(page, query.name).getByText('Oslo'));
      await soon(() => page.evaluate<number>('shifted')).toBeLessThan(0.05);
      await page.getByRole('button', { name: 'Auto refresh' }).click();
      await shot('intervals');
      await page.getByRole('menuitem', { name: 'Disable auto refresh' }).click();
      await soon(() => placeOf(page)).toBe(board.url);
      await page.getByRole('button', { name: 'Auto refresh' }).click();
      const off = page.getByRole('menuitem', { name: 'Disable auto refresh' });
      await soon(() => off.getAttribute('aria-disabled')).toBe('true');
      await page.keyboard.press('Escape');
      await isGone(off);
      await page.getByRole('button', { name: 'Enable Fullscreen display' }).click();
      await isGone(page.getByRole('navigation', { name: 'Main', exact: true }));
      await soon(() => placeOf(page)).toBe(`${board.url}?fullscreen`);
      await page.getByRole('button', { name: 'Disable Fullscreen display' }).click();
      await isSeen(page.getByRole('navigation', { name: 'Main', exact: true }));

      await page.getByRole('button', { name: `Expand ${query.name}` }).focus();
      await page.keyboard.press('Enter');
      const expanded = dialog(page, query.name);
      await isSeen(expanded.getByText('Oslo'));
      await soon(async () => Math.round(((await expanded.boundingBox())?.width ?? 0) / 14.4)).toBe(95);
      await expanded.getByRole('button', { name: 'Close' }).last().click();
      await isGone(expanded);
      await soon(() => accessibilityFaults(page)).toEqual([]);

      await page.getByRole('button', { name: `Menu of ${query.name}` }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Remove from Dashboard' }).click();
      const ask = dialog(page, 'Delete Widget');
      await isSeen(ask.getByText('Are you sure you want to remove this widget from the dashboard?'));
      await ask.getByRole('button', { name: 'Delete' }).click();
      await isGone(widget(page, query.name));
      await page.getByRole('button', { name: 'Undo' }).click();
      await isSeen(widget(page, query.name).getByText('Oslo'));

      const phone = await visit({ as: admin(), width: 390, theme: 'dark' });
      await phone.page.goto(`${board.url}?edit`);
      await isSeen(widget(phone.page, query.name).getByText('Oslo'));
      await soon(() => phone.page.getByRole('button', { name: 'Done Editing' }).count()).toBe(0);
      await soon(() => overflow(phone.page)).toEqual([]);
      await phone.shot('phone');
    },
    { as: admin() },
  ),
);

test(
  'Q8: a picture goes from its query to a dashboard, and the notice leads there',
  journey(
    'dashboards-from-query',
    async ({ page, faults, shot }) => {
      const query = await makeQuery('To be added');
      const board = await makeDashboard('Gets a widget');
      await page.goto(`/queries/${query.id}`);
      await page.getByRole('button', { name: 'Result actions' }).click();
      await page.getByRole('menuitem', { name: 'Add to Dashboard' }).click();
      const form = dialog(page, 'Add to Dashboard');
      await isSeen(form.getByText('Choose the dashboard to add this query to:'));
      await soon(() => form.getByRole('button', { name: 'OK', exact: true }).isDisabled()).toBe(true);
      await form.getByLabel('Search a dashboard by name').fill('Gets a');
      await form.getByRole('button', { name: 'Gets a widget' }).click();
      faults.allow(/400 .*/);
      await page.route('**/api/widgets', (route) => route.fulfill({ status: 400, json: { message: 'No.' } }), { times: 1 });
      await form.getByRole('button', { name: 'OK', exact: true }).click();
      await isSeen(notice(page, 'Widget not added.'));
      await shot('refused');
      await form.getByRole('button', { name: 'OK', exact: true }).click();
      await isGone(form);
      await isSeen(page.locator('.ant-notification').getByText('Widget added to dashboard'));
      await page.locator('.ant-notification').getByRole('link', { name: board.name }).click();
      await isSeen(widget(page, query.name).getByText('Oslo'));
      await soon(() => placeOf(page)).toBe(board.url);
    },
    { as: admin() },
  ),
);
