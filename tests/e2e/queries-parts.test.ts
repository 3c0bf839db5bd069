import { dataSourcesApi, groupSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { resultsApi } from '@telltale/domain/results/contract.ts';
import { expect, test } from 'vitest';
import { journey } from './support/journey.ts';
import { admin, adminClient, makeGroup, makePerson } from './support/people.ts';
import { builtInSource, cell, choose, editor, makeQuery, menu, readQuery, textOf, write } from './support/queries.ts';
import { dialog, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const client = await adminClient();
const run = (id: number) => client.call(resultsApi.executeSaved, { params: { id }, body: { max_age: 0 } });
const publish = (id: number) => client.get(queriesApi.save, { params: { id }, body: { is_draft: false } });

test(
  'Q3: a dropdown filled by another query, with several values and quotation; it explains itself when it cannot be filled',
  journey(
    'queries-dropdown',
    async ({ page, faults, shot }) => {
      faults.allow(/400 .*dropdown/);
      const names = await makeQuery({ name: 'Names of ships', query: `select unnest(array['Ada', 'O''Hara', 'Zoe']) as name` });
      await publish(names.id);
      await makeQuery({ name: 'Names, a draft', query: 'select 1' });
      const query = await makeQuery({ name: 'Ships', query: `select unnest(array['Ada', 'O''Hara', 'Zoe', 'Max']) as ship` });
      await page.goto(`/queries/${query.id}/source`);
      await write(page, `select ship from unnest(array['Ada', 'O''Hara', 'Zoe', 'Max']) as ship where ship in ({{ ships }})`);
      await page.getByRole('button', { name: 'Settings of ships' }).click();
      const settings = dialog(page, 'ships');
      await choose(page, settings.getByLabel('Type'), 'Query Based Dropdown List');
      await soon(() => settings.getByRole('button', { name: 'OK' }).isDisabled()).toBe(true);
      await settings.getByLabel('Query', { exact: true }).fill('Names');
      await isSeen(page.locator('.ant-select-dropdown:visible').getByText('Names, a draft · Unpublished'));
      await page.locator('.ant-select-dropdown:visible').getByTitle('Names of ships').click();
      await settings.getByLabel('Allow multiple values').check();
      await choose(page, settings.getByLabel('Quotation'), 'Single Quotation Mark');
      await isSeen(settings.getByText("Placed in query as: 'value1','value2','value3'"));
      await shot('settings');
      await settings.getByRole('button', { name: 'OK' }).click();
      await isGone(settings);

      // Complaint 19: it has no result yet, and says so.
      const field = page.getByRole('combobox', { name: 'ships' });
      await field.click();
      await isSeen(page.getByText(/has no result yet\. Execute it once to fill the list\./));
      await page.keyboard.press('Escape');
      await run(names.id);
      await page.getByRole('button', { name: 'Save*' }).click();
      await isSeen(notice(page, 'Query saved'));
      await page.reload();
      await field.click();
      const list = page.locator('.ant-select-dropdown:visible');
      await list.getByTitle("O'Hara").click();
      await list.getByTitle('Zoe').click();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Apply Changes' }).click();
      await isSeen(cell(page, "O'Hara"));
      await isSeen(page.getByText('2 rows'));
      expect(decodeURIComponent(placeOf(page)).replaceAll('+', ' ')).toContain(`p_ships=["O'Hara","Zoe"]`);
      await shot('chosen');
    },
    { as: admin() },
  ),
);

test(
  'complaint 16: a query can apply changed values by itself, for everybody',
  journey(
    'queries-automatic',
    async ({ page, shot }) => {
      const { id } = await makeQuery({
        name: 'By itself',
        query: 'select {{ n }} as n',
        options: { parameters: [{ name: 'n', type: 'number', value: 7 }] },
      });
      await page.goto(`/queries/${id}/source`);
      await page.getByLabel('Apply changes at once').click();
      await soon(async () => (await client.get(queriesApi.get, { params: { id } })).options.auto_apply).toBe(true);
      await page.getByLabel('N', { exact: true }).fill('8');
      await isSeen(cell(page, '8'));
      await soon(() => page.getByRole('button', { name: 'Apply Changes' }).count()).toBe(0);
      await shot('source');
      await page.goto(`/queries/${id}`);
      await isSeen(cell(page, '7'));
      await page.getByLabel('N', { exact: true }).fill('9');
      await isSeen(cell(page, '9'));
      expect(placeOf(page)).toContain('p_n=9');
    },
    { as: admin() },
  ),
);

test(
  'Q6: a user with view-only access to a source runs safe queries, and changes nothing',
  journey(
    'queries-view-only',
    async ({ visit }) => {
      const group = await makeGroup('Lookers', [
        'view_query',
        'execute_query',
        'edit_query',
        'create_query',
        'view_source',
        'list_data_sources',
        'view_channel',
      ]);
      const looker = await makePerson('Lena Looker', [group]);
      const id = await builtInSource();
      await client.get(groupSourcesApi.add, { params: { id: group.id }, body: { data_source_id: id } });
      await client.get(groupSourcesApi.change, { params: { id: group.id, dataSourceId: id }, body: { view_only: true } });
      const safe = await makeQuery({
        name: 'Safe to run',
        query: 'select {{ n }} as n',
        options: { parameters: [{ name: 'n', type: 'number', value: 7 }] },
      });
      const unsafe = await makeQuery({
        name: 'Not safe to run',
        query: 'select {{ word }} as n',
        options: { parameters: [{ name: 'word', type: 'text', value: 'seven' }] },
      });
      const look = await visit({ as: looker });
      await look.page.goto(`/queries/${safe.id}`);
      await isSeen(cell(look.page, '7'));
      await look.page.getByLabel('N', { exact: true }).fill('8');
      await look.page.getByRole('button', { name: 'Apply Changes' }).click();
      await isSeen(cell(look.page, '8'));
      await look.page.getByRole('button', { name: 'More actions' }).click();
      await soon(() => look.page.getByRole('menuitem', { name: 'Fork' }).getAttribute('aria-disabled')).toBe('true');
      await soon(() => look.page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
      await look.page.keyboard.press('Escape');
      await look.page.goto(`/queries/${safe.id}/source`);
      await isSeen(editor(look.page));
      await soon(() => look.page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      await editor(look.page).click();
      await look.page.keyboard.type('x');
      await soon(() => textOf(look.page)).toBe('select {{ n }} as n');
      await look.shot('source');

      await look.page.goto(`/queries/${unsafe.id}`);
      await isSeen(look.page.getByText('You do not have a permission to execute/refresh this query.'));
      await look.page.goto('/queries/new');
      await isSeen(look.page.getByText("You don't have permission to create new queries on any of the data sources available to you."));
      await look.shot('no-source');
      await client.get(groupSourcesApi.remove, { params: { id: group.id, dataSourceId: id } });
      await look.page.reload();
      await isSeen(look.page.getByText('Looks like no data sources were created yet', { exact: false }));
    },
    { as: admin() },
  ),
);

test(
  'Q6: a user who may not list data sources opens queries all the same',
  journey(
    'queries-no-sources',
    async ({ visit }) => {
      const group = await makeGroup('Readers of queries', ['view_query', 'view_source', 'create_query', 'view_channel']);
      await client.get(groupSourcesApi.add, { params: { id: group.id }, body: { data_source_id: await builtInSource() } });
      const query = await makeQuery({ name: 'Read by many', query: 'select 42 as n' });
      await run(query.id);
      const { page } = await visit({ as: await makePerson('Rob Reader', [group]) });
      await page.goto(`/queries/${query.id}`);
      await isSeen(page.getByRole('heading', { name: 'Read by many' }));
      await isSeen(cell(page, '42'));
      await page.goto(`/queries/${query.id}/source`);
      await isSeen(editor(page));
      await page.goto('/queries/new');
      await isSeen(page.getByText(/Looks like no data sources were created yet/));
    },
    { as: admin() },
  ),
);

test(
  'screens 1.4: a user in another tab is notified that the query is done',
  journey(
    'queries-hidden',
    async ({ page, context }) => {
      await context.grantPermissions(['notifications']);
      await page.addInitScript(`
        window.told = [];
        window.isAway = false;
        Object.defineProperty(document, 'hidden', { get: () => window.isAway });
        window.Notification = class { constructor(title, { body }) { window.told.push(title + ': ' + body); } close() {} };
        Object.assign(window.Notification, { permission: 'granted', requestPermission: async () => 'granted' });`);
      const query = await makeQuery({ name: 'In the background', query: 'select 1 as n, pg_sleep(0)' });
      await page.goto(`/queries/${query.id}/source`);
      await page.getByRole('button', { name: 'Execute' }).click();
      await isSeen(cell(page, 'n'));
      await soon(() => page.evaluate<string[]>('told')).toEqual([]);
      await page.evaluate('window.isAway = true');
      await page.getByRole('button', { name: 'Execute' }).click();
      await soon(() => page.evaluate<string[]>('told')).toEqual(['Telltale: In the background updated.']);
      await write(page, 'select wrong');
      await page.getByRole('button', { name: 'Execute' }).click();
      await soon(() => page.evaluate<string[]>('told')).toEqual([
        'Telltale: In the background updated.',
        'Telltale: In the background failed to run: column "wrong" does not exist',
      ]);
    },
    { as: admin() },
  ),
);

test(
  'Q6: a new key ends the old one; screens 6: fullscreen is an address; Q4: the editor of a picture asks before it forgets',
  journey(
    'queries-smaller',
    async ({ page, shot, visit }) => {
      const query = await makeQuery({ name: 'Small things', query: 'select 1 as n' });
      await run(query.id);
      await page.goto(`/queries/${query.id}`);
      await menu(page, 'Show API Key');
      const key = dialog(page, 'API Key');
      const address = key.getByLabel('Address of the results as CSV', { exact: true });
      const old = await address.inputValue();
      const stranger = await visit();
      expect((await stranger.context.request.get(old)).status()).toBe(200);
      await key.getByRole('button', { name: 'Regenerate' }).click();
      await dialog(page, 'Regenerate API Key').getByRole('button', { name: 'Regenerate' }).click();
      await soon(() => address.inputValue()).not.toBe(old);
      expect((await stranger.context.request.get(old)).status()).toBe(404);
      const renewed = await address.inputValue();
      expect((await stranger.context.request.get(renewed)).status()).toBe(200);

      // Hole 4: the owner sees whose keys there are, and ends one; a new one can be made.
      const keys = key.getByRole('list', { name: 'Keys of this query' });
      await isSeen(keys.getByText('admin'));
      await shot('keys');
      await keys.getByRole('button', { name: /^Revoke the key of/ }).click();
      await dialog(page, 'Revoke API Key').getByRole('button', { name: 'Revoke' }).click();
      await isSeen(key.getByText('Your key of this query was revoked.'));
      await isSeen(keys.getByText('Revoked'));
      expect((await stranger.context.request.get(renewed)).status()).toBe(404);
      await key.getByRole('button', { name: 'Regenerate' }).click();
      await dialog(page, 'Regenerate API Key').getByRole('button', { name: 'Regenerate' }).click();
      await isSeen(address);
      expect((await stranger.context.request.get(await address.inputValue())).status()).toBe(200);
      await key.getByRole('button', { name: 'Close' }).last().click();
      await isGone(key);

      await page.keyboard.press('Alt+f');
      await isGone(
        page
          .getByRole('banner')
          .or(page.getByRole('link', { name: 'Telltale' }))
          .first(),
      );
      await soon(() => placeOf(page)).toBe(`/queries/${query.id}?fullscreen`);
      await isSeen(cell(page, '1'));
      await shot('fullscreen');
      await page.reload();
      await isSeen(cell(page, '1'));
      await soon(() => page.getByRole('link', { name: 'Telltale' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Toggle Fullscreen' }).click();
      await isSeen(page.getByRole('link', { name: 'Telltale' }));

      // Complaint 13: a copy to try something with.
      await page.getByRole('button', { name: 'Duplicate Table' }).click();
      await isSeen(page.getByRole('link', { name: 'Copy of Table' }));
      await soon(() => placeOf(page)).toMatch(/#\d+$/);
      await page.getByRole('button', { name: 'Delete Copy of Table' }).click();
      await dialog(page, 'Delete Visualization').getByRole('button', { name: 'Delete' }).click();
      await isGone(page.getByRole('link', { name: 'Copy of Table' }));

      await page.getByRole('button', { name: 'Edit Visualization' }).click();
      const picture = dialog(page, 'Visualization Editor');
      const name = picture.getByLabel('Visualization Name');
      await name.fill('Another name');
      await picture.getByRole('button', { name: 'Cancel' }).click();
      const asked = page.getByRole('dialog').filter({ hasText: 'Are you sure you want to close the editor without saving?' });
      await asked.getByRole('button', { name: 'No', exact: true }).click();
      await isGone(asked);
      await soon(() => name.inputValue()).toBe('Another name');
      await picture.getByRole('button', { name: 'Cancel' }).click();
      await asked.getByRole('button', { name: 'Yes', exact: true }).click();
      await isGone(picture);

      await page.getByRole('button', { name: 'Edit Visualization' }).click();
      await soon(() => name.inputValue()).toBe('Table');
      await picture.getByRole('button', { name: 'Cancel' }).click();
      await isGone(picture);
    },
    { as: admin() },
  ),
);

test(
  'screens 4: a search ranks, a column sorts, and clearing the search brings the order back',
  journey(
    'queries-search',
    async ({ page }) => {
      const asked: URLSearchParams[] = [];
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.pathname === '/api/queries') asked.push(url.searchParams);
      });
      const last = () => asked.at(-1);
      await makeQuery({ name: 'Ranked zebra', query: 'select 1' });
      await makeQuery({ name: 'Other', query: 'select 1 -- zebra' });
      await page.goto('/queries');
      await page.getByRole('button', { name: 'Name', exact: true }).click();
      await soon(() => last()?.get('order')).toBe('name');
      await page.getByRole('searchbox').fill('zebra');
      await soon(() => last()?.get('q')).toBe('zebra');
      expect(last()?.has('order')).toBe(false);
      await isSeen(page.getByRole('link', { name: 'Ranked zebra' }));
      const found = page.getByRole('row').getByRole('link');
      await soon(() => found.allInnerTexts()).toEqual(['Ranked zebra', 'Other']);
      await page.getByRole('button', { name: 'Name', exact: true }).click();
      await soon(() => last()?.get('order')).toMatch(/^-?name$/);
      await page.getByRole('searchbox').fill('');
      await soon(() => placeOf(page)).toBe('/queries?order=name');
    },
    { as: admin() },
  ),
);

test(
  'D2: parameters are put in order by hand and by keyboard, and stay so',
  journey(
    'queries-order',
    async ({ page }) => {
      const parameters = ['one', 'two', 'three'].map((name) => ({ name, title: name, type: 'number', value: 1 }));
      const query = await makeQuery({
        name: 'In order',
        query: 'select {{ one }} + {{ two }} + {{ three }} as n',
        options: { parameters },
      });
      await page.goto(`/queries/${query.id}/source`);
      const order = async () => (await readQuery(query.id)).options.parameters.map(({ name }) => name);
      const grip = page.getByRole('button', { name: 'Move three' });
      const to = page.getByLabel('one', { exact: true });
      await grip.hover();
      await page.mouse.down();
      const box = await to.boundingBox();
      await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 5, { steps: 4 });
      await page.mouse.up();
      await soon(order).toEqual(['three', 'one', 'two']);
      await grip.focus();
      await page.keyboard.press('ArrowRight');
      await soon(order).toEqual(['one', 'three', 'two']);
    },
    { as: admin() },
  ),
);

test(
  'Q3: a source with several databases: one is chosen, remembered and run in',
  journey(
    'queries-databases',
    async ({ page, faults }) => {
      faults.allow(/500/);
      const source = await client.get(dataSourcesApi.create, {
        body: { name: 'Several', type: 'pg', options: { host: '127.0.0.1', port: 1, dbname: 'home', user: 'nobody' } },
      });
      try {
        await page.route(`**/api/databricks/databases/${source.id}`, (route) => route.fulfill({ json: ['home', 'archive'] }));
        await page.route('**/archive/tables', (route) =>
          route.fulfill({ json: { schema: [{ name: 'old_reading', columns: [{ name: 'at' }] }], has_columns: true } }),
        );
        const query = await makeQuery({ name: 'Elsewhere', query: 'select 1', data_source_id: source.id });
        await page.goto(`/queries/${query.id}/source`);
        await choose(page, page.getByLabel('Database', { exact: true }), 'archive');
        await isSeen(page.getByText('old_reading'));
        await page.getByRole('button', { name: 'Save*' }).click();
        await isSeen(notice(page, 'Query saved'));
        const saved = await readQuery(query.id);
        expect(saved.options).toMatchObject({ schemaOptions: { selectedDatabase: 'archive' } });
        const sent = page.waitForRequest('**/api/query_results');
        await write(page, 'select 2');
        await page.getByRole('button', { name: 'Execute' }).click();
        expect((await sent).postDataJSON()).toMatchObject({ database: 'archive', data_source_id: source.id });
      } finally {
        await client.call(dataSourcesApi.remove, { params: { id: source.id } });
      }
    },
    { as: admin() },
  ),
);
