import { type DataSourceFields, dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Journey, journey, type VisitOptions } from './support/journey.ts';
import { admin, adminClient } from './support/people.ts';
import { cell, makeQuery, write } from './support/queries.ts';
import { dialog, hasFocus, isGone, isSeen, soon } from './support/screen.ts';

/** Runs that outlast the page, the socket or the connection, and what can be done about them by keyboard. */
const endless = 'select count(*) from generate_series(1, 1000000000000) i';
/** Icons lend their names to buttons, in front of their own. */
const button = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`(^| )${name}$`) });
const fault = (page: Page, text: string) => isSeen(page.getByRole('alert').getByText(text, { exact: true }));
const timer = (page: Page) => page.getByText(/^\d\d:\d\d$/).innerText();
const bar = (page: Page, text: string) => isSeen(page.locator('footer').getByText(text, { exact: true }));
const running = (name: string, steps: (journey: Journey) => Promise<void>, options: VisitOptions = {}) =>
  test(name, journey('queries-running', steps, { as: admin(), ...options }));

running(
  'Q4: a run that outlasts its page is followed after a reload, from its real start, and can be cancelled',
  async ({ page, shot }) => {
    const query = await makeQuery({ name: 'Endless', query: endless });
    await page.goto(`/queries/${query.id}/source`);
    await button(page, 'Execute').click();
    await isSeen(page.getByText('Executing query…'));
    await soon(() => button(page, 'Execute').getAttribute('aria-disabled')).toBe('true');
    const seconds = async () => Number((await timer(page)).slice(3));
    await soon(seconds).toBeGreaterThanOrEqual(3);
    await page.reload();
    await isSeen(page.getByText('Executing query…'));
    expect(await seconds()).toBeGreaterThanOrEqual(3);
    await bar(page, 'Running…');
    await shot('resumed');
    // Also on the query's other page.
    await page.getByRole('link', { name: 'Show Results Only' }).click();
    await isSeen(button(page, 'Refresh'));
    await isSeen(page.getByText('Executing query…'));

    await button(page, 'Cancel').focus();
    await page.keyboard.press('Enter');
    await fault(page, 'Query cancelled by user.');
    await bar(page, 'Cancelled');
    await soon(() => hasFocus(button(page, 'Refresh'))).toBe(true);
    await shot('cancelled');
    await page.reload();
    await isSeen(page.getByText('Query Has no Result — Execute/Refresh the query to show results.'));
    await bar(page, 'Not run yet');
  },
);

running('Q9: a live socket that falls silent holds up neither the result nor Cancel', async ({ page }) => {
  await page.routeWebSocket(/\/api\/live/, (socket) => {
    let told = 0;
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      if (++told === 1) socket.send(message);
    });
  });
  await page.goto('/queries/new');
  await write(page, 'select count(*) as many, pg_sleep(3) from generate_series(1, 10) i');
  await button(page, 'Execute').click();
  await isSeen(page.getByText('Executing query…'));
  // Asked for after 15 s, whatever the socket has told.
  await cell(page, '10').waitFor();

  await write(page, endless);
  await button(page, 'Execute').click();
  await isSeen(page.getByText('Executing query…'));
  await button(page, 'Cancel').click();
  await fault(page, 'Query cancelled by user.');
});

running('Q8: whoever loses the connection while a query runs is told soon', async ({ page, context, faults }) => {
  faults.allow(/Failed to load resource|WebSocket|net::/);
  await page.goto('/queries/new');
  await write(page, endless);
  await button(page, 'Execute').click();
  await isSeen(page.getByText('Executing query…'));
  await context.setOffline(true);
  await fault(page, 'failed communicating with server. Please check your Internet connection and try again.');
  await bar(page, 'Failed');
  await context.setOffline(false);
  // Whoever asks again joins the run that goes on.
  await button(page, 'Execute').click();
  await isSeen(page.getByText('Executing query…'));
  await button(page, 'Cancel').click();
  await fault(page, 'Query cancelled by user.');
});

