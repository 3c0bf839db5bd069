import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { startGallery } from './support/gallery.ts';
import { journey } from './support/journey.ts';
import { isSeen, soon } from './support/screen.ts';

const gallery = await startGallery();
afterAll(gallery.stop);

/** One case of the gallery, with its editor or without. */
async function open(page: Page, name: string, { isEdited = false } = {}): Promise<Locator> {
  await page.goto(`${gallery.url}${isEdited ? '?edit' : '?bare'}#chart/${name}`);
  const picture = page.locator(`[data-case="chart/${name}"]`);
  await isSeen(picture.locator('canvas'));
  return picture;
}

const cursor = (picture: Locator) => picture.getByRole('slider');
const count = async (picture: Locator) => Number(await cursor(picture).getAttribute('aria-valuemax'));
const stored = (page: Page) => page.evaluate<Record<string, unknown>>('storedOptions()');

async function drag(page: Page, picture: Locator, from: [number, number], to: [number, number]): Promise<void> {
  const box = await picture.locator('canvas').first().boundingBox();
  if (!box) throw new Error('There is no picture.');
  const at = ([x, y]: [number, number]): [number, number] => [box.x + box.width * x, box.y + box.height * y];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]));
  await page.mouse.move(...at(to));
  await page.mouse.up();
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await page
    .locator('.ant-select-item-option', { hasText: new RegExp(`^${option}$`) })
    .last()
    .click();
}

test(
  'visualizations 5.15: a drag zooms, Shift moves, a double click shows all; the tools do the same',
  journey('chart-zoom', async ({ page, shot }) => {
    const picture = await open(page, 'line');
    const all = await count(picture);
    expect(all).toBe(96);
    await drag(page, picture, [0.3, 0.4], [0.6, 0.42]);
    await soon(() => count(picture)).toBeLessThan(50);
    const seen = await count(picture);
    await shot('zoomed');
    const label = async () => {
      await cursor(picture).focus();
      await page.keyboard.press('Home');
      return cursor(picture).getAttribute('aria-valuetext');
    };
    const before = await label();
    await page.keyboard.down('Shift');
    await drag(page, picture, [0.6, 0.5], [0.3, 0.5]);
    await page.keyboard.up('Shift');
    await soon(label).not.toBe(before);
    expect(Math.abs((await count(picture)) - seen)).toBeLessThanOrEqual(1);
    await picture
      .locator('canvas')
      .first()
      .dblclick({ position: { x: 200, y: 100 } });
    await soon(() => count(picture)).toBe(all);

    const tool = (name: string) => picture.getByRole('button', { name });
    await soon(() => tool('Reset zoom').isDisabled()).toBe(true);
    await tool('Zoom in').click();
    await soon(() => count(picture)).toBeLessThan(60);
    await tool('Zoom out').click();
    await soon(() => count(picture)).toBe(all);
    await tool('Zoom in').click();
    await tool('Reset zoom').click();
    await soon(() => count(picture)).toBe(all);
  }),
);

test(
  'visualizations 5.15: at 768 px and less a drag zooms nothing',
  journey(
    'chart-narrow',
    async ({ page }) => {
      const picture = await open(page, 'area');
      const all = await count(picture);
      await drag(page, picture, [0.3, 0.4], [0.6, 0.42]);
      await page.waitForTimeout(300);
      await soon(() => count(picture)).toBe(all);
    },
    { width: 768 },
  ),
);

test(
  'by keyboard: from point to point, nearer, and back',
  journey('chart-keyboard', async ({ page, shot }) => {
    const picture = await open(page, 'two-axes');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await soon(() => cursor(picture).getAttribute('aria-valuetext')).toMatch(
      /^10\/02\/2024 23:30: Temperature, °C [\d.]+, Humidity, % \d+$/,
    );
    // The tooltip stands in the body, so that it fits into the window.
    await isSeen(page.getByText('10/02/2024 23:30'));
    await shot('last-point');
    await page.keyboard.press('ArrowLeft');
    await soon(() => cursor(picture).getAttribute('aria-valuetext')).toMatch(/^10\/02\/2024 23:00/);
    await page.keyboard.press('+');
    await soon(() => count(picture)).toBeLessThan(60);
    await page.keyboard.press('Escape');
    await soon(() => count(picture)).toBe(96);

    const pie = await open(page, 'pie');
    await cursor(pie).focus();
    await page.keyboard.press('Home');
    await soon(() => cursor(pie).getAttribute('aria-valuetext')).toMatch(/^heating, M01: [\d.]+% \(900\)$/);
    await isSeen(page.getByText('heating · M01'));
    const heatmap = await open(page, 'heatmap');
    await cursor(heatmap).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await soon(() => cursor(heatmap).getAttribute('aria-valuetext')).toMatch(/^1, cold store: \d+$/);
  }),
);

