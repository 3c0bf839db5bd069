import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { journey } from './support/journey.ts';
import { admin, adminClient } from './support/people.ts';
import { choose as chooseIn, write } from './support/queries.ts';
import { dialog, isGone, isSeen, notice, soon } from './support/screen.ts';

const text = `select * from (values
  ('roof', date '2024-02-01', true, 21.5, 82), ('roof', date '2024-02-02', false, 20.5, 80), ('hall', date '2024-02-01', true, 18.0, 34),
  ('<img src=x onerror="window.hacked=1">', date '2024-02-02', true, 9.5, 9)
) as readings (room, day, online, temperature, battery)`;
const client = await adminClient();

/** A saved query of its own for each journey, its result on the screen. */
async function openQuery(page: Page, name: string, more: (id: number) => Promise<string> = async () => ''): Promise<number> {
  const { id } = await client.get(queriesApi.create, { body: { name, query: text, data_source_id: 1 } });
  await page.goto(`/queries/${id}/source${await more(id)}`);
  await page.getByRole('button', { name: 'Execute' }).click();
  await isSeen(page.getByText('4 rows'));
  return id;
}

const editor = (page: Page) => dialog(page, 'Visualization Editor');
const preview = (page: Page) => editor(page).getByRole('figure');
const savedOf = async (id: number) => (await client.get(queriesApi.get, { params: { id } })).visualizations;

async function openEditor(page: Page, type: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Visualization' }).click();
  await choose(page, 'Visualization Type', type);
}

const choose = (page: Page, label: string, option: string): Promise<void> =>
  chooseIn(page, editor(page).getByLabel(label, { exact: true }), option);

async function save(page: Page): Promise<void> {
  await editor(page).getByRole('button', { name: 'Save' }).click();
  await isSeen(notice(page, 'Visualization saved'));
  await isGone(editor(page));
}

const asAdmin = { as: admin() };

