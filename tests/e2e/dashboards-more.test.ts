import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { makeDashboard, makePicture, makeQuery, makeWidget, readDashboard, shareUntil } from './support/dashboards.ts';
import { journey } from './support/journey.ts';
import { admin } from './support/people.ts';
import { dialog, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const half = { col: 0, row: 0, sizeX: 3, sizeY: 6 };
const widget = (page: Page, name: string) => page.getByRole('article', { name });
const textWidget = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });
const saveStatus = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const middleOf = async (page: Page, name: string) => {
  const box = await widget(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not there`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** A finger that goes from one place to another in small steps. */
async function drag(devtools: CDPSession, from: { x: number; y: number }, by: { x: number; y: number }): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [from]);
  for (let step = 1; step <= 10; step++) await touch('touchMove', [{ x: from.x + (by.x * step) / 10, y: from.y + (by.y * step) / 10 }]);
  await touch('touchEnd', []);
}

test(
  'D2: a finger drags and resizes widgets, and scrolls the page everywhere else',
  journey(
    'dashboards-touch',
    async ({ page, context, shot }) => {
      const board = await makeDashboard('By finger');
      const place = { col: 0, row: 0, sizeX: 2, sizeY: 4 };
      const one = await makeWidget(board.id, 'One', place, { position: { ...place, autoHeight: true } });
      await makeWidget(board.id, 'Two', { col: 0, row: 4, sizeX: 2, sizeY: 30 });
      await page.goto(`${board.url}?edit`);
      const grip = textWidget(page, 'One').getByRole('button', { name: 'Move Text' });
      await isSeen(grip);
      await isSeen(page.locator('[data-resize]').first());
      const devtools = await context.newCDPSession(page);
      const centre = async (box: { x: number; y: number; width: number; height: number } | null) => {
        if (!box) throw new Error('not on the screen');
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      };
      const positionOfOne = async () => (await readDashboard(board.id)).widgets.find(({ id }) => id === one.id)?.options.position;

      await drag(devtools, await centre(await grip.boundingBox()), { x: 380, y: 0 });
      await isSeen(saveStatus(page, 'Saved'));
      await soon(async () => (await positionOfOne())?.col).toBe(2);
      await soon(() => positionOfOne()).toMatchObject({ autoHeight: true, sizeY: 2 });

      const corner = page.locator('[data-cell]', { hasText: 'One' }).locator('[data-resize]');
      await drag(devtools, await centre(await corner.boundingBox()), { x: 200, y: 100 });
      await soon(positionOfOne).toMatchObject({ col: 2, sizeX: 3, sizeY: 4, autoHeight: false });
      await shot('resized');

      // Not by its handle: the page moves, the widget does not.
      const positions = async () => (await readDashboard(board.id)).widgets.map(({ options }) => options.position);
      const before = await positions();
      await drag(devtools, await centre(await textWidget(page, 'Two').boundingBox()), { x: 0, y: -200 });
      await soon(() => page.evaluate<number>('scrollY')).toBeGreaterThan(50);
      await soon(() => saveStatus(page, 'Saving').count()).toBe(0);
      await soon(() => positions()).toEqual(before);
    },
    { as: admin(), width: 1180, height: 820, browser: { hasTouch: true, isMobile: true } },
  ),
);

test(
  'complaint 30: on a phone widgets change their order, and the grid of wide screens follows',
  journey(
    'dashboards-reorder',
    async ({ page, shot, visit }) => {
      const board = await makeDashboard('On the road');
      const query = await makeQuery('Road stations');
      await makeWidget(board.id, '# First of all', { col: 0, row: 0, sizeX: 6, sizeY: 3 });
      await makeWidget(board.id, query.table, { col: 0, row: 3, sizeX: 3, sizeY: 6 });
      await makeWidget(board.id, 'Beside it', { col: 3, row: 3, sizeX: 3, sizeY: 6 });
      await page.goto(board.url);
      await isSeen(widget(page, query.name).getByText('Oslo'));
      await page.getByRole('button', { name: 'More actions' }).click();
      await soon(() => page.getByRole('menuitem', { name: 'Edit', exact: true }).count()).toBe(0);
      await page.getByRole('menuitem', { name: 'Reorder' }).click();
      const names = () => page.getByRole('main').getByRole('listitem').allTextContents();
      await soon(names).toEqual(['First of all', query.name, 'Beside it']);
      await soon(() => page.getByRole('button', { name: 'Move First of all up' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Move Beside it up' }).click();
      await page.getByRole('button', { name: 'Move Beside it up' }).click();
      await soon(names).toEqual(['Beside it', 'First of all', query.name]);
      await shot('list');
      await soon(() => accessibilityFaults(page)).toEqual([]);
      await soon(() => overflow(page)).toEqual([]);
      await page.getByRole('button', { name: 'Done Editing' }).click();
      await isSeen(widget(page, query.name).getByText('Oslo'));
      await soon(() => placeOf(page)).toBe(board.url);

      const wide = await visit({ as: admin() });
      await wide.page.goto(board.url);
      await isSeen(widget(wide.page, query.name).getByText('Oslo'));
      const top = async (text: string) => (await textWidget(wide.page, text).boundingBox())?.y ?? 0;
      expect(await top('Beside it')).toBeLessThan(await top('First of all'));
      expect(await top('First of all')).toBeLessThan(await top('Oslo'));
      await wide.shot('wide');
    },
    { as: admin(), width: 390, theme: 'dark' },
  ),
);

test(
  'D2 and 9.5: order and values of the parameters are those of the last edit; the address wins',
  journey(
    'dashboards-values',
    async ({ page, shot }) => {
      const number = (name: string, value: number) => ({ name, type: 'number', value, title: name });
      const text = 'select city from $stations where temp > {{ low }} and temp < {{ high }}';
      const query = await makeQuery('Between', text, [number('low', 20), number('high', 30)]);
      const board = await makeDashboard('Kept values');
      const mapping = (name: string) => ({ name, type: 'dashboard-level', mapTo: name, value: null, title: '' });
      await makeWidget(board.id, query.table, half, { parameterMappings: { low: mapping('low'), high: mapping('high') } });
      await page.goto(`${board.url}?edit`);
      await isSeen(page.locator('[data-cell]').getByText('Rome'));
      await page.getByRole('button', { name: 'Move high' }).focus();
      await page.keyboard.press('ArrowLeft');
      await soon(async () => (await readDashboard(board.id)).options.globalParamOrder).toEqual(['high', 'low']);
      await page.getByLabel('low', { exact: true }).fill('25');
      await page.keyboard.press('Control+Enter');
      await isGone(widget(page, query.name).getByText('Oslo'));
      await shot('chosen');
      await page.getByRole('button', { name: 'Done Editing' }).click();
      await soon(async () => (await readDashboard(board.id)).options.parameters).toEqual([
        { name: 'high', value: 30 },
        { name: 'low', value: 25 },
      ]);

      await page.goto(board.url);
      await soon(() => page.getByLabel('low', { exact: true }).inputValue()).toBe('25');
      await soon(() => page.getByRole('main').locator('label').allTextContents()).toEqual(['high', 'low']);
      await isSeen(widget(page, query.name).getByText('Rome'));
      await soon(() => widget(page, query.name).getByText('Oslo').count()).toBe(0);
      await page.goto(`${board.url}?p_low=20`);
      await isSeen(widget(page, query.name).getByText('Oslo'));
    },
    { as: admin() },
  ),
);

test(
  'complaint 33: a shared address stops working when its time has come',
  journey(
    'dashboards-expiry',
    async ({ page, visit, shot }) => {
      const board = await makeDashboard('For a while');
      await makeWidget(board.id, 'Hello', half);
      await page.goto(board.url);
      await page.getByRole('button', { name: 'Dashboard Sharing Options' }).click();
      const share = dialog(page, 'Share Dashboard');
      await share.getByRole('switch').click();
      await share.getByLabel('Expires').click();
      await page.getByTitle('In 7 days').click();
      await isSeen(share.getByText('Expires in 7 days'));
      await shot('expiry');
      const week = Date.parse((await readDashboard(board.id)).share?.expires_at ?? '') - Date.now();
      expect(Math.round(week / 86_400_000)).toBe(7);

      const guest = await visit();
      await guest.page.goto((await readDashboard(board.id)).share?.public_url ?? '');
      await isSeen(guest.page.getByText('Hello'));
      guest.faults.allow(/404 .*/);
      await shareUntil(board.id, new Date(Date.now() + 2000));
      await soon(async () => {
        await guest.page.reload();
        await isSeen(guest.page.getByText('Hello').or(guest.page.getByRole('alert')));
        return guest.page.getByText('Hello').count();
      }).toBe(0);
      await guest.shot('expired');
    },
    { as: admin() },
  ),
);

test(
  'D2: a moment that is pointed at in one time chart, or that somebody has noted, is shown in the others',
  journey(
    'dashboards-crosshair',
    async ({ page, shot, visit }) => {
      const query = await makeQuery(
        'By the hour',
        `select timestamptz '2026-01-01' + i * interval '1 hour' as at, sin(i / 5.0) as value from generate_series(0, 99) i`,
      );
      const options = { globalSeriesType: 'line', columnMapping: { at: 'x', value: 'y' } };
      const [left, right] = [await makePicture(query.id, 'CHART', 'Left', options), await makePicture(query.id, 'CHART', 'Right', options)];
      const board = await makeDashboard('Together');
      await makeWidget(board.id, left, half);
      await makeWidget(board.id, right, { ...half, col: 3 });
      await page.goto(board.url);
      const lines = () => page.locator('[class*="crosshair"]').count();
      await isSeen(widget(page, 'Left').locator('canvas'));
      await isSeen(widget(page, 'Right').locator('canvas'));
      await soon(() => lines()).toBe(0);
      const from = await middleOf(page, 'Left');
      await soon(async () => {
        await page.mouse.move(from.x + 1, from.y);
        await page.mouse.move(from.x, from.y);
        return widget(page, 'Right').locator('[class*="crosshair"]').count();
      }).toBe(1);
      await soon(() => widget(page, 'Left').locator('[class*="crosshair"]').count()).toBe(0);
      const line = await widget(page, 'Right').locator('[class*="crosshair"]').boundingBox();
      const there = await middleOf(page, 'Right');
      expect(Math.abs((line?.x ?? 0) - there.x)).toBeLessThan(8);
      await shot('pointed');
      await page.mouse.move(5, 5);
      await soon(lines).toBe(0);

      // A note is written, changed, seen by those with the secret address, and deleted; Undo brings it back.
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Annotations' }).click();
      const notes = dialog(page, 'Annotations');
      await notes.getByLabel('Text').fill('Dor open');
      await notes.getByLabel('Time').fill('2026-01-02 12:00');
      // Enter takes the time and submits the form.
      await notes.getByLabel('Time').press('Enter');
      await isSeen(notes.getByText('2 Jan 2026, 12:00'));
      await notes.getByRole('button', { name: 'Edit Dor open' }).click();
      await notes.getByLabel('Text').fill('Door open');
      await shot('annotation');
      await notes.getByRole('button', { name: 'Save annotation' }).click();
      await isSeen(notes.getByText('Door open'));
      await isSeen(widget(page, 'Left').getByRole('button', { name: /^2 Jan 2026, \d\d:00 Door open/ }));
      const guest = await visit({});
      await guest.page.goto(new URL(await shareUntil(board.id, new Date(Date.now() + 3_600_000))).pathname);
      await isSeen(widget(guest.page, 'Left').getByRole('button', { name: /Door open$/ }));
      await notes.getByRole('button', { name: 'Delete Door open' }).click();
      await isSeen(notes.getByText('There are no annotations yet.'));
      await page.locator('.ant-notification').getByRole('button', { name: 'Undo' }).click();
      await isSeen(notes.getByText('Door open'));
    },
    { as: admin() },
  ),
);

test(
  'D2: favorites are starred in the header and listed',
  journey(
    'dashboards-favorites',
    async ({ page, shot }) => {
      const board = await makeDashboard('A favourite of mine');
      await makeWidget(board.id, (await makeQuery('Printed')).table, half);
      await page.goto('/dashboards/favorites');
      await isSeen(page.getByRole('heading', { name: 'Favorite Dashboards' }));
      await soon(() => page.getByRole('link', { name: board.name }).count()).toBe(0);
      await page.goto(board.url);
      await page.getByRole('button', { name: 'Add to favorites' }).click();
      await isSeen(page.getByRole('button', { name: 'Remove from favorites' }));

      // 9.3: on paper there is nothing to press, and times are exact.
      await isSeen(widget(page, 'Printed').getByText(/just now|ago/));
      await page.emulateMedia({ media: 'print' });
      await isGone(page.getByRole('navigation', { name: 'Main', exact: true }));
      await isGone(page.getByRole('button', { name: 'More actions' }));
      const exact = `getComputedStyle(document.querySelector('main article time'), '::after').content`;
      await soon(() => page.evaluate<string>(exact)).toMatch(/^"\d+ \w{3} \d{4}, /);
      await shot('printed');
      await page.emulateMedia({ media: 'screen' });

      await page.goto('/dashboards/favorites');
      await isSeen(page.getByRole('link', { name: board.name }));
      await soon(() => page.title()).toBe('Favorite Dashboards');
      await soon(() => page.getByRole('columnheader', { name: 'Created At' }).getAttribute('aria-sort')).toBe('descending');
      await shot('list');
      await page.getByRole('row', { name: board.name }).getByRole('button', { name: 'Remove from favorites' }).click();
      await page.reload();
      await isSeen(page.getByText('Mark dashboards as Favorite to list them here.'));
    },
    { as: admin() },
  ),
);

test(
  'complaints 26, 27, 31: it refreshes only while somebody looks, says how old and how broken it is, and one broken widget is alone',
  journey(
    'dashboards-running',
    async ({ page, faults, shot }) => {
      const [fine, broken, odd] = [
        await makeQuery('Fine'),
        await makeQuery('Does not run', 'select nothing from nowhere'),
        await makeQuery('Odd answer', 'select 1 as one /* nobody else’s: a result of the cache would be shown first */'),
      ];
      const board = await makeDashboard('Watched');
      await makeWidget(board.id, fine.table, half);
      await makeWidget(board.id, broken.table, { ...half, col: 3 });
      await makeWidget(board.id, odd.table, { ...half, row: 6 });
      const asked: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && asked.push(new URL(request.url()).pathname));
      const runs = () => asked.filter((path) => path === `/api/queries/${fine.id}/results`).length;
      // An answer that no picture can be made of.
      await page.route(`**/api/queries/${odd.id}/results`, (route) =>
        route.fulfill({ json: { query_result: { id: 1, retrieved_at: new Date().toISOString(), data: { columns: null, rows: [{}] } } } }),
      );
      faults.allow(/console: .*|page error: .*/);
      await page.clock.install();
      await page.goto(`${board.url}?refresh=60`);
      await isSeen(widget(page, fine.name).getByText('Oslo'));
      await isSeen(widget(page, odd.name).getByText('Error while rendering visualization.'));
      await isSeen(widget(page, odd.name).getByRole('button', { name: `Menu of ${odd.name}` }));
      await isSeen(widget(page, broken.name).getByText('Error running query:'));
      await isSeen(page.getByText('1 widget failed'));
      await isSeen(page.getByText(/^Data (up to|from)/));
      await shot('summary');

      const first = runs();
      const answered = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().endsWith(`/api/queries/${fine.id}/results`),
      );
      await page.clock.fastForward(61_000);
      await soon(runs).toBe(first + 1);
      // A refresh that is still under way would be the answer to the next one, too.
      await answered;
      await isGone(page.locator('button[aria-busy="true"]'));
      await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
      await page.clock.fastForward(180_000);
      await page.waitForTimeout(300);
      expect(runs()).toBe(first + 1);
      await page.evaluate(`Object.defineProperty(document, 'hidden', { value: false, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
      await soon(runs).toBe(first + 2);
    },
    { as: admin() },
  ),
);

test(
  'D8: a failed write of a widget is notified, and a conflict stays until it is dismissed',
  journey(
    'dashboards-words',
    async ({ page, faults }) => {
      faults.allow(/(400|409) .*/);
      const query = await makeQuery('With a value', 'select * from $stations where temp > {{ low }}', [
        { name: 'low', type: 'number', value: 20, title: 'Low' },
      ]);
      const board = await makeDashboard('Words');
      await makeWidget(board.id, query.table, half);
      await page.goto(board.url);
      await isSeen(page.locator('[data-cell]').getByText('Rome'));
      await page.getByRole('button', { name: `Menu of ${query.name}` }).click();
      await page.getByRole('menuitem', { name: 'Edit Parameters' }).click();
      const form = dialog(page, 'Parameters');
      await soon(async () => Math.round((await form.boundingBox())?.width ?? 0)).toBe(700);
      await page.getByRole('button', { name: 'Edit source and value of low' }).click();
      await page.getByText('Static value').last().click();
      await page.locator('.ant-popover').getByRole('button', { name: 'OK' }).click();
      await page.route('**/api/widgets/*', (route) => route.fulfill({ status: 400, json: { message: 'Not today.' } }), { times: 1 });
      await form.getByRole('button', { name: 'OK', exact: true }).click();
      await isSeen(notice(page, 'Widget cannot be updated'));
      await form.getByRole('button', { name: 'OK', exact: true }).click();
      await isGone(form);

      await page.goto(`${board.url}?edit`);
      await page.route(`**/api/dashboards/${board.id}`, (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 409, json: { message: 'Stale.' } }) : route.fallback(),
      );
      await page.getByLabel('Use Dashboard Level Filters').click();
      const said = 'It seems like the dashboard has been modified by another user. Please copy/backup your changes and reload this page.';
      await isSeen(notice(page, said));
      await page.waitForTimeout(4000);
      await isSeen(notice(page, said));
    },
    { as: admin() },
  ),
);