test(
  'visualizations 5.8: a click in the legend hides a series, a double click shows it alone and then all again; percent counts visible series',
  journey('chart-legend', async ({ page }) => {
    const picture = await open(page, 'percent');
    const item = (name: string) => picture.getByRole('button', { name, exact: true });
    const value = async () => {
      await cursor(picture).focus();
      await page.keyboard.press('Home');
      return cursor(picture).getAttribute('aria-valuetext');
    };
    await soon(() => value()).toMatch(/heating 86\.37% \(900\), cooling 13\.63% \(142\)/);
    await item('cooling').click();
    await soon(value).toMatch(/heating 100% \(900\)$/);
    await soon(() => item('cooling').getAttribute('aria-pressed')).toBe('false');
    await item('cooling').click();
    await soon(value).toMatch(/heating 86\.37%/);
    for (const isolate of [
      () => item('cooling').dblclick(),
      () => item('cooling').click({ modifiers: ['Control'] }),
      () => item('cooling').press('Shift+Enter'),
    ]) {
      await isolate();
      await soon(value).toMatch(/: cooling 100% \(142\)$/);
      await isolate();
      await soon(value).toMatch(/heating 86\.37%/);
    }
    // What was hidden before a double click does not stay behind.
    await item('heating').click();
    await page.waitForTimeout(600);
    await item('heating').dblclick();
    await soon(value).toMatch(/heating 100% \(900\)$/);
    await item('heating').dblclick();
    await soon(value).toMatch(/heating 86\.37%/);
  }),
);

test(
  'visualizations 5.15: a picture is saved under the name of its chart',
  journey('chart-png', async ({ page }) => {
    const picture = await open(page, 'heatmap');
    await picture.hover();
    const [download] = await Promise.all([page.waitForEvent('download'), picture.getByRole('button', { name: 'Save as PNG' }).click()]);
    expect(download.suggestedFilename()).toBe('heatmap.png');
  }),
);

test(
  'a moment pointed at in one chart is shown in the others of its group',
  journey('chart-crosshair', async ({ page }) => {
    await page.goto(`${gallery.url}#chart`);
    const line = page.locator('[data-case="chart/line"]');
    const area = page.locator('[data-case="chart/area"]');
    // All charts of the gallery are drawn before anything of it is seen.
    await area.locator('canvas').first().waitFor({ timeout: 90_000 });
    await line
      .locator('canvas')
      .first()
      .hover({ position: { x: 300, y: 120 } });
    await soon(() => area.locator('[class*="crosshair"]').count()).toBe(1);
    await soon(() => line.locator('[class*="crosshair"]').count()).toBe(0);
    await page.mouse.move(5, 5);
    await soon(() => area.locator('[class*="crosshair"]').count()).toBe(0);
  }),
);

test(
  'complaint 44: custom code is not run, and stays stored',
  journey('chart-custom', async ({ page }) => {
    await page.goto(`${gallery.url}?edit#chart/custom`);
    await isSeen(page.getByText('This chart is drawn by custom JavaScript, which is not run here.'));
    await page.getByRole('tab', { name: 'General' }).waitFor();
    await soon(() => page.getByRole('tab').allInnerTexts()).toEqual(['General']);
    await soon(() => page.evaluate("'hacked' in window")).toBe(false);
    await soon(() => stored(page)).toMatchObject({ customCode: 'window.hacked = 1' });
  }),
);