describe('3: the editor', () => {
  test(
    'complaint 35: every kind that is offered draws something at once, and is saved with all its options',
    journey(
      'visualization-kinds',
      async ({ page, shot }) => {
        const id = await openQuery(page, 'Every kind');
        await page.getByRole('button', { name: 'Add Visualization' }).click();
        await soon(() => editor(page).getByLabel('Visualization Name').inputValue()).toBe('Chart');
        const types = page.locator('.ant-select-dropdown:visible .ant-select-item-option');
        await editor(page).getByLabel('Visualization Type', { exact: true }).click();
        await isSeen(types);
        const names = await types.allInnerTexts();
        expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
        await page.keyboard.press('Escape');
        for (const name of ['Battery', 'Counter', 'Details View', 'Funnel', 'Pivot Table', 'Table']) {
          await choose(page, 'Visualization Type', name);
          await soon(() => editor(page).getByLabel('Visualization Name').inputValue()).toBe(name);
          await soon(() => preview(page).innerText()).toMatch(/roof|21\.5|22|82/);
          await shot(name.toLowerCase().replace(' ', '-'));
        }
        await soon(() => page.evaluate<boolean>("'hacked' in window")).toBe(false);
        await choose(page, 'Visualization Type', 'Funnel');
        await save(page);
        const saved = (await savedOf(id)).find(({ type }) => type === 'FUNNEL');
        expect(saved?.options).toMatchObject({ stepCol: { colName: 'room' }, valueCol: { colName: 'temperature' }, itemsLimit: 100 });
        await soon(() => new URL(page.url()).hash).toBe(`#${saved?.id}`);
      },
      asAdmin,
    ),
  );

  test(
    'Q5: a battery whose range has equal ends says so and is not saved',
    journey(
      'visualization-battery',
      async ({ page, shot }) => {
        const id = await openQuery(page, 'Battery');
        await openEditor(page, 'Battery');
        await editor(page).getByLabel('Visualization Name').fill('Roof battery');
        await choose(page, 'Value Column', 'battery');
        await editor(page).getByLabel('Range end, full').fill('0');
        await isSeen(editor(page).getByRole('alert').getByText('Range start and end must differ'));
        await soon(() => editor(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
        await shot('equal-ends');
        await editor(page).getByLabel('Range end, full').fill('90');
        await soon(() => preview(page).getAttribute('aria-label')).toContain('Battery: 82%, 91 percent of its range, high.');
        await save(page);
        const saved = (await savedOf(id)).find(({ type }) => type === 'BATTERY');
        expect(saved).toMatchObject({ name: 'Roof battery', options: { range: [0, 90], valueColumn: 'battery' } });
      },
      asAdmin,
    ),
  );

  test(
    '12: a pivot is turned in the preview, by drawing and by keys, and that is saved',
    journey(
      'visualization-pivot',
      async ({ page, shot }) => {
        const id = await openQuery(page, 'Pivot');
        await openEditor(page, 'Pivot Table');
        const zone = (name: string) => preview(page).getByRole('group', { name, exact: true });
        const attribute = (name: string) => preview(page).locator(`[data-attribute="${name}"]`);
        await isSeen(zone('Rows').locator('[data-attribute="room"]'));

        await attribute('online').focus();
        await page.keyboard.press('ArrowDown');
        await isSeen(preview(page).getByText('online is now in rows, 2 of 2.'));
        await page.keyboard.press('ArrowLeft');
        await isSeen(preview(page).getByText('online is now in rows, 1 of 2.'));

        await attribute('day').dragTo(zone('Columns'));
        await isSeen(zone('Columns').locator('[data-attribute="day"]'));
        await attribute('room').click();
        await page.getByRole('checkbox', { name: 'hall' }).uncheck();
        await page.keyboard.press('Escape');
        await soon(() => preview(page).getByRole('table').innerText()).not.toContain('hall');
        await shot('turned');
        await save(page);
        const saved = (await savedOf(id)).find(({ type }) => type === 'PIVOT');
        expect(saved?.options).toMatchObject({ rows: ['online', 'room'], cols: ['day'], valueFilter: { room: { hall: true } } });

        await page.reload();
        await page.getByRole('button', { name: 'Execute' }).click();
        await isSeen(page.getByText('4 rows'));
        await isSeen(page.locator('[aria-label="Result"][aria-busy="false"]'));
        await page.getByRole('button', { name: 'Rows by name' }).click();
        await isSeen(page.getByText('Changed for you, until the page is loaded again.'));
        await page.getByRole('button', { name: 'Reset' }).click();
        await isGone(page.getByText('Changed for you'));
      },
      asAdmin,
    ),
  );

  test(
    '0.2: a typed name stays when the type changes; a saved one keeps its type',
    journey(
      'visualization-names',
      async ({ page }) => {
        const id = await openQuery(page, 'Names');
        await openEditor(page, 'Counter');
        await editor(page).getByLabel('Visualization Name').fill('Mine');
        await choose(page, 'Visualization Type', 'Funnel');
        await soon(() => editor(page).getByLabel('Visualization Name').inputValue()).toBe('Mine');
        await editor(page).getByLabel('Visualization Name').fill(' ');
        await isSeen(editor(page).getByText('A visualization needs a name.'));
        await editor(page).getByLabel('Visualization Name').fill('Mine again');
        await save(page);
        await page.getByRole('button', { name: 'Edit Visualization' }).click();
        await soon(() => editor(page).getByLabel('Visualization Type', { exact: true }).isDisabled()).toBe(true);
        await soon(() => editor(page).getByText('Suggested for this result').count()).toBe(0);
        await editor(page).getByLabel('Visualization Name').fill('Mine at last');
        await save(page);
        expect((await savedOf(id)).map(({ name, type }) => `${type} ${name}`)).toEqual(['TABLE Table', 'FUNNEL Mine at last']);
      },
      asAdmin,
    ),
  );

  test(
    'screens 16.9: a new query is saved before its first visualization is added',
    journey(
      'visualization-new-query',
      async ({ page }) => {
        await page.goto('/queries/new');
        await write(page, 'select 7 as seven');
        await page.getByRole('button', { name: 'Execute' }).click();
        await openEditor(page, 'Counter');
        await isSeen(notice(page, 'Query saved'));
        await soon(() => new URL(page.url()).pathname).toMatch(/^\/queries\/\d+\/source$/);
        await save(page);
        await isSeen(page.getByRole('link', { name: 'Counter' }));
        const id = Number(/\d+/.exec(new URL(page.url()).pathname)?.[0]);
        expect((await savedOf(id)).map(({ type }) => type)).toEqual(['TABLE', 'COUNTER']);
      },
      asAdmin,
    ),
  );

  test(
    '2.3: all tabs of a query have the same filters',
    journey(
      'visualization-filters',
      async ({ page }) => {
        const query = `select 'roof' as "room::filter", 21.5 as temperature union all select 'hall', 19`;
        const { id } = await client.get(queriesApi.create, { body: { name: 'Filtered tabs', query, data_source_id: 1 } });
        await client.get(visualizationsApi.create, { body: { query_id: id, type: 'DETAILS', name: 'One row', options: {} } });
        await page.goto(`/queries/${id}/source`);
        await page.getByRole('button', { name: 'Execute' }).click();
        const picture = page.getByRole('region', { name: 'Result' }).getByRole('figure');
        await soon(() => picture.innerText()).toContain('21.5');
        await chooseIn(page, page.getByLabel('Room', { exact: true }), 'hall');
        await soon(() => picture.innerText()).toContain('19');
        await page.getByRole('link', { name: 'One row' }).click();
        await soon(() => picture.innerText()).toContain('hall');
        await soon(() => picture.innerText()).not.toContain('21.5');
        await page.getByRole('link', { name: 'Table' }).click();
        await soon(() => picture.innerText()).toContain('19');
      },
      asAdmin,
    ),
  );
});

describe('complaint 13: the tabs', () => {
  const tabs = (page: Page) => page.getByRole('navigation', { name: 'Visualizations' });
  const tab = (page: Page, name: string) => tabs(page).getByRole('link', { name, exact: true });
  const names = (page: Page) => tabs(page).getByRole('link').allInnerTexts();
  const openTabs = (page: Page, name: string) =>
    openQuery(page, name, async (query_id) => {
      for (const one of ['One', 'Two'])
        await client.get(visualizationsApi.create, { body: { query_id, type: 'DETAILS', name: one, options: {} } });
      return '';
    });
  const isFocused = (page: Page, name: string) => isSeen(tab(page, name).and(page.locator(':focus')));

  test(
    'are renamed by a double click and by F2',
    journey(
      'visualization-tab-names',
      async ({ page, shot }) => {
        const id = await openTabs(page, 'Renamed tabs');
        const field = tabs(page).getByRole('textbox', { name: 'Visualization Name' });
        await tab(page, 'Two').dblclick();
        await field.fill('  Rooms ');
        await shot('field');
        await soon(() => accessibilityFaults(page)).toEqual([]);
        await page.keyboard.press('Enter');
        await isSeen(notice(page, 'Visualization saved'));
        await isFocused(page, 'Rooms');
        for (const [typed, key] of [
          ['Other', 'Escape'],
          [' ', 'Enter'],
        ] as const) {
          await page.keyboard.press('F2');
          await field.fill(typed);
          await page.keyboard.press(key);
          await isFocused(page, 'Rooms');
        }
        await page.keyboard.press('F2');
        await field.fill('Left');
        await tab(page, 'One').click();
        await isSeen(tab(page, 'Left'));
        expect((await savedOf(id)).map(({ name }) => name)).toEqual(['Table', 'One', 'Left']);
      },
      asAdmin,
    ),
  );

  test(
    'are moved by keys and by dragging, and stay there',
    journey(
      'visualization-tab-order',
      async ({ page, shot }) => {
        const id = await openTabs(page, 'Moved tabs');
        const savedNames = async () => (await savedOf(id)).map(({ name }) => name);
        await tab(page, 'Table').focus();
        await page.keyboard.press('Alt+Shift+ArrowRight');
        await page.keyboard.press('Alt+Shift+ArrowRight');
        await isSeen(tabs(page).getByText('Table is now 3 of 3.'));
        await soon(() => names(page)).toEqual(['One', 'Two', 'Table']);
        await isFocused(page, 'Table');
        await soon(() => tab(page, 'Table').getAttribute('aria-current')).toBe('page');
        await soon(savedNames).toEqual(['One', 'Two', 'Table']);
        // The one that came with the query is never deleted, wherever it stands.
        await soon(() => page.getByRole('button', { name: 'Delete Table' }).count()).toBe(0);

        await tab(page, 'Two').dragTo(tab(page, 'One'), { targetPosition: { x: 4, y: 10 } });
        await soon(() => names(page)).toEqual(['Two', 'One', 'Table']);
        await soon(savedNames).toEqual(['Two', 'One', 'Table']);
        await shot('moved');
        await page.goto(`/queries/${id}`);
        await soon(() => names(page)).toEqual(['Two', 'One', 'Table']);
        await soon(() => tab(page, 'Two').getAttribute('aria-current')).toBe('page');
        await tab(page, 'One').click();
        await page.getByRole('button', { name: 'Delete One' }).click();
        await dialog(page, 'Delete Visualization').getByRole('button', { name: 'Delete' }).click();
        await soon(() => names(page)).toEqual(['Two', 'Table']);
        await soon(() => tab(page, 'Two').getAttribute('aria-current')).toBe('page');
      },
      asAdmin,
    ),
  );

  test(
    'go back when their order could not be saved',
    journey(
      'visualization-tab-refused',
      async ({ page, faults }) => {
        faults.allow(/status of 400/);
        const id = await openTabs(page, 'Refused tabs');
        await client.get(visualizationsApi.create, { body: { query_id: id, type: 'DETAILS', name: 'Elsewhere', options: {} } });
        await tab(page, 'One').focus();
        await page.keyboard.press('Alt+Shift+ArrowLeft');
        await isSeen(notice(page, 'The visualizations of this query have changed. An order names all of them, each once.'));
        await soon(() => names(page)).toEqual(['Table', 'One', 'Two']);
      },
      asAdmin,
    ),
  );
});

describe('Q8: messages', () => {
  test(
    'what cannot be saved or deleted is said, and can be tried again',
    journey(
      'visualization-failures',
      async ({ page, faults }) => {
        faults.allow(/404|Failed to load resource/);
        let made = 0;
        await openQuery(page, 'Gone behind the page', async (query_id) => {
          const body = { query_id, type: 'COUNTER', name: 'Count', options: {} };
          made = (await client.get(visualizationsApi.create, { body })).id;
          return `#${made}`;
        });
        await page.getByRole('button', { name: 'Edit Visualization' }).click();
        await isSeen(editor(page).getByLabel('Counter Label'));
        await client.get(visualizationsApi.remove, { params: { id: made } });

        const button = editor(page).getByRole('button', { name: 'Save' });
        await button.click();
        await isSeen(notice(page, 'Visualization could not be saved'));
        await soon(() => button.isEnabled()).toBe(true);
        await editor(page).getByRole('button', { name: 'Cancel' }).click();
        await isGone(editor(page));

        await page.getByRole('button', { name: 'Delete Count' }).click();
        await dialog(page, 'Delete Visualization').getByRole('button', { name: 'Delete' }).click();
        await isSeen(notice(page, "Error deleting visualization. Maybe it's used in a dashboard?"));
      },
      asAdmin,
    ),
  );
});

test(
  'Q8, W21: a visualization on a dashboard is not deleted, and the page says why',
  journey(
    'visualization-on-dashboard',
    async ({ page, faults }) => {
      faults.allow(/status of 400/);
      let made = 0;
      const id = await openQuery(page, 'Shown on a dashboard', async (query_id) => {
        const body = { query_id, type: 'FUNNEL', name: 'Rooms', options: {} };
        made = (await client.get(visualizationsApi.create, { body })).id;
        return `#${made}`;
      });
      const dashboard = await client.get(dashboardsApi.create, { body: { name: 'Rooms of the product' } });
      const widget = await client.get(widgetsApi.create, { body: { dashboard_id: dashboard.id, visualization_id: made } });
      const remove = async () => {
        await page.getByRole('button', { name: 'Delete Rooms' }).click();
        await dialog(page, 'Delete Visualization').getByRole('button', { name: 'Delete' }).click();
      };
      await remove();
      await isSeen(notice(page, "Error deleting visualization. Maybe it's used in a dashboard?"));
      expect((await savedOf(id)).map(({ name }) => name)).toContain('Rooms');

      await client.get(widgetsApi.remove, { params: { id: widget.id } });
      await dialog(page, 'Delete Visualization').getByRole('button', { name: 'Delete' }).click();
      await isGone(page.getByRole('link', { name: 'Rooms' }));
      expect((await savedOf(id)).map(({ name }) => name)).toEqual(['Table']);
    },
    asAdmin,
  ),
);

describe('screens', () => {
  for (const [width, theme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    test(
      `the editor at ${width} px`,
      journey(
        'visualization-editor',
        async ({ page, shot }) => {
          await openQuery(page, `Screens ${width}`);
          for (const name of ['Counter', 'Pivot Table', 'Funnel']) {
            if (await editor(page).isVisible()) await choose(page, 'Visualization Type', name);
            else await openEditor(page, name);
            await soon(() => preview(page).innerText()).toMatch(/roof|22/);
            await soon(() => overflow(page)).toEqual([]);
            await soon(() => accessibilityFaults(page)).toEqual([]);
            await shot(name.toLowerCase().replace(' ', '-'));
          }
        },
        { ...asAdmin, width, theme },
      ),
    );
  }
});
