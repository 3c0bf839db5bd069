import { setTimeout as delay } from 'node:timers/promises';
import { dataSourcesApi, type FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { expect, test } from 'vitest';
import { journey } from './support/journey.ts';
import { admin, adminClient, makePerson } from './support/people.ts';
import { dialog, dismiss, hasFocus, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const paula = await makePerson('Paula Plain');
const storedAt = async (address: string) => {
  const id = Number(/\d+$/.exec(address)?.[0]);
  return (await (await adminClient()).get(dataSourcesApi.get, { params: { id } })) as FullDataSource;
};

/** How a browser draws what was typed there. */
const maskOfHeaders = `getComputedStyle(document.querySelector('textarea[name=headers]')).getPropertyValue('-webkit-text-security')`;

test(
  'A2, A4 and A5: a data source is made in three steps, tested, changed, paused and deleted',
  journey(
    'data-sources',
    async ({ page, faults, shot, visit }) => {
      await page.goto('/data_sources');
      await isSeen(page.getByText('Databases of your own are listed here, too.'));
      await shot('none');
      await page.getByRole('link', { name: 'Click here to add one' }).click();
      await soon(() => placeOf(page)).toBe('/data_sources/new');
      const form = dialog(page, 'Create a New Data Source');
      const steps = form.getByRole('listitem');
      await soon(() => steps.filter({ hasText: /^(Type Selection|Configuration|Done)$/ }).count()).toBe(3);
      const search = form.getByLabel('Search types');
      await soon(() => hasFocus(search)).toBe(true);
      await soon(() => form.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
      await shot('kinds');
      await search.fill('no such kind');
      await isSeen(form.getByText("Sorry, we couldn't find anything."));
      await search.fill('graphql');
      await form.getByRole('button', { name: 'GraphQL' }).click();
      await soon(() => hasFocus(form.getByLabel('Name', { exact: true }))).toBe(true);
      await form.getByRole('button', { name: 'Create' }).click();
      await soon(() => form.getByText('This field is required.').count()).toBe(2);
      await shot('required');

      // Several headers, one in a line, and none of them to be read over a shoulder.
      const headers = form.getByLabel('HTTP headers', { exact: true });
      const lines = 'Authorization: Bearer of-the-test\nX-Tenant: 7';
      await form.getByLabel('Name', { exact: true }).fill('Weather');
      await form.getByLabel('URL').fill('https://weather.example.com/graphql');
      await headers.fill(lines);
      await soon(() => page.evaluate(maskOfHeaders)).toBe('disc');
      await shot('headers');
      await form.getByRole('button', { name: 'Show HTTP headers' }).click();
      await soon(() => page.evaluate(maskOfHeaders)).toBe('none');
      await form.getByRole('button', { name: 'Previous' }).click();
      await isSeen(form.getByText('Started'));
      await form.getByRole('button', { name: 'GraphQL' }).click();
      await soon(() => headers.inputValue()).toBe(lines);

      faults.allow(/400 .*\/api\/data_sources/);
      await page.route('**/api/data_sources', (route) => route.fulfill({ status: 400, json: { message: 'Not today.' } }), { times: 1 });
      await form.getByRole('button', { name: 'Create' }).click();
      await isSeen(form.getByRole('alert').getByText('Not today.'));
      await shot('refused');
      await form.getByRole('button', { name: 'Create' }).click();
      await isSeen(notice(page, 'Saved.'));
      await isSeen(page.getByRole('heading', { name: 'Weather' }));
      const address = placeOf(page);
      expect(address).toMatch(/^\/data_sources\/\d+$/);

      // A rename changes the name alone: the secret is kept, and the certificate is still checked.
      await dismiss(page, 'Saved.');
      const saved = page.getByLabel('HTTP headers', { exact: true });
      await soon(() => saved.inputValue()).toBe('--------');
      await page.getByLabel('Name', { exact: true }).fill('Weather here');
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Saved.'));
      await isSeen(page.getByRole('heading', { name: 'Weather here' }));
      expect((await storedAt(address)).options).toMatchObject({ headers: '--------', verify: true, allow_writes: false });
      await shot('saved');
      await saved.press('End');
      await saved.pressSequentially('A: b');
      await soon(() => saved.inputValue()).toBe('A: b');

      await page.getByRole('button', { name: 'Pause' }).click();
      const pause = page.getByRole('dialog');
      await pause.getByRole('textbox').fill('The provider moves house');
      await shot('pause');
      await pause.getByRole('button', { name: 'Pause' }).click();
      await isSeen(page.getByText('Paused: The provider moves house'));
      await shot('paused');
      await page.getByRole('button', { name: 'Resume' }).click();
      await isGone(page.getByText('Paused: The provider moves house'));

      await page.getByRole('button', { name: 'Delete' }).click();
      const sure = dialog(page, 'Delete Data Source');
      await isSeen(sure.getByText('Are you sure you want to delete this data source?'));
      await shot('delete');
      await sure.getByRole('button', { name: 'Delete' }).click();
      await isSeen(notice(page, 'Data source deleted successfully.'));
      await soon(() => placeOf(page)).toBe('/data_sources');
      await isGone(page.getByRole('link', { name: 'Weather here' }));

      // A2: who may not make one is led back.
      const plain = await visit({ as: paula });
      await plain.page.goto('/data_sources/new');
      await soon(() => placeOf(plain.page)).toBe('/data_sources');
      await soon(() => plain.page.getByRole('dialog').count()).toBe(0);
    },
    { as: admin() },
  ),
);

test(
  'A8 and A9: a connection test says how it went for ten seconds, whether it worked or not',
  journey(
    'connection-test',
    async ({ page, faults, shot }) => {
      const client = await adminClient();
      const results = await client.get(dataSourcesApi.create, { body: { name: 'Joined', type: 'results', options: {} } });
      const closed = { host: '127.0.0.1', port: 9, dbname: 'x', sslmode: 'disable' };
      const nowhere = await client.get(dataSourcesApi.create, { body: { name: 'Nowhere', type: 'pg', options: closed } });

      try {
        await page.goto(`/data_sources/${results.id}`);
        await page.getByRole('button', { name: 'Test Connection' }).click();
        await isSeen(notice(page, 'Success'));
        await page.mouse.move(5, 5);
        await shot('success');
        await delay(5000);
        await soon(() => notice(page, 'Success').isVisible()).toBe(true);
        await notice(page, 'Success').waitFor({ state: 'hidden' });

        await page.goto(`/data_sources/${nowhere.id}`);
        await page.getByRole('button', { name: 'Test Connection' }).click();
        await isSeen(notice(page, 'Connection Test Failed:'));
        await isSeen(page.locator('.ant-notification').getByText('127.0.0.1:9 refused the connection.'));
        await shot('failed-test');
        faults.allow(/500 .*\/test/);
        await page.route('**/test', (route) => route.fulfill({ status: 500, json: { message: 'Internal Server Error' } }));
        await page.getByRole('button', { name: 'Test Connection' }).click();
        await isSeen(page.getByText('Unknown error occurred while performing connection test. Please try again later.'));
      } finally {
        for (const { id } of [results, nowhere]) await client.call(dataSourcesApi.remove, { params: { id } });
      }
    },
    { as: admin() },
  ),
);

const sources = await (await adminClient()).get(dataSourcesApi.list);
const address = `/data_sources/${(Array.isArray(sources) ? sources : sources.results).find(({ type }) => type === 'telltale')?.id}`;
const warning =
  'The account can read files, write files and run programs on the database server (it is a superuser). Use one that can only read what people here may see.';

test.each([
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const)('A8, security 6: a connection that works says so, and whether its account can do too much ($width, $theme)', (look) =>
  journey(
    'connection-warning',
    async ({ page, shot }) => {
      await page.goto(address);
      await page.getByRole('button', { name: 'Test Connection' }).click();
      await isSeen(notice(page, 'Success'));
      // The role that Telltale makes has no such rights.
      await soon(() => notice(page, 'More rights than needed').count()).toBe(0);

      await page.route('**/test', (route) => route.fulfill({ json: { ok: true, message: 'success', warning } }));
      await page.getByRole('button', { name: 'Test Connection' }).click();
      await isSeen(notice(page, 'More rights than needed'));
      await isSeen(page.getByText(warning));
      await isSeen(notice(page, 'Success'));
      await shot('warning');
    },
    { as: admin(), ...look },
  )(),
);
