import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/checks.ts';
import { allowPermissions, makeDashboard, makePicture, makeQuery, makeWidget, readDashboard } from './support/dashboards.ts';
import { journey } from './support/journey.ts';
import { admin, makePerson } from './support/people.ts';
import { comeToRest, dialog, dismiss, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const number = (name: string, value: number) => ({ name, type: 'number', value, title: name });
const [grace, ranked, above, below, broken] = await Promise.all([
  makePerson('Grace Guest'),
  makeQuery('Stations by rank, the warmest of them first'),
  makeQuery('Above', 'select * from $stations where temp > {{ low }}', [number('low', 20)]),
  makeQuery('Below', 'select * from $stations where temp < {{ high }}', [number('high', 27)]),
  makeQuery('Broken', 'select nothing from nowhere'),
]);
const average = await makeQuery('Average', 'select avg(temp) as mean from $stations');
await allowPermissions();
await makePicture(average.id, 'COUNTER', 'Counter', { counterColName: 'mean' });
const shown = await makeQuery('Shown');
await makePicture(shown.id, 'CHART', 'Bars', { globalSeriesType: 'column', columnMapping: { city: 'x', temp: 'y' } });
await makePicture(shown.id, 'DETAILS', 'One by one', {});
await makePicture(shown.id, 'PIVOT', 'Crossed', {});

const widget = (page: Page, name: string) => page.getByRole('article', { name });
const saveStatus = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
/** Resolves when the page has said that it is saving and then that it has; the page itself looks, because the test may look late. */
async function watchSaving(page: Page): Promise<{ ended: () => Promise<unknown> }> {
  await page.evaluate(`window.savingEnded = new Promise((resolve) => {
    let wasSaving = false;
    const watcher = new MutationObserver(() => {
      const said = [...document.querySelectorAll('output, [role=status]')].map((status) => status.textContent);
      if (said.includes('Saving')) wasSaving = true;
      else if (wasSaving && said.includes('Saved')) {
        watcher.disconnect();
        resolve(true);
      }
    });
    watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
  }); void 0`);
  return { ended: () => page.evaluate('savingEnded') };
}
const more = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item }).waitFor();
  await comeToRest(page);
  await page.getByRole('menuitem', { name: item }).click();
};

/** The list comes in under the pointer and moves while it does: a click that it did not hear is made again. */
async function choosePicture(page: Page, picture: string): Promise<void> {
  await dialog(page, 'Add Widget').getByLabel('Choose Visualization').click();
  const choice = page.locator(`.ant-select-item-option[title="${picture}"]`).last();
  const isMade = () =>
    choice.waitFor({ state: 'hidden', timeout: 3000 }).then(
      () => true,
      () => false,
    );
  for (let attempt = 0; attempt < 3; attempt++) {
    await choice.click();
    if (await isMade()) return;
  }
}

async function addWidget(page: Page, query: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Widget' }).click();
  const form = dialog(page, 'Add Widget');
  await soon(() => form.getByRole('button', { name: 'Add to Dashboard' }).isDisabled()).toBe(true);
  await form.getByLabel('Search a query by name').fill(query);
  // The rows that were there before the search go when it is answered, and could move under a click.
  await soon(() => form.getByRole('listitem').filter({ hasNotText: query }).count()).toBe(0);
  await form.getByRole('button', { name: query }).click();
  await isSeen(form.getByLabel('Choose Visualization'));
}