test(
  'hover texts are texts',
  journey('chart-hostile', async ({ page }) => {
    const picture = await open(page, 'hostile');
    await picture
      .locator('canvas')
      .first()
      .hover({ position: { x: 150, y: 100 } });
    await isSeen(page.getByText(/<script>window\.hacked=1<\/script>/));
    const isHurt =
      "'hacked' in window || [...document.querySelectorAll('img, script')].some(({ outerHTML }) => outerHTML.includes('hacked'))";
    await soon(() => page.evaluate(isHurt)).toBe(false);
  }),
);

test(
  'visualizations 5.16: the editor, tab by tab',
  journey('chart-editor', async ({ page, shot }) => {
    await open(page, 'column', { isEdited: true });
    const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
    const names = ['General', 'X Axis', 'Y Axis', 'Series', 'Colors', 'Data Labels'];
    await soon(() => page.getByRole('tab').allInnerTexts()).toEqual(names);
    await shot('general');

    await choose(page, 'Chart Type', 'Area');
    await soon(() => stored(page)).toMatchObject({ globalSeriesType: 'area', showDataLabels: false, swappedAxes: false });
    await choose(page, 'Chart Type', 'Bar');
    await page.getByText('Horizontal Chart').click();
    await soon(() => page.getByRole('tab').allInnerTexts()).toEqual(['General', 'Y Axis', 'X Axis', 'Series', 'Colors', 'Data Labels']);
    await isSeen(page.getByLabel('Y Column', { exact: true }));
    await page.getByText('Horizontal Chart').click();
    await choose(page, 'Group by', 'devices');
    await soon(() => stored(page)).toMatchObject({ columnMapping: { month: 'x', heating: 'y', cooling: 'y', devices: 'series' } });
    await isSeen(page.getByText(/named “group \/ column”/));
    await choose(page, 'Group by', 'None');
    await soon(() => stored(page)).toMatchObject({ columnMapping: { devices: 'unused' } });
    await choose(page, 'Stacking', 'Stack');
    await choose(page, 'Legend Placement', 'Hide legend');
    await soon(() => stored(page)).toMatchObject({ series: { stacking: 'stack' }, legend: { enabled: false } });

    await tab('X Axis');
    await choose(page, 'Scale', 'Category');
    await page.getByLabel('Name', { exact: true }).fill('Month');
    await page.getByText('Reverse Order').click();
    await soon(() => stored(page)).toMatchObject({ xAxis: { type: 'category', title: { text: 'Month' } }, reverseX: true });

    await tab('Y Axis');
    const left = page.getByRole('group', { name: 'Left Y Axis' });
    await left.getByLabel('Min Value').fill('-5');
    await left.getByLabel('Tick Format', { exact: true }).fill('~s');
    await left.getByLabel('Name').fill('kWh');
    await page.getByText('Align Y Axes at Zero').click();
    await soon(() => stored(page)).toMatchObject({
      yAxis: [{ rangeMin: -5, tickFormat: '~s', title: { text: 'kWh' } }, { opposite: true }],
      alignYAxesAtZero: true,
    });

    await tab('Series');
    await page.getByRole('button', { name: 'Move heating' }).press('ArrowDown');
    await page.getByLabel('Label of cooling').fill('Cooling, kWh');
    await choose(page, 'Type of heating', 'Line');
    await choose(page, 'Y Axis of heating', 'right');
    await shot('series');
    await soon(() => stored(page)).toMatchObject({
      seriesOptions: { cooling: { zIndex: 0, name: 'Cooling, kWh' }, heating: { zIndex: 1, type: 'line', yAxis: 1 } },
    });

    await tab('Colors');
    await page.getByRole('button', { name: /^Color of heating/ }).click();
    await page.getByRole('button', { name: 'Indian Red' }).click();
    await shot('colors');
    await soon(() => stored(page)).toMatchObject({ seriesOptions: { heating: { color: '#981717' } } });
    await page.getByRole('button', { name: 'Automatic', exact: true }).click();
    await soon(() => stored(page)).toMatchObject({ seriesOptions: { heating: { color: null } } });
    await page.keyboard.press('Escape');

    await tab('Data Labels');
    await page.getByText('Show Data Labels').click();
    await page.getByLabel('Data Labels', { exact: true }).last().fill('{{ @@y }} kWh');
    await soon(() => stored(page)).toMatchObject({ showDataLabels: true, textFormat: '{{ @@y }} kWh' });
    await shot('labels');
  }),
);
