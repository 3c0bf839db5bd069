import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startTestPostgres } from '../../server/testing/postgres.ts';
import { journey } from './support/journey.ts';
import { admin, adminClient } from './support/people.ts';
import { cell, makeQuery, textOf, write } from './support/queries.ts';
import { isSeen } from './support/screen.ts';
import { until } from './support/until.ts';

const client = await adminClient();
const server = await startTestPostgres();
afterAll(() => server.stop());

async function oddlyNamedSource(): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(server.url);
  const database = new pg.Client(server.url);
  await database.connect();
  await database.query(`create table "User Data" ("createdAt" int, "order" text)`);
  await database.query(`insert into "User Data" values (4711, 'the first one')`);
  await database.end();
  const options = { host: hostname, port: Number(port), user: username, password, dbname: pathname.slice(1), sslmode: 'disable' };
  const { id } = await client.get(dataSourcesApi.create, { body: { name: 'Oddly named', type: 'pg', options } });
  // Read once, so that the journey finds it.
  await until('the schema is read', 60_000, async () => 'schema' in (await client.get(dataSourcesApi.schema, { params: { id } })));
  return id;
}
const oddlyNamed = await oddlyNamedSource();

test(
  'screens 5.4 and 5.7: a name that is clicked or completed is written as the source reads it, and shown as it is',
  journey(
    'queries-names',
    async ({ page, shot }) => {
      const query = await makeQuery({ name: 'Odd names', query: 'select 1', data_source_id: oddlyNamed });
      await page.goto(`/queries/${query.id}/source`);
      const schema = page.getByRole('region', { name: 'Schema', exact: true });
      await schema.getByLabel('Search schema').fill('createdAt');
      await schema.getByTitle('User Data', { exact: true }).click();
      const column = schema.getByRole('button', { name: /^createdAt/ });
      await isSeen(column);

      await write(page, 'select ');
      await column.click();
      await page.keyboard.insertText(' from ');
      await schema.getByRole('button', { name: 'Insert User Data into query text' }).click();
      expect(await textOf(page)).toBe('select "createdAt" from "User Data"');
      await page.getByRole('button', { name: 'Execute' }).click();
      await isSeen(cell(page, '4,711'));
      await shot('clicked');

      const offered = (name: string) => page.locator('.cm-tooltip-autocomplete').getByRole('option').filter({ hasText: name }).first();
      const complete = async (beginning: string, name: string) => {
        await page.keyboard.type(beginning);
        await isSeen(offered(name));
        await offered(name).click();
      };
      await write(page, 'select  from ');
      await page.keyboard.type('User');
      await isSeen(offered('User Data'));
      await shot('offered');
      await offered('User Data').click();
      await page.keyboard.insertText(' d');
      await page.keyboard.press('Home');
      for (let n = 0; n < 'select '.length; n++) await page.keyboard.press('ArrowRight');
      await complete('crea', 'createdAt');
      await page.keyboard.insertText(' + 1, ');
      // The editor closes a quote that is typed; it is not there twice.
      await complete('d."ord', 'order');
      expect(await textOf(page)).toBe('select "createdAt" + 1, d."order" from "User Data" d');
      await page.getByRole('button', { name: 'Execute' }).click();
      await isSeen(cell(page, '4,712'));
      await isSeen(cell(page, 'the first one'));
    },
    { as: admin() },
  ),
);