test(
  'D2: a dashboard is made, filled and arranged',
  journey(
    'dashboards',
    async ({ page, shot }) => {
      await page.goto('/dashboards');
      await page.getByRole('button', { name: 'Add Dashboard' }).click();
      const form = dialog(page, 'New Dashboard');
      const name = form.getByLabel('Dashboard Name');
      const save = form.getByRole('button', { name: 'Save' });
      await soon(() => save.isDisabled()).toBe(true);
      await name.fill('   ');
      await soon(() => save.isDisabled()).toBe(true);
      await name.fill('  Harbour <b>  ');
      await shot('new');
      await page.keyboard.press('Enter');
      await isSeen(page.getByRole('heading', { name: 'Harbour <b>' }));
      await soon(() => placeOf(page)).toMatch(/^\/dashboards\/\d+-harbour-b-?\?edit$/);
      await soon(() => page.title()).toBe('Harbour <b>');
      const id = Number(/\d+/.exec(placeOf(page))?.[0]);

      // A text box, with a preview.
      await page.getByRole('button', { name: 'Add Textbox' }).click();
      const text = dialog(page, 'Add Textbox');
      await text.getByRole('textbox').fill('# Today\n\n<script>alert(1)</script>\n\n| a | b |\n|---|---|\n| 1 | 2 |');
      await isSeen(text.getByRole('heading', { name: 'Today' }));
      await isSeen(text.getByRole('cell', { name: '2' }));
      await shot('textbox');
      await text.getByRole('button', { name: 'Cancel' }).click();
      const quit = dialog(page, 'Quit editing?');
      await isSeen(quit.getByText('Changes you made so far will not be saved. Are you sure?'));
      await quit.getByRole('button', { name: 'Cancel' }).click();
      await isGone(quit);
      await text.getByRole('button', { name: 'Add to Dashboard' }).click();
      await isGone(text);
      await isSeen(widget(page, 'Text').getByText('<script>alert(1)</script>'));

      // Widgets of five kinds.
      await addWidget(page, ranked.name);
      await shot('add-widget');
      await dialog(page, 'Add Widget').getByRole('button', { name: 'Add to Dashboard' }).click();
      await isSeen(widget(page, ranked.name).getByText('Oslo'));
      await isSeen(widget(page, ranked.name).getByText('Stations by rank, th…', { exact: true }));
      await addWidget(page, average.name);
      await choosePicture(page, 'Counter');
      await dialog(page, 'Add Widget').getByRole('button', { name: 'Add to Dashboard' }).click();
      await isSeen(widget(page, 'Average').getByText('22', { exact: true }));

      for (const [picture, part] of [
        ['Bars', 'canvas'],
        ['One by one', 'table'],
        ['Crossed', 'figure'],
      ] as const) {
        await addWidget(page, shown.name);
        await choosePicture(page, picture);
        await dialog(page, 'Add Widget').getByRole('button', { name: 'Add to Dashboard' }).click();
        await isSeen(widget(page, `${picture} – ${shown.name}`).locator(part));
      }

      // Two parameters, mapped into one.
      await addWidget(page, above.name);
      await isSeen(dialog(page, 'Add Widget').getByText('Dashboard low'));
      await dialog(page, 'Add Widget').getByRole('button', { name: 'Add to Dashboard' }).click();
      await isSeen(widget(page, above.name).getByText('Rome'));
      await addWidget(page, below.name);
      await page.getByRole('button', { name: 'Edit source and value of high' }).click();
      const keyword = page.getByLabel('Keyword', { exact: true });
      await keyword.fill(' ');
      await isSeen(page.getByText('Keyword must have a value'));
      await keyword.fill('low');
      await isSeen(page.getByText('A parameter with this name already exists'));
      await shot('mapping');
      await page.getByText('Existing dashboard parameter').click();
      await page.getByRole('tooltip').or(page.locator('.ant-popover')).getByRole('button', { name: 'OK' }).click();
      await dialog(page, 'Add Widget').getByRole('button', { name: 'Add to Dashboard' }).click();
      await isGone(dialog(page, 'Add Widget'));
      await isSeen(widget(page, below.name).getByText('Bern'));
      await soon(() => page.getByRole('spinbutton').count()).toBe(1);

      // Arranged with the keys, saved by itself, and there after a reload.
      await page.getByRole('button', { name: 'Move Average' }).focus();
      const saving = await watchSaving(page);
      await page.keyboard.press('Shift+ArrowRight');
      await saving.ended();
      const saved = (await readDashboard(id)).widgets.find(({ visualization }) => visualization?.name === 'Counter');
      expect(saved?.options.position?.sizeX).toBe(3);
      await shot('edit');
      await soon(() => accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Done Editing' }).click();
      await soon(() => placeOf(page)).not.toContain('edit');
      await page.getByRole('button', { name: 'Publish' }).click();
      await isGone(page.getByText('Unpublished'));

      // One value changes both widgets, when it is applied.
      await page.getByRole('spinbutton').fill('21');
      await isSeen(widget(page, below.name).getByText('Bern'));
      await page.getByRole('button', { name: 'Apply Changes' }).click();
      await soon(() => placeOf(page)).toContain('p_low=21');
      await isSeen(widget(page, below.name).getByText('Kyiv'));
      await soon(() => widget(page, below.name).getByText('Oslo').count()).toBe(0);
      await isSeen(widget(page, above.name).getByText('Oslo'));
      await shot('view');
    },
    { as: admin() },
  ),
);

test(
  'D2: a dashboard is shared, opened to somebody and archived',
  journey(
    'dashboards-shared',
    async ({ page, shot, visit }) => {
      const { id, url } = await makeDashboard('Harbour <b>');
      await makeWidget(id, ranked.table, { col: 0, row: 0, sizeX: 3, sizeY: 8 });
      await page.goto(url);

      // Shared, and seen by somebody without an account.
      await page.getByRole('button', { name: 'Dashboard Sharing Options' }).click();
      const share = dialog(page, 'Share Dashboard');
      await share.getByRole('switch', { name: 'Allow public access' }).click();
      const address = await share.getByLabel('Secret address', { exact: true }).inputValue();
      await shot('share');
      await share.getByRole('button', { name: 'Close' }).last().click();
      const guest = await visit();
      await guest.page.goto(address);
      await isSeen(guest.page.getByRole('heading', { name: 'Harbour <b>' }));
      await isSeen(widget(guest.page, ranked.name).getByText('Oslo'));
      await soon(() => guest.page.getByRole('navigation').count()).toBe(0);
      await soon(() => guest.page.getByRole('button', { name: /Refresh|Menu of/ }).count()).toBe(0);
      await guest.shot('public');

      // Opened to somebody, and closed again.
      const other = await visit({ as: grace });
      await other.page.goto(`/dashboards/${id}`);
      await isSeen(other.page.getByRole('heading', { name: 'Harbour <b>' }));
      await other.page.getByRole('button', { name: 'More actions' }).click();
      await isSeen(other.page.getByRole('menuitem', { name: 'Fork' }));
      await soon(() => other.page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
      await more(page, 'Manage Permissions');
      const people = dialog(page, 'Manage Permissions');
      await isSeen(people.getByText('Editing this dashboard is enabled for the users in this list and for admins.'));
      await people.getByLabel('Add users').fill('Grace');
      await page.locator('.ant-select-item').getByText(grace.name).click();
      await isSeen(people.getByRole('button', { name: `Remove user permissions: ${grace.name}` }));
      await shot('permissions');
      await other.page.goto(`/dashboards/${id}?edit`);
      await isSeen(other.page.getByRole('button', { name: 'Done Editing' }));
      await people.getByRole('button', { name: `Remove user permissions: ${grace.name}` }).click();
      await isGone(people.getByRole('button', { name: `Remove user permissions: ${grace.name}` }));
      await other.page.reload();
      await isSeen(other.page.getByRole('button', { name: 'Refresh', exact: true }));
      await soon(() => other.page.getByRole('button', { name: 'Done Editing' }).count()).toBe(0);
      await people.getByRole('button', { name: 'Close' }).last().click();

      // Archived: gone from the list, and from the address that was shared.
      await more(page, 'Delete');
      const ask = dialog(page, 'Delete Dashboard');
      await isSeen(ask.getByText('Are you sure you want to archive the "Harbour <b>" dashboard?', { exact: false }));
      await ask.getByRole('button', { name: 'Delete' }).click();
      await soon(() => placeOf(page)).toMatch(/^\/dashboards$/);
      await soon(() => page.getByRole('link', { name: 'Harbour <b>' }).count()).toBe(0);
      guest.faults.allow(/404 .*/);
      await guest.page.reload();
      await isSeen(guest.page.getByRole('alert'));
      await soon(() => guest.page.getByRole('heading', { name: 'Harbour <b>' }).count()).toBe(0);
      await guest.shot('public-gone');
    },
    { as: admin() },
  ),
);

test(
  'W19: two editors move different widgets, and both moves are there',
  journey(
    'dashboards-two',
    async ({ page, visit }) => {
      const board = await makeDashboard('Two editors');
      const [one, two] = [
        await makeWidget(board.id, 'One', { col: 0, row: 0, sizeX: 2, sizeY: 3 }),
        await makeWidget(board.id, 'Two', { col: 2, row: 0, sizeX: 2, sizeY: 3 }),
      ];
      const other = await visit({ as: admin() });
      for (const each of [page, other.page]) {
        await each.goto(`${board.url}?edit`);
        await isSeen(each.locator('[data-resize]').first());
      }
      const grips = (at: Page, text: string) =>
        at.getByRole('article').filter({ hasText: text }).getByRole('button', { name: 'Move Text' });
      const positionOf = async (widget: { id: number }) =>
        (await readDashboard(board.id)).widgets.find(({ id }) => id === widget.id)?.options.position;
      await grips(page, 'Two').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await soon(() => positionOf(two)).toMatchObject({ col: 4, row: 0 });
      // The other one has not seen that, and pushes it aside with a widget of their own.
      await grips(other.page, 'One').focus();
      await other.page.keyboard.press('Shift+ArrowRight');
      await other.page.keyboard.press('Shift+ArrowDown');
      other.faults.allow(/409 .*\/layout/);
      await soon(() => positionOf(one)).toMatchObject({ sizeX: 3, sizeY: 4 });
      expect(await positionOf(two)).toMatchObject({ col: 4, row: 0 });
    },
    { as: admin() },
  ),
);

test(
  'D8: a layout that cannot be saved is notified, kept and saved with Retry',
  journey(
    'dashboards-retry',
    async ({ page, faults, shot }) => {
      const board = await makeDashboard('Tried again');
      const made = await makeWidget(board.id, 'Alone', { col: 0, row: 0, sizeX: 2, sizeY: 3 });
      await page.goto(`${board.url}?edit`);
      await isSeen(page.locator('[data-resize]').first());
      faults.allow(/ERR_FAILED|Failed to load/);
      await page.route('**/layout', (route) => route.abort());
      await page.getByRole('button', { name: 'Move Text' }).focus();
      await page.keyboard.press('ArrowRight');
      await isSeen(notice(page, 'Error saving changes.'));
      await isSeen(saveStatus(page, 'Saving Failed'));
      await shot('failed');
      // Done Editing waits for it, and stays when it fails again.
      await page.getByRole('button', { name: 'Done Editing' }).click();
      await isSeen(page.getByRole('button', { name: 'Retry' }));
      await soon(() => placeOf(page)).toContain('edit');
      await page.unroute('**/layout');
      await page.getByRole('button', { name: 'Retry' }).click();
      await isSeen(saveStatus(page, 'Saved'));
      expect((await readDashboard(board.id)).widgets.find(({ id }) => id === made.id)?.options.position?.col).toBe(1);
    },
    { as: admin() },
  ),
);

/** The button of a dialog shows that it is at work for a moment longer than the notice takes to come, and takes no click while it does. */
const isReady = (page: Page, title: string) => isGone(dialog(page, title).locator('.ant-btn-loading'));

test(
  'D8: every failure says its own words',
  journey(
    'dashboards-failures',
    async ({ page, faults, shot }) => {
      const board = await makeDashboard('Failures');
      await makeWidget(board.id, broken.table, { col: 0, row: 0, sizeX: 3, sizeY: 4 });
      await makeWidget(board.id, 'A text', { col: 3, row: 0, sizeX: 3, sizeY: 4 });
      faults.allow(/(400|403|404|409|500) .*/);
      const refuse = (path: string, method: string, status = 400) =>
        page.route(path, (route) =>
          route.request().method() === method ? route.fulfill({ status, json: { message: 'Not today.' } }) : route.fallback(),
        );
      await page.goto('/dashboards');
      await page.getByLabel('Search Dashboards').fill('nothing is called like this');
      await isSeen(page.getByText("Sorry, we couldn't find anything."));

      await page.goto(`${board.url}?edit`);
      await isSeen(widget(page, broken.name).getByText('Error running query:'));
      await isSeen(widget(page, broken.name).getByText('nowhere', { exact: false }));

      for (const [status, said] of [
        [403, 'Dashboard update failed'],
        [409, 'It seems like the dashboard has been modified by another user. Please copy/backup your changes and reload this page.'],
      ] as const) {
        await refuse(`**/api/dashboards/${board.id}`, 'POST', status);
        await page.getByLabel('Use Dashboard Level Filters').click();
        await isSeen(notice(page, said));
        if (status === 403) await isSeen(notice(page, 'Permission Denied.'));
        await page.unroute(`**/api/dashboards/${board.id}`);
      }
      await shot('conflict');
      await dismiss(page, 'It seems like the dashboard');

      await refuse('**/api/widgets', 'POST');
      await page.getByRole('button', { name: 'Add Textbox' }).click();
      await dialog(page, 'Add Textbox').getByRole('textbox').fill('x');
      // The preview follows the text after a moment; a taller one would move the button.
      await isSeen(dialog(page, 'Add Textbox').locator('p').getByText('x', { exact: true }));
      await dialog(page, 'Add Textbox').getByRole('button', { name: 'Add to Dashboard' }).click();
      await isSeen(notice(page, 'Widget could not be added'));
      await page.unroute('**/api/widgets');
      await isReady(page, 'Add Textbox');
      await dialog(page, 'Add Textbox').getByRole('button', { name: 'Add to Dashboard' }).click();
      await isGone(dialog(page, 'Add Textbox'));

      const text = page.getByRole('article').filter({ hasText: 'A text' });
      // Screens 9.4: the × takes the place of the menu.
      await isSeen(text.getByRole('button', { name: 'Remove from Dashboard: Text' }));
      await soon(() => page.getByRole('button', { name: /^Menu of/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'Done Editing' }).click();
      await isGone(page.getByRole('button', { name: 'Done Editing' }));

      await refuse('**/api/widgets/*', 'POST');
      await text.getByRole('button', { name: 'Menu of Text' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await dialog(page, 'Edit Textbox').getByRole('textbox').fill('another');
      await isSeen(dialog(page, 'Edit Textbox').locator('p').getByText('another', { exact: true }));
      await dialog(page, 'Edit Textbox').getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Widget could not be saved'));
      await page.unroute('**/api/widgets/*');
      await isReady(page, 'Edit Textbox');
      await dialog(page, 'Edit Textbox').getByRole('button', { name: 'Save' }).click();
      await isGone(dialog(page, 'Edit Textbox'));

      await refuse('**/share', 'POST');
      await page.getByRole('button', { name: 'Dashboard Sharing Options' }).click();
      const share = dialog(page, 'Share Dashboard');
      await share.getByRole('switch').click();
      await isSeen(notice(page, 'Failed to turn on sharing for this dashboard'));
      await page.unroute('**/share');
      await share.getByRole('switch').click();
      await isSeen(share.getByLabel('Secret address', { exact: true }));
      await refuse('**/share', 'DELETE');
      await share.getByRole('switch').click();
      await isSeen(notice(page, 'Failed to turn off sharing for this dashboard'));
      await page.unroute('**/share');
      await share.getByRole('switch').click();
      await isGone(share.getByLabel('Secret address', { exact: true }));
      await share.getByRole('button', { name: 'Close' }).last().click();

      await refuse('**/acl', 'GET');
      await more(page, 'Manage Permissions');
      const people = dialog(page, 'Manage Permissions');
      await isSeen(people.getByText('Failed to load grantees list'));
      await page.unroute('**/acl');
      await people.getByRole('button', { name: 'Try again' }).click();
      await isSeen(people.getByText('Author'));
      await refuse('**/acl', 'POST');
      await people.getByLabel('Add users').fill('Grace');
      await page.locator('.ant-select-item').getByText(grace.name).click();
      await isSeen(notice(page, 'Could not grant permission to the user'));
      await page.unroute('**/acl');
      await people.getByLabel('Add users').fill('Grace');
      await page.locator('.ant-select-item').getByText(grace.name).click();
      await refuse('**/acl', 'DELETE');
      await people.getByRole('button', { name: `Remove user permissions: ${grace.name}` }).click();
      await isSeen(notice(page, 'Could not remove permission from the user'));
    },
    { as: admin() },
  ),
);
