import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { resultsApi } from '@telltale/domain/results/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, describe, expect, test } from 'vitest';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { journey } from './support/journey.ts';
import { admin, adminClient } from './support/people.ts';
import { soon } from './support/screen.ts';
import { until } from './support/until.ts';

const client = await adminClient();
const attack = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

/** A saved query with its result and one visualization of it. */
async function makePicture(query: string, type: string, options: Record<string, unknown>): Promise<string> {
  const { id } = await client.get(queriesApi.create, { body: { name: `Picture of ${type}`, query, data_source_id: 1 } });
  const visualization = await client.get(visualizationsApi.create, { body: { query_id: id, type, name: 'Where things are', options } });
  await client.get(resultsApi.executeSaved, { params: { id }, body: { max_age: 0 } });
  await until('the result is there', 60_000, async () => (await client.get(queriesApi.get, { params: { id } })).latest_query_data_id);
  return `/queries/${id}#${visualization.id}`;
}

const places = `select * from (values (51.51, -0.13, 'London', '${attack.replaceAll("'", "''")}'), (48.86, 2.35, 'Paris', 'dry'), (48.86, 2.35, 'Paris', 'wet')) as t(lat, lon, city, note)`;
const mapAddress = await makePicture(places, 'MAP', {});
const groupedAddress = await makePicture(places, 'MAP', {
  classify: 'city',
  popup: { enabled: true, template: '<b>{{ city }}</b> {{ note }} <a href="javascript:window.hacked=1">x</a>' },
});
const shapesAddress = await makePicture(
  `select * from (values ('JP', 3), ('FR', 5), ('${attack}', 7)) as t(country, devices)`,
  'CHOROPLETH',
  {},
);

const tiles = { name: 'Own tiles', url: 'https://tiles.telltale.example/{z}/{x}/{y}.png', attribution: '© Own <b>tiles</b>' };
const setTiles = (map_tiles: (typeof tiles)[] | null) => client.get(organizationApi.saveSettings, { body: { map_tiles } });
afterAll(() => setTiles(null));

const tile = PNG.sync.write(Object.assign(new PNG({ width: 256, height: 256 }), { data: Buffer.alloc(256 * 256 * 4, 200) }));

/** The host of the tiles, as far as this browser can tell. */
async function serveTiles(page: Page, isThere: boolean): Promise<() => number> {
  let asked = 0;
  await page.route('https://tiles.telltale.example/**', (route) => {
    asked += 1;
    return isThere ? route.fulfill({ contentType: 'image/png', body: tile }) : route.abort('internetdisconnected');
  });
  return () => asked;
}

const markers = (page: Page) => page.locator('.leaflet-marker-pane .leaflet-marker-icon');

