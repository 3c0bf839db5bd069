import { expect, test } from 'vitest';
import { journey } from './support/journey.ts';
import { admin } from './support/people.ts';
import { cell, makeQuery } from './support/queries.ts';
import { isSeen } from './support/screen.ts';

/** Some 6 MB of JSON, with texts that look like JSON. */
const rowCount = 60_000;
const query = `select i as id, '{"rows":[' || i || ']},"' as text, md5(i::text) as note from generate_series(1, ${rowCount}) i`;

test(
  'issue 14: a large result is cut into rows by a worker, and is shown, sorted and searched like any other',
  journey(
    'queries-large',
    async ({ page, shot }) => {
      const { id } = await makeQuery({ name: 'Large', query });
      await page.goto(`/queries/${id}`);
      const worker = page.waitForEvent('worker');
      await page.getByRole('button', { name: 'Refresh Now' }).click();
      expect((await worker).url()).toContain('splitter');
      await isSeen(cell(page, '{"rows":[1]},"'));
      await isSeen(page.getByText(/60[,.]?000 rows/).first());
      const header = page.getByRole('columnheader', { name: 'id' }).getByRole('button').first();
      await header.click();
      await header.click();
      await isSeen(cell(page, `{"rows":[${rowCount}]},"`));
      await shot('sorted');

      // A reload shows the stored result.
      await page.reload();
      await isSeen(cell(page, '{"rows":[1]},"'));
    },
    { as: admin() },
  ),
);
