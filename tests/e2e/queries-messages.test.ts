import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DataSourceFields, dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fileConsole } from './support/file-console.ts';
import { type Journey, journey } from './support/journey.ts';
import { admin, adminClient } from './support/people.ts';
import { cell, choose, editor, makeQuery, menu, resultMenu, textOf, write } from './support/queries.ts';
import { dialog, dismiss, isGone, isSeen, notice, soon } from './support/screen.ts';

/** Q8: each message of the query area, provoked and read from the page. Those of a save by two people: queries-two-editors.test.ts. */
const client = await adminClient();
/** For one test only: a new query begins on the first of all sources. */
async function withSources<T>(bodies: readonly DataSourceFields[], work: (...ids: number[]) => Promise<T>): Promise<T> {
  const made = await Promise.all(bodies.map((body) => client.get(dataSourcesApi.create, { body })));
  try {
    return await work(...made.map(({ id }) => id));
  } finally {
    await Promise.all(made.map(({ id }) => client.call(dataSourcesApi.remove, { params: { id } })));
  }
}

const run = (page: Page) => page.getByRole('button', { name: 'Execute' }).click();
const fault = (page: Page, text: string) => isSeen(page.getByRole('alert').getByText(text, { exact: true }));
/** The next answer of an address is this one. */
const answer = (page: Page, address: string, status: number, json: unknown, method = 'POST') => {
  // Once, but for reading: counted here, because the browser's own count includes requests of other methods.
  let isLeft = true;
  return page.route(address, (route) => {
    if (route.request().method() !== method || !isLeft) return route.fallback();
    isLeft = method === 'GET';
    return route.fulfill({ status, json });
  });
};
/** Somebody else's site. */
async function servePage(body: string): Promise<{ address: string; close: () => void }> {
  const server = createServer((_, reply) => reply.setHeader('content-type', 'text/html').end(`<!doctype html><h1>A blog</h1>${body}`));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

const message = (name: string, steps: (journey: Journey) => Promise<void>) =>
  test(name, journey('queries-messages', steps, { as: admin() }));

message('running: nothing to run, a result that is gone, a server without words, a refusal with them', async ({ page, faults }) => {
  faults.allow(/(400|403|404|500)/);
  await page.goto('/queries/new');
  await write(page, '   ');
  await run(page);
  await fault(page, "Can't execute empty query.");

  await write(page, 'select {{ a }}, {{ b }}');
  await run(page);
  await fault(page, 'missing values for a, b parameters.');

  await write(page, 'select 1 as one');
  await answer(page, '**/api/query_results', 500, {});
  await run(page);
  await fault(page, 'Unknown error occurred. Please try again later.');
  await answer(page, '**/api/query_results', 500, { message: 'The disk is full.' });
  await run(page);
  await fault(page, 'The disk is full.');
  await answer(page, '**/api/query_results', 403, { job: { status: 4, error: 'Not you.' } });
  await run(page);
  await fault(page, 'Not you.');
  await answer(page, '**/api/query_results', 400, { job: { status: 4, error: 'Paused.' } });
  await run(page);
  await fault(page, 'Paused.');

  const query = await makeQuery({ query: 'select 1 as one' });
  await page.goto(`/queries/${query.id}`);
  await isSeen(page.getByText('Query Has no Result — Execute/Refresh the query to show results.'));
  await page.getByRole('button', { name: 'Refresh Now' }).click();
  await isSeen(cell(page, 'one'));
  await answer(page, '**/api/query_results/*', 404, { message: 'No.' }, 'GET');
  await page.reload();
  await fault(page, 'cached query result unavailable, please execute again.');
});

message('running: the connection is lost while a query runs', async ({ page, faults }) => {
  faults.allow(/Failed to load resource|WebSocket|net::/);
  await page.routeWebSocket(/\/api\/live/, (socket) => socket.close());
  await page.goto('/queries/new');
  await write(page, 'select count(*) from generate_series(1, 1000000000000) i');
  await run(page);
  await isSeen(page.getByText('Executing query…'));
  await page.route('**/api/jobs/*', (route) => route.abort());
  await fault(page, 'failed communicating with server. Please check your Internet connection and try again.');
  await page.unroute('**/api/jobs/*');
});

message('saving, deleting, keys and formatting that fail', async ({ page, faults, shot }) => {
  faults.allow(/500/);
  const query = await makeQuery({ name: 'Unlucky', query: 'select 1' });
  await page.goto(`/queries/${query.id}/source`);
  await write(page, 'select 2');
  await answer(page, `**/api/queries/${query.id}`, 500, {});
  await page.keyboard.press('ControlOrMeta+s');
  await isSeen(notice(page, 'Query could not be saved'));
  await dismiss(page, 'Query could not be saved');
  await page.keyboard.press('ControlOrMeta+s');
  await isSeen(notice(page, 'Query saved'));

  await answer(page, '**/api/queries/format', 500, {});
  await page.getByRole('button', { name: 'Format Query' }).click();
  await isSeen(notice(page, 'Failed to format query: unknown error.'));
  await answer(page, '**/api/queries/format', 400, { message: 'That is no SQL.' });
  faults.allow(/400/);
  await page.getByRole('button', { name: 'Format Query' }).click();
  await isSeen(notice(page, 'That is no SQL.'));

  await menu(page, 'Show API Key');
  const key = dialog(page, 'API Key');
  await answer(page, '**/regenerate_api_key', 500, {});
  await key.getByRole('button', { name: 'Regenerate' }).click();
  await dialog(page, 'Regenerate API Key').getByRole('button', { name: 'Regenerate' }).click();
  await isSeen(notice(page, 'Failed to update API key.'));
  await shot('key');
  await dialog(page, 'Regenerate API Key').getByRole('button', { name: 'Cancel' }).click();
  await key.getByRole('button', { name: 'Close' }).last().click();
  await isGone(key);

  await answer(page, `**/api/queries/${query.id}`, 500, {}, 'DELETE');
  await menu(page, 'Delete');
  await dialog(page, 'Delete Query').getByRole('button', { name: 'Delete' }).click();
  await isSeen(notice(page, 'Query could not be Deleted.'));
});

message('a source that cannot be formatted, one that cannot be read', async ({ page, faults }) => {
  faults.allow(/(400|500)/);
  const graph: DataSourceFields = { name: 'Graph', type: 'graphql', options: { url: 'https://graph.example/api' } };
  const away: DataSourceFields = { name: 'Away', type: 'pg', options: { host: '127.0.0.1', port: 1, dbname: 'none', user: 'nobody' } };
  await withSources([graph, away], async (graphId, awayId) => {
    const query = await makeQuery({ name: 'Elsewhere', query: '{ ships { name } }', data_source_id: graphId });
    await page.goto(`/queries/${query.id}/source`);
    await isSeen(editor(page));
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await isSeen(notice(page, 'Query formatting is not supported for your data source syntax.'));

    const lost = await makeQuery({ name: 'Lost', query: 'select 1', data_source_id: awayId });
    await page.goto(`/queries/${lost.id}/source`);
    // Two jobs, and each may be the first of its process.
    await page.getByText('Failed to load Database list. Please try again later.').waitFor();
    await isSeen(page.getByText('Failed to load Schema. Please try again later.'));
    await page.getByRole('button', { name: 'Refresh Schema' }).click();
    await isSeen(notice(page, 'Schema refresh failed. Please try again later.'));
  });
});

message('embedding: text parameters, a picture that is not there, a key that opens nothing, no public addresses', async (visit) => {
  const { page, faults, shot } = visit;
  faults.allow(/404/);
  const unsafe = await makeQuery({
    query: 'select {{ word }} as word',
    options: { parameters: [{ name: 'word', type: 'text', value: 'x' }] },
  });
  await page.goto(`/queries/${unsafe.id}`);
  const refusal = 'Currently it is not possible to embed queries that contain text parameters.';
  // The run on opening ends first: its outcome draws the bar with the menu anew.
  await isSeen(page.getByRole('alert').getByText('does not exist'));
  await resultMenu(page, 'Embed Elsewhere');
  await isSeen(dialog(page, 'Embed Query').getByText(refusal));
  const addressOf = ({ id, api_key, visualizations }: typeof unsafe, picture = visualizations[0]?.id) =>
    `/embed/query/${id}/visualization/${picture}?api_key=${api_key}`;

  const { page: outside, faults: outsideFaults } = await visit.visit();
  outsideFaults.allow(/404/);
  await outside.goto(addressOf(unsafe));
  await isSeen(outside.getByText(refusal));

  const safe = await makeQuery({ query: 'select 42 as answer' });
  await outside.goto(addressOf(safe, 2_000_000));
  await isSeen(outside.getByText('Visualization does not exist'));
  await outside.goto(addressOf({ ...safe, api_key: 'nobody' }));
  await isSeen(outside.getByText('Error: This link has expired or is wrong.'));
  await outside.goto(addressOf({ ...safe, api_key: unsafe.api_key }));
  await isSeen(outside.getByText('Error: This link has expired or is wrong.'));
  await outside.goto(addressOf(safe));
  await isSeen(outside.getByText('42'));
  // Whatever the page asked for, it never held the text or a key but its own.
  const asked = await outside.evaluate<string>(`fetch('/api/queries/${safe.id}?api_key=${safe.api_key}').then((reply) => reply.text())`);
  for (const secret of ['select', 'api_key', 'email']) expect(asked).not.toContain(secret);

  // Inside somebody else's page, where the rest of the console may not stand.
  const { url } = await fileConsole();
  outsideFaults.allow(/frame-ancestors|refused to connect|X-Frame-Options|chrome-error/i);
  const blog = await servePage(`<iframe name="picture" src="${url}${addressOf(safe)}" width="720" height="391"></iframe>
    <iframe name="rest" src="${url}/login"></iframe>`);
  try {
    await outside.goto(blog.address);
    await isSeen(outside.frameLocator('[name=picture]').getByText('42'));
    await shot('in-a-page', outside);
    await soon(() => outside.frame({ name: 'rest' })?.content()).not.toContain('password');
  } finally {
    blog.close();
  }

  const failing = await makeQuery({ query: 'select 1 / 0 as boom' });
  await outside.goto(addressOf(failing));
  await isSeen(outside.getByText(/^Error: /));
  await soon(() => outside.getByRole('main').innerText()).not.toContain('division');

  await client.get(organizationApi.saveSettings, { body: { disable_public_urls: true } });
  try {
    await outside.goto(addressOf(safe));
    await outside.waitForLoadState('networkidle');
    expect((await outside.locator('#root').innerText()).trim()).toBe('');
    await page.goto(`/queries/${safe.id}`);
    await page.getByRole('button', { name: 'Result actions' }).click();
    await isSeen(page.getByRole('menuitem', { name: 'Download as CSV File' }));
    await soon(() => page.getByRole('menuitem', { name: 'Embed Elsewhere' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    await isSeen(page.getByRole('menuitem', { name: 'Fork' }));
    await soon(() => page.getByRole('menuitem', { name: 'Show API Key' }).count()).toBe(0);
  } finally {
    await client.get(organizationApi.saveSettings, { body: { disable_public_urls: null } });
  }
});

message('snippets: saved, refused, deleted', async ({ page, faults, shot }) => {
  faults.allow(/(400|500)/);
  await page.goto('/query_snippets');
  await isSeen(page.getByText('There are no query snippets yet.'));
  await isSeen(page.getByRole('link', { name: 'Click here', exact: true }));
  await page.getByRole('button', { name: 'New Query Snippet' }).click();
  const created = dialog(page, 'Create Query Snippet');
  await created.getByLabel('Trigger').fill('recent');
  await created.getByLabel('Snippet').fill('select * from app.metric where time > now() - interval $1');
  await answer(page, '**/api/query_snippets', 500, { message: 'No room.' });
  await created.getByRole('button', { name: 'Create' }).click();
  await isSeen(notice(page, 'Failed saving snippet.'));
  await isSeen(created.getByText('No room.'));
  await dismiss(page, 'Failed saving snippet.');
  await created.getByRole('button', { name: 'Create' }).click();
  await isSeen(notice(page, 'Saved.'));
  await isGone(created);
  await dismiss(page, 'Saved.');

  await page.getByRole('link', { name: 'recent' }).click();
  const edited = dialog(page, 'recent');
  await edited.getByLabel('Description').fill('The last hours');
  await edited.getByRole('button', { name: 'Save' }).click();
  await isSeen(notice(page, 'Saved.'));
  await isGone(edited);
  await isSeen(page.getByText('The last hours'));
  await shot('snippets');

  // Screens 1.5: Tab after its trigger, and from mark to mark.
  await page.goto('/queries/new');
  await write(page, '');
  await page.keyboard.type('recent');
  await page.keyboard.press('Tab');
  await soon(() => textOf(page)).toContain('select * from app.metric where time > now() - interval');
  await page.keyboard.type("'1 day'");
  await soon(() => textOf(page)).toContain("interval '1 day'");
  page.once('dialog', (asked) => void asked.accept());
  await page.goto('/query_snippets');

  await answer(page, '**/api/query_snippets/*', 500, {}, 'DELETE');
  await page.getByRole('button', { name: 'Delete recent' }).click();
  await dialog(page, 'Delete Query Snippet').getByRole('button', { name: 'Yes' }).click();
  await isSeen(notice(page, 'Failed deleting query snippet.'));
  await dialog(page, 'Delete Query Snippet').getByRole('button', { name: 'Yes' }).click();
  await isSeen(notice(page, 'Query snippet deleted successfully.'));
  await isGone(page.getByRole('link', { name: 'recent' }));
  // Other journeys on this console may have snippets of their own.
  await page.route('**/api/query_snippets', (route) => route.fulfill({ json: [] }));
  await page.reload();
  await isSeen(page.getByText('There are no query snippets yet.'));
});

message('device data: nothing there yet, not everything chosen, created, applied, refused', async ({ page, faults, shot }) => {
  faults.allow(/400/);
  // look.md: whoever wants no motion chooses from the same lists, where they belong.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/queries');
  const start = async () => {
    await page.getByRole('button', { name: 'More ways to add a query' }).click();
    await page.getByRole('menuitem', { name: 'From device data…' }).click();
  };
  await page.route('**/api/queries/applications', (route) => route.fulfill({ json: [] }), { times: 1 });
  await start();
  await isSeen(dialog(page, 'New Query').getByText('There are no channels yet.', { exact: false }));
  await shot('no-channels');

  // What devices report is the business of other journeys; here are two of them.
  await page.route('**/api/queries/applications', (route) => route.fulfill({ json: [{ channel_id: 'cold', channel_name: 'Cold chain' }] }));
  await page.route('**/applications/cold/devices', (route) =>
    route.fulfill({
      json: [
        { device_id: 'a-1', device_name: 'Truck 1' },
        { device_id: 'b-2', device_name: 'Truck 2' },
      ],
    }),
  );
  await page.route(/\/applications\/cold\/attributes/, (route) => route.fulfill({ json: ['temperature', 'door'] }));
  await page.reload();
  await start();
  const chosen = dialog(page, 'New Query');
  await chosen.getByLabel('Name').fill('Trucks');
  await chosen.getByRole('button', { name: 'Create query' }).click();
  await isSeen(chosen.getByText('Fill All the values to continue'));
  await choose(page, chosen.getByLabel('Channel'), 'Cold chain');
  await chosen.getByRole('button', { name: 'Select all devices' }).click();
  await choose(page, chosen.getByLabel('Attributes'), 'temperature');
  await page.keyboard.press('Escape');
  await shot('devices');
  const made = await makeQuery({ name: 'Trucks', query: 'select 1 as temperature' });
  const selection = { id: made.id, channel_id: 'cold', device_ids: ['a-1', 'b-2'], attributes: ['temperature'], version: made.version };
  await page.route('**/api/queries/add', (route) => route.fulfill({ json: made }));
  await page.route(`**/api/queries/${made.id}`, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...(await reply.json()), is_from_devices: true } });
  });
  let isRefused = true;
  await page.route(`**/api/myqueries/${made.id}`, (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: { ...selection, is_edited: false } });
    return isRefused
      ? route.fulfill({ status: 400, json: { message: 'No.' } })
      : route.fulfill({ json: { ...selection, is_edited: false } });
  });
  await chosen.getByRole('button', { name: 'Create query' }).click();
  await isSeen(notice(page, 'Query created Successfully'));

  const panel = page.getByRole('region', { name: 'Device data' });
  await choose(page, panel.getByLabel('Attributes'), 'door');
  await page.keyboard.press('Escape');
  await panel.getByRole('button', { name: 'Apply' }).click();
  await isSeen(notice(page, 'Check All the Values'));
  isRefused = false;
  await panel.getByRole('button', { name: 'Apply' }).click();
  await isSeen(notice(page, 'updated SuccessFully'));
  // What the page still asks for must not reach a server that knows nothing of these devices.
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