describe('11: a map of markers', () => {
  test(
    'the organisation says whose tiles lie under it; their name is text; without groups all markers are one layer',
    journey(
      'map-tiles',
      async ({ page, shot }) => {
        await setTiles([tiles]);
        const asked = await serveTiles(page, true);
        await page.goto(mapAddress);
        await markers(page).first().waitFor();
        await page.locator('.leaflet-tile-loaded').first().waitFor();
        expect(asked()).toBeGreaterThan(1);
        await soon(() => page.getByText('© Own <b>tiles</b>').count()).toBe(1);
        await shot('tiles');
        await page.getByRole('checkbox', { name: /^All/ }).uncheck();
        await soon(() => markers(page).count()).toBe(0);
      },
      { as: admin() },
    ),
  );

  test(
    'without a network there is a plain ground, a scale, a sentence, and one silent question',
    journey(
      'map-offline',
      async ({ page, shot, faults }) => {
        faults.allow(/ERR_INTERNET_DISCONNECTED/);
        await setTiles([tiles]);
        const asked = await serveTiles(page, false);
        await page.goto(mapAddress);
        await page.getByText('Own tiles cannot be reached: the map is drawn without it.').waitFor();
        await page.locator('.leaflet-ground-pane canvas').waitFor();
        expect(asked()).toBe(1);
        await soon(() => markers(page).count()).toBe(2);
        await soon(() => page.locator('.leaflet-tile').count()).toBe(0);
        await soon(() => page.locator('.leaflet-control-scale-line').first().textContent()).toMatch(/ km$/);
        await shot('offline');
      },
      { as: admin() },
    ),
  );

  test(
    'an organisation without tiles asks nobody',
    journey(
      'map-plain',
      async ({ page, context }) => {
        await setTiles([]);
        const strangers: string[] = [];
        context.on('request', (request) => {
          if (!new URL(request.url()).hostname.match(/^(127\.0\.0\.1|localhost)$/) && /^http/.test(request.url()))
            strangers.push(request.url());
        });
        await page.goto(mapAddress);
        await page.locator('.leaflet-ground-pane canvas').waitFor();
        expect(strangers).toEqual([]);
      },
      { as: admin() },
    ),
  );

  test(
    'complaint 44: what a marker says is text, by pointer and by keyboard',
    journey(
      'map-popups',
      async ({ page, shot }) => {
        await setTiles([]);
        await page.goto(mapAddress);
        const london = page.getByLabel('Marker at 51.5100, -0.1300');
        await london.click();
        const popup = page.locator('.leaflet-popup-content');
        await popup.getByText(attack).waitFor();
        await soon(() => popup.locator('img, script').count()).toBe(0);
        await shot('popup');
        await page.keyboard.press('Escape');
        await until('it is closed', 60_000, async () => (await popup.count()) === 0);

        // Two in one place are listed.
        await page.getByLabel('2 markers').focus();
        await page.keyboard.press('Enter');
        await popup.getByText('dry').waitFor();
        await soon(() => popup.getByText('wet').count()).toBe(1);
        await soon(() => page.evaluate('window.hacked')).toBeUndefined();
      },
      { as: admin() },
    ),
  );

  test(
    'groups can be switched off; a template is sanitised',
    journey(
      'map-groups',
      async ({ page, shot }) => {
        await setTiles([]);
        await page.goto(groupedAddress);
        await page.getByLabel('Marker at 51.5100, -0.1300').click();
        const popup = page.locator('.leaflet-popup-content');
        await popup.locator('b').waitFor();
        await soon(() => popup.locator('script, [onerror]').count()).toBe(0);
        await soon(() => popup.locator('a').getAttribute('href')).toBeNull();
        await shot('groups');
        expect([...(await accessibilityFaults(page)), ...(await overflow(page))]).toEqual([]);
        await page.getByRole('checkbox', { name: /Paris/ }).uncheck();
        await until('Paris is gone', 60_000, async () => (await page.getByLabel('2 markers').count()) === 0);
        await soon(() => page.evaluate('window.hacked')).toBeUndefined();
      },
      { as: admin() },
    ),
  );
});

test(
  '10: a map of countries finds its columns, and is read by keyboard',
  journey(
    'map-choropleth',
    async ({ page, shot }) => {
      await setTiles([]);
      await page.goto(shapesAddress);
      const france = page.getByRole('button', { name: 'France: 5.00' });
      await france.waitFor();
      await soon(() => page.getByRole('list', { name: 'Upper limits of devices' }).locator('li').allTextContents()).toEqual([
        '5.00',
        '3.00',
      ]);
      await page.getByText('1 row names no shape of Countries').waitFor();
      await france.focus();
      await page.keyboard.press('ArrowRight');
      await soon(() => page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe('Japan: 3.00');
      await page.keyboard.press('Enter');
      await page.locator('.leaflet-popup-content').getByText('Japan (JP)').waitFor();
      await shot('countries');
      expect([...(await accessibilityFaults(page)), ...(await overflow(page))]).toEqual([]);
      await soon(() => page.evaluate('window.hacked')).toBeUndefined();
    },
    { as: admin() },
  ),
);

test(
  '3 and 11: moving the preview sets where a map opens; every way to draw it is one choice away',
  journey(
    'map-editor',
    async ({ page, shot }) => {
      await setTiles([tiles]);
      await serveTiles(page, true);
      await page.goto(mapAddress);
      await page.getByRole('button', { name: 'Edit Visualization' }).click();
      const dialog = page.getByRole('dialog', { name: 'Visualization Editor' });
      await dialog.getByText('The map opens with everything in sight').waitFor();
      await dialog.getByRole('application').focus();
      await page.keyboard.press('ArrowRight');
      await dialog.getByText('The map opens where the preview was moved to.').waitFor();
      await dialog.getByRole('tab', { name: 'Style' }).click();
      await shot('editor');
      // The kind of a saved one cannot be changed: that field is faint on purpose.
      expect((await accessibilityFaults(page)).filter((fault) => !fault.includes('Map (Markers)'))).toEqual([]);
      await dialog.getByRole('checkbox', { name: 'Override default style' }).check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Visualization saved').waitFor();
      const [id] = mapAddress.split('/').at(-1)?.split('#') ?? [];
      const { visualizations } = await client.get(queriesApi.get, { params: { id: Number(id) } });
      const saved = visualizations?.find(({ type }) => type === 'MAP')?.options;
      expect(saved).toMatchObject({ customizeMarkers: true, mapTileUrl: '//{s}.tile.openstreetmap.org/{z}/{x}/{y}.png' });
      expect(saved?.bounds).toMatchObject({ _southWest: { lat: expect.any(Number) }, _northEast: { lng: expect.any(Number) } });
    },
    { as: admin() },
  ),
);