running('menus are opened, walked through and left by keyboard', async ({ page }) => {
  const query = await makeQuery({ name: 'With menus', query: "select 'menus' as one" });
  await page.goto(`/queries/${query.id}`);
  await button(page, 'Refresh Now').click();
  await isSeen(cell(page, 'one'));
  const opener = button(page, 'Result actions');
  const entry = (name: string) => page.getByRole('menuitem', { name });
  /** Of an entry that is a link, the link has the focus. */
  const isAt = (name: string) => soon(() => page.locator('[role=menuitem]:focus-within', { hasText: name }).count()).toBe(1);
  expect(await opener.getAttribute('aria-haspopup')).toBe('menu');
  expect(await opener.getAttribute('aria-expanded')).toBe('false');
  await opener.focus();
  await page.keyboard.press('Enter');
  await isAt('Add to Dashboard');
  await soon(() => opener.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('ArrowDown');
  await isAt('Embed Elsewhere');
  await page.keyboard.press('Escape');
  await soon(() => hasFocus(opener)).toBe(true);
  await isGone(entry('Embed Elsewhere'));

  await page.keyboard.press('ArrowDown');
  await isAt('Add to Dashboard');
  const file = page.waitForEvent('download');
  for (const next of ['Embed Elsewhere', 'Download as CSV File']) {
    await page.keyboard.press('ArrowDown');
    await isAt(next);
  }
  await page.keyboard.press('Enter');
  expect((await file).suggestedFilename()).toMatch(/\.csv$/);
  await soon(() => hasFocus(opener)).toBe(true);
  await isGone(entry('Download as CSV File'));

  // What an entry opens gives the focus back to the button.
  await page.keyboard.press('Enter');
  await isAt('Add to Dashboard');
  await page.keyboard.press('Enter');
  await isSeen(dialog(page, 'Add to Dashboard'));
  await isGone(entry('Add to Dashboard'));
  await page.keyboard.press('Escape');
  await isGone(dialog(page, 'Add to Dashboard'));
  await soon(() => hasFocus(opener)).toBe(true);
});

running('a query whose source was deleted says so on both pages', async ({ page, shot }) => {
  const client = await adminClient();
  const body: DataSourceFields = { name: 'Short-lived', type: 'pg', options: { host: '127.0.0.1', port: 1, dbname: 'x', user: 'x' } };
  const source = await client.get(dataSourcesApi.create, { body });
  const query = await makeQuery({ name: 'Orphan', query: 'select 1', data_source_id: source.id });
  await client.get(dataSourcesApi.remove, { params: { id: source.id } });
  for (const path of [`/queries/${query.id}`, `/queries/${query.id}/source`]) {
    await page.goto(path);
    await isSeen(page.getByRole('region', { name: 'Result' }).getByText('The data source of this query was deleted. Choose another one.'));
  }
  await shot('orphan');
});

running('Q5: a query whose values are still to be given opens without an error; asked for, it says what is missing', async ({ page }) => {
  const parameters = [{ name: 'n', title: 'How many', type: 'number', value: null }] as const;
  const query = await makeQuery({ name: 'Asks first', query: 'select {{ n }} as n', options: { parameters: [...parameters] } });
  await page.goto(`/queries/${query.id}`);
  await isSeen(page.getByText('Query Has no Result — Execute/Refresh the query to show results.'));
  await button(page, 'Refresh Now').click();
  await fault(page, 'missing value for How many parameter.');
  await bar(page, 'Failed');
});

running(
  'screens 1.9, 5.2, 5.10: on a small screen Publish is in the menu and the tools of the result have no text',
  async ({ page, shot }) => {
    const query = await makeQuery({ name: 'On a phone', query: "select 'phone' as one" });
    await page.goto(`/queries/${query.id}`);
    await button(page, 'Refresh Now').click();
    await isSeen(cell(page, 'one'));
    expect(await button(page, 'Publish').count()).toBe(0);
    expect(await button(page, 'Edit Visualization').innerText()).toBe('');
    const { height } = (await page.locator('footer').boundingBox()) ?? { height: 0 };
    expect(height).toBeLessThan(80);
    await shot('small');
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Publish' }).click();
    await isGone(page.getByText('Unpublished'));
  },
  { width: 390, height: 844 },
);

running('screens 5.7: whoever refreshes the schema has the list of databases read anew, too', async ({ page, faults }) => {
  faults.allow(/500/);
  const client = await adminClient();
  const body: DataSourceFields = { name: 'Away for now', type: 'pg', options: { host: '127.0.0.1', port: 1, dbname: 'x', user: 'x' } };
  const source = await client.get(dataSourcesApi.create, { body });
  const query = await makeQuery({ name: 'Waits', query: 'select 1', data_source_id: source.id });
  await page.route('**/api/databricks/databases/*', (route) =>
    route.request().url().includes('refresh=true') ? route.fulfill({ json: ['alpha', 'beta'] }) : route.fulfill({ status: 500, json: {} }),
  );
  await page.route('**/api/data_sources/*/schema*', (route) => route.fulfill({ json: { schema: [{ name: 'boats', columns: [] }] } }));
  await page.goto(`/queries/${query.id}/source`);
  const failed = page.getByText('Failed to load Database list. Please try again later.');
  await isSeen(failed);
  await button(page, 'Refresh Schema').click();
  await isGone(failed);
  await page.getByLabel('Database').click();
  await isSeen(page.getByTitle('beta', { exact: true }));
  await client.get(dataSourcesApi.remove, { params: { id: source.id } });
});
