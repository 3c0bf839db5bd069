import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults, overflow } from './support/checks.ts';
import { journey } from './support/journey.ts';
import { admin } from './support/people.ts';
import { cell, choose, editor, makeQuery, menu, readQuery, resultMenu, textOf, write } from './support/queries.ts';
import { dialog, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const idIn = (page: Page) => Number(/\/queries\/(\d+)/.exec(page.url())?.[1]);
const download = async (page: Page, entry: string) => {
  const [file] = await Promise.all([page.waitForEvent('download'), resultMenu(page, entry)]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
};

test(
  'Q2 to Q9: a query from its first word to its archive',
  journey(
    'queries',
    async ({ page, context, shot, visit }) => {
      await page.goto('/queries');
      await page.getByRole('button', { name: 'Add Query' }).click();
      await isSeen(editor(page));
      await soon(() => placeOf(page)).toBe('/queries/new');
      // Q2: the template runs at once, and is not unsaved work.
      await soon(() => textOf(page)).toContain('app.metric');
      await isSeen(page.getByRole('button', { name: 'Save', exact: true }));
      await page.getByRole('button', { name: 'Execute' }).click();
      await isSeen(page.getByText('Query returned no rows'));
      await shot('template');

      // A dropdown and a date range, each defined in its dialog.
      await write(page, `select i as n, '{{ kind }}' as kind, 'a <b>bold</b> word' as note from generate_series(1, 30) i -- `);
      await isSeen(page.getByRole('button', { name: 'Save*' }));
      await page.getByRole('button', { name: 'Settings of kind' }).click();
      const settings = dialog(page, 'kind');
      await choose(page, settings.getByLabel('Type'), 'Dropdown List');
      await settings.getByLabel('Values', { exact: true }).fill('pump\ngate\nvalve');
      await settings.getByLabel('Title').fill('Kind of device');
      await shot('parameter-dialog');
      await settings.getByRole('button', { name: 'OK' }).click();
      await isGone(settings);

      await editor(page).click();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.press('Alt+p');
      const added = dialog(page, 'Add Parameter');
      await isSeen(added.getByText('Choose a keyword for this parameter'));
      await added.getByLabel('Keyword').fill('kind');
      await isSeen(added.getByText('Parameter with this name already exists'));
      await added.getByLabel('Keyword').fill('day');
      await choose(page, added.getByLabel('Type'), 'Date Range');
      await isSeen(added.getByText('Appears in query as {{ day.start }} {{ day.end }}'));
      await added.getByRole('button', { name: 'Add Parameter' }).click();
      await isGone(added);
      await soon(() => textOf(page)).toContain('{{ day.start }} {{ day.end }}');

      // Q5: a parameter without a value blocks the run.
      await page.getByRole('button', { name: 'Execute' }).click();
      await isSeen(page.getByText('missing value for Day parameter.'));
      await page.getByRole('button', { name: 'Dynamic values' }).click();
      await page.getByRole('menuitem', { name: /^Last 7 days/ }).click();
      await choose(page, page.getByRole('combobox', { name: 'Kind of device' }), 'gate');
      await isSeen(page.getByRole('button', { name: 'Apply Changes' }));
      await shot('pending');
      await page.getByRole('combobox', { name: 'Kind of device' }).press('Control+Enter');
      await isSeen(cell(page, 'gate'));
      await isSeen(page.getByText('30 rows'));
      // Text of a result is text.
      await isSeen(cell(page, 'a <b>bold</b> word'));
      await shot('result');

      // A date has limits, and a default of its own, which no Save overwrites.
      await page.getByRole('button', { name: 'Settings of day' }).click();
      const ofDay = dialog(page, 'day');
      await ofDay.getByLabel('Earliest value').fill('01/02/20');
      await ofDay.getByLabel('Earliest value').press('Enter');
      await ofDay.getByRole('button', { name: 'Dynamic values' }).click();
      await page.getByRole('menuitem', { name: /^Last 7 days/ }).click();
      await shot('date-limits');
      await ofDay.getByRole('button', { name: 'OK' }).click();
      await isGone(ofDay);

      // Run and cancel; the last good result stays.
      const text = await textOf(page);
      await write(page, 'select count(*) from generate_series(1, 1000000000000) i');
      await page.keyboard.press('Control+Enter');
      await isSeen(page.getByText('Executing query…'));
      await shot('running');
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await isSeen(page.getByText(/Error running query: .*cancel/i));
      await isSeen(page.getByText('This is the last good result, from'));
      await shot('cancelled');

      // A fault is marked where its author wrote it.
      await write(page, `select 1,\n  '{{ kind }}', wrong from generate_series(1, 2) i`);
      await page.getByRole('button', { name: 'Execute' }).click();
      await isSeen(page.getByText('column "wrong" does not exist'));
      await isSeen(page.locator('.cm-lintRange-error', { hasText: 'wrong' }));
      await shot('fault');

      // Format, save, and the address of its own.
      await write(page, text);
      await page.getByRole('button', { name: 'Format Query' }).click();
      await soon(() => textOf(page)).toMatch(/^SELECT\s+i AS n,/);
      await page.keyboard.press('ControlOrMeta+s');
      await isSeen(notice(page, 'Query saved'));
      await soon(() => placeOf(page)).toMatch(/^\/queries\/\d+\/source/);
      const id = idIn(page);
      await isSeen(page.getByRole('button', { name: 'Save', exact: true }));
      const saved = await readQuery(id);
      expect(saved).toMatchObject({
        name: 'New Query',
        is_draft: true,
        options: {
          parameters: [
            { name: 'kind', title: 'Kind of device', type: 'enum', enumOptions: 'pump\ngate\nvalve', value: 'gate' },
            { name: 'day', title: 'Day', type: 'date-range', value: 'd_last_7_days', default: 'd_last_7_days', min: '2020-02-01' },
          ],
        },
      });

      await page.getByRole('button', { name: 'Edit Query name' }).or(page.getByTitle('Edit Query name')).first().click();
      await page.getByLabel('Query name').fill('Devices & <i>kinds</i>');
      await page.keyboard.press('Enter');
      await isSeen(page.getByRole('heading', { name: 'Devices & <i>kinds</i>' }));
      await soon(() => page.title()).toBe('Devices & <i>kinds</i>');

      const isDraft = await page.getByText('Unpublished', { exact: true }).isVisible();
      if (isDraft) await page.getByRole('button', { name: 'Publish' }).click();
      await isGone(page.getByText('Unpublished', { exact: true }));
      await menu(page, 'Unpublish');
      await isSeen(page.getByText('Unpublished', { exact: true }));
      await page.getByRole('button', { name: 'Publish' }).click();
      await isGone(page.getByText('Unpublished', { exact: true }));

      // Q4, Q5: every week on Monday at 9:30, as the viewer's clock has it.
      await menu(page, 'Refresh Schedule');
      const schedule = dialog(page, 'Refresh Schedule');
      await choose(page, schedule.getByLabel('Refresh every'), '1 week');
      await choose(page, schedule.getByLabel('Hour'), '09');
      await choose(page, schedule.getByLabel('Minute'), '30');
      await schedule.getByTitle('Monday').click();
      await shot('schedule');
      await schedule.getByRole('button', { name: 'OK' }).click();
      await isGone(schedule);
      await soon(async () => (await readQuery(id)).schedule).toMatchObject({
        interval: 604_800,
        day_of_week: 'Monday',
        until: null,
      });
      await isSeen(page.getByLabel('Data source', { exact: true }).getByText(/Every (1 )?week .*09:30/));

      await page.getByRole('button', { name: /Add to favorites/ }).click();
      await isSeen(page.getByRole('button', { name: /Remove from favorites/ }));
      await page.getByRole('button', { name: 'Edit tags' }).click();
      const tags = dialog(page, 'Add/Edit Tags');
      await tags.getByLabel('Tags').fill('  devices ');
      await page.keyboard.press('Enter');
      await tags.getByRole('button', { name: 'OK' }).click();
      await isGone(tags);
      await isSeen(page.getByRole('link', { name: 'devices' }));

      // Three files, with what is on the screen in them.
      const csv = await download(page, 'Download as CSV File');
      expect(csv.name).toMatch(/\.csv$/);
      expect(csv.bytes.toString()).toContain('1,gate,');
      const tsv = await download(page, 'Download as TSV File');
      expect(tsv.bytes.toString()).toContain('1\tgate\t');
      const xlsx = await download(page, 'Download as Excel File');
      expect([xlsx.name.endsWith('.xlsx'), xlsx.bytes.subarray(0, 2).toString()]).toEqual([true, 'PK']);

      // Embedded in a page of somebody without an account.
      await resultMenu(page, 'Embed Elsewhere');
      const embedding = dialog(page, 'Embed Query');
      const address = await embedding.getByLabel('Public URL', { exact: true }).inputValue();
      expect(address).toContain('p_kind=gate');
      await soon(() => embedding.getByLabel('IFrame Embed', { exact: true }).inputValue()).toContain('width="720" height="391"');
      await shot('embed-dialog');
      await embedding.getByRole('contentinfo').or(embedding).getByRole('button', { name: 'Close' }).last().click();
      const stranger = await visit({ width: 720, height: 391 });
      await stranger.page.goto(address);
      await isSeen(stranger.page.getByText('gate').first());
      await isSeen(stranger.page.getByText('Refreshed'));
      await stranger.shot('embedded');
      await soon(() => accessibilityFaults(stranger.page)).toEqual([]);
      // Q7: what a stranger sees can be taken away, also with other values and from the cache.
      await stranger.page.getByRole('button', { name: 'Download' }).click();
      const file = await stranger.page.getByRole('link', { name: 'Download as CSV File' }).getAttribute('href');
      const taken = await stranger.page.request.get(new URL(file ?? '', address).href);
      expect([taken.status(), await taken.text()]).toEqual([200, expect.stringContaining('gate')]);
      await stranger.page.goto(`${address}&hide_header&hide_parameters&hide_timestamp&hide_link`);
      await isSeen(stranger.page.getByText('gate').first());
      await soon(() => stranger.page.getByRole('heading').count()).toBe(0);
      await soon(() => stranger.page.getByRole('contentinfo').count()).toBe(0);
      await soon(() => stranger.page.getByRole('combobox', { name: 'Kind of device' }).count()).toBe(0);

      // The fork opens beside it and carries the values along.
      const [tab] = await Promise.all([context.waitForEvent('page'), menu(page, 'Fork')]);
      await isSeen(tab.getByRole('heading', { name: `Copy of (#${id}) Devices & <i>kinds</i>` }));
      await isSeen(tab.getByText('Unpublished', { exact: true }));
      await isSeen(cell(tab, 'gate'));
      await tab.close();

      await page.getByRole('link', { name: 'Show Results Only' }).click();
      await isSeen(page.getByRole('link', { name: 'Edit Source' }));
      await isSeen(cell(page, 'gate'));
      await shot('view');
      await soon(() => accessibilityFaults(page)).toEqual([]);

      await menu(page, 'Delete');
      const asked = dialog(page, 'Delete Query');
      await isSeen(asked.getByText('All alerts and dashboard widgets created with its visualizations will be deleted.', { exact: false }));
      await shot('archive');
      await asked.getByRole('button', { name: 'Delete' }).click();
      await soon(() => placeOf(page)).toBe('/queries/my');
      await isGone(page.getByRole('link', { name: 'Devices & <i>kinds</i>', exact: true }));
      await soon(() => readQuery(id)).toMatchObject({ is_archived: true, schedule: null });
      await page.goto('/queries/archive');
      await isSeen(page.getByRole('link', { name: 'Devices & <i>kinds</i>', exact: true }));
      // Its key is nobody's any more.
      stranger.faults.allow(/404 .*\/api\/queries/);
      await stranger.page.goto(address);
      await isSeen(stranger.page.getByText(/^Error: /));
    },
    { as: admin() },
  ),
);

const pictured = await makeQuery({
  name: 'Temperatures of the cold chain',
  description: 'One row for each device and hour, with the lowest and the highest value.',
  tags: ['cold chain', 'daily'],
  query: `select 'device-' || (i % 7) as device, timestamp '2026-11-01' + i * interval '1 hour' as hour,
  round((4 + 3 * sin(i / 5.0))::numeric, 2) as low, round((7 + 3 * sin(i / 5.0))::numeric, 2) as high, i % 3 = 0 as "open"
from generate_series(1, {{ hours }}) i`,
  options: { parameters: [{ name: 'hours', title: 'Hours', type: 'number', value: 200 }] },
});

for (const [width, height, theme] of [
  [1440, 900, 'dark'],
  [390, 844, 'light'],
  [390, 844, 'dark'],
] as const) {
  test(
    `the pages of a query at ${width} px, ${theme}: nothing overflows, everything has a name`,
    journey(
      'queries-look',
      async ({ page, shot }) => {
        for (const [step, address] of [
          ['source', `/queries/${pictured.id}/source`],
          ['view', `/queries/${pictured.id}`],
          ['list', '/queries'],
          [
            'embed',
            `/embed/query/${pictured.id}/visualization/${pictured.visualizations[0]?.id}?api_key=${pictured.api_key}&showDescription`,
          ],
        ] as const) {
          await page.goto(address);
          await isSeen(page.getByText(step === 'list' ? 'Temperatures of the cold chain' : 'device-1').first());
          await shot(step);
          expect([step, await accessibilityFaults(page)]).toEqual([step, []]);
          if (step !== 'embed') expect([step, await overflow(page)]).toEqual([step, []]);
        }
      },
      { as: admin(), width, height, theme },
    ),
  );
}
