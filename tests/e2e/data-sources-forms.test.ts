import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { journey } from './support/journey.ts';
import { admin, adminClient } from './support/people.ts';
import { dialog, hasFocus, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const client = await adminClient();
const create = (name: string, type: string, options: object = {}) =>
  client.get(dataSourcesApi.create, { body: { name, type, options: { ...options } } });

const long = await create(
  'Measurements of the northern plants, mirrored every night from the archive in the basement of house seven',
  'results',
);
const nowhere = await create('Plant without a server', 'pg', { host: '127.0.0.1', port: 9, dbname: 'x', sslmode: 'disable' });
afterAll(async () => {
  for (const { id } of [long, nowhere]) await client.call(dataSourcesApi.remove, { params: { id } });
});

const leaving = (page: Page) => dialog(page, 'You will lose your changes if you leave');
const looks = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const;

test.each(looks)('A2, A5: text typed into the dialog of a new source survives a stray click ($width, $theme)', (look) =>
  journey(
    'source-dialog',
    async ({ page, faults, shot }) => {
      await page.goto('/queries');
      await page.goto('/data_sources');
      const open = page.getByRole('button', { name: 'New Data Source' });
      await isSeen(page.getByRole('link', { name: nowhere.name }));
      await shot('list');
      const form = dialog(page, 'Create a New Data Source');
      const name = form.getByLabel('Name', { exact: true });
      const choose = async (kind: string) => {
        await form.getByLabel('Search types').fill(kind);
        await form.getByLabel('Search types').press('Enter');
        await soon(() => hasFocus(name)).toBe(true);
      };

      await open.click();
      await isSeen(form);
      expect(placeOf(page)).toBe('/data_sources/new');
      await page.goBack();
      await isGone(form);
      await soon(() => placeOf(page)).toBe('/data_sources');

      // The Enter that chooses a kind does not send its form.
      await open.click();
      await choose('prometheus');
      await page.waitForTimeout(300);
      expect(await form.getByText('This field is required.').count()).toBe(0);
      expect(await form.getByLabel('Prometheus API URL').getAttribute('placeholder')).toBe('http://127.0.0.1:9090');
      await shot('examples');
      await page.keyboard.press('Escape');
      await isGone(form);
      await soon(() => placeOf(page)).toBe('/data_sources');

      await open.click();
      await choose('postgres');
      await name.fill(nowhere.name);
      await page.keyboard.press('Escape');
      await isSeen(leaving(page).getByText('Are you sure you want to leave this form?'));
      await shot('asked');
      await leaving(page).getByRole('button', { name: 'Stay' }).click();
      await isGone(leaving(page));
      await page.goBack();
      await isSeen(leaving(page).getByText('Are you sure you want to leave this page?'));
      await leaving(page).getByRole('button', { name: 'Stay' }).click();
      await isGone(leaving(page));
      expect([placeOf(page), await name.inputValue()]).toEqual(['/data_sources/new', nowhere.name]);

      const port = form.getByLabel('Port');
      await port.fill('99999999');
      await isSeen(form.getByText('This field must be between 1 and 65535.'));
      await shot('port');
      await port.fill('9');
      await form.getByLabel('Database Name').fill('x');
      await soon(() => form.locator('.anticon-check-circle').count()).toBe(3);

      // What the server refuses is not marked as good.
      faults.allow(/400 .*\/api\/data_sources/);
      await form.getByRole('button', { name: 'Create' }).click();
      await isSeen(form.getByRole('alert').getByText(`Data source with the name ${nowhere.name} already exists.`));
      await soon(() => form.locator('.anticon-check-circle').count()).toBe(0);
      await shot('taken');

      await form.getByRole('button', { name: 'Close' }).first().click();
      await leaving(page).getByRole('button', { name: 'Leave' }).click();
      await isGone(form);
      await soon(() => placeOf(page)).toBe('/data_sources');
      await page.goBack();
      await soon(() => placeOf(page)).toBe('/queries');
    },
    { as: admin(), ...look },
  )(),
);

test.each(looks)('A8: one test at a time, told where it was asked for and beside its buttons ($width, $theme)', (look) =>
  journey(
    'source-form',
    async ({ page, shot }) => {
      let tests = 0;
      let answer = Promise.withResolvers<void>();
      await page.route('**/test', async (route) => {
        tests++;
        await answer.promise;
        await route.fulfill({ json: { ok: true, message: 'success', warning: 'The account can read files.' } }).catch(() => {});
      });
      await page.goto(`/data_sources/${nowhere.id}`);
      const button = page.getByRole('button', { name: 'Test Connection' });
      await button.dblclick();
      answer.resolve();
      await isSeen(notice(page, 'More rights than needed'));
      expect(tests).toBe(1);
      await shot('tested');
      const places = await page
        .locator('.ant-notification-notice')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      for (const one of [button, page.getByRole('button', { name: 'Save' })]) {
        const at = await one.boundingBox();
        if (!at) throw new Error('The button is not on the screen.');
        const isCovered = places.some(
          ({ left, right, top, bottom }) => left < at.x + at.width && right > at.x && top < at.y + at.height && bottom > at.y,
        );
        expect(isCovered).toBe(false);
      }

      // Left alone, it has nothing to say elsewhere.
      answer = Promise.withResolvers();
      await button.click();
      await soon(() => tests).toBe(2);
      await page.getByRole('link', { name: 'Data Sources' }).first().click();
      await isSeen(page.getByRole('button', { name: 'New Data Source' }));
      answer.resolve();
      await page.waitForTimeout(1000);
      expect(await notice(page, 'Success').count()).toBe(0);

      await page.goto(`/data_sources/${nowhere.id}`);
      // In a dialog Escape may be a slip, its Cancel is not.
      const pause = dialog(page, 'Pause Data Source');
      await page.getByRole('button', { name: 'Pause' }).click();
      await pause.getByLabel('Reason').fill('Maintenance');
      await page.keyboard.press('Escape');
      await leaving(page).getByRole('button', { name: 'Stay' }).click();
      await isGone(leaving(page));
      expect(await pause.getByLabel('Reason').inputValue()).toBe('Maintenance');
      await pause.getByRole('button', { name: 'Cancel' }).click();
      await isGone(pause);

      await page.getByLabel('Host').fill('db.example.com');
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Users' }).click();
      await isSeen(leaving(page));
      await shot('leaving');
      await leaving(page).getByRole('button', { name: 'Stay' }).click();
      await isGone(leaving(page));
      expect([placeOf(page), await page.getByLabel('Host').inputValue()]).toEqual([`/data_sources/${nowhere.id}`, 'db.example.com']);
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Users' }).click();
      await leaving(page).getByRole('button', { name: 'Leave' }).click();
      await soon(() => placeOf(page)).toBe('/users');
    },
    { as: admin(), ...look },
  )(),
);

test(
  'an impossible address of a source is shown as missing, without a request',
  journey(
    'no-source',
    async ({ page, shot }) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto('/data_sources/abc');
      await isSeen(page.getByRole('link', { name: 'Go to the home page' }));
      expect(asked.filter((url) => url.includes('NaN'))).toEqual([]);
      await shot('no-such');
    },
    { as: admin() },
  ),
);

test(
  'visualizations 5.8: a long name does not make a phone wider',
  journey(
    'long-source',
    async ({ page, shot }) => {
      await page.goto('/queries/new');
      await page.getByRole('combobox', { name: 'Data source' }).click();
      await isSeen(page.getByRole('option', { name: long.name }).or(page.locator('.ant-select-item-option', { hasText: long.name })));
      await shot('offered');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      const list = await page.locator('.ant-select-dropdown').boundingBox();
      expect(list && list.x >= 0 && list.x + list.width <= 390).toBe(true);
    },
    { as: admin(), width: 390 },
  ),
);
