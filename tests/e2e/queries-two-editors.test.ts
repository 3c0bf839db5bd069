import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { queryAclApi } from '@telltale/domain/queries/contract.ts';
import { queryVersionsApi } from '@telltale/domain/queries/versions.ts';
import { afterAll, expect, test } from 'vitest';
import { journey } from './support/journey.ts';
import { admin, adminClient, clientOf, makePerson } from './support/people.ts';
import { editor, makeQuery, menu, readQuery, textOf, write } from './support/queries.ts';
import { dialog, isGone, isSeen, notice, soon } from './support/screen.ts';

const client = await adminClient();
const [ida, otto] = await Promise.all([makePerson('Ida Editor'), makePerson('Otto Other')]);
const idaClient = await clientOf(ida);
await client.get(organizationApi.saveSettings, { body: { feature_show_permissions_control: true } });
afterAll(() => client.get(organizationApi.saveSettings, { body: { feature_show_permissions_control: null } }));

const lines = (text: string) => text.split('\n').map((line) => line.trim());

test(
  'D6: the author lets somebody in to edit, and shuts them out again',
  journey(
    'queries-permissions',
    async ({ page, faults, shot, visit }) => {
      const query = await makeQuery({ name: 'Shared work', query: 'select 1' }, idaClient);
      await page.goto(`/queries/${query.id}`);
      await menu(page, 'Manage Permissions');
      const permissions = dialog(page, 'Manage Permissions');
      await isSeen(permissions.getByText('Editing this query is enabled for the users in this list and for admins.'));
      const list = permissions.getByRole('list', { name: 'Users with permissions' });
      await isSeen(list.getByText('Author'));
      await soon(() => list.getByRole('button').count()).toBe(0);
      await permissions.getByLabel('Add users').fill('Otto');
      const offered = page.locator('.ant-select-dropdown:visible');
      await isSeen(offered.getByText(otto.email));
      await soon(() => offered.getByText(ida.email).count()).toBe(0);
      await shot('found');

      faults.allow(/(400|500) .*\/acl/);
      await page.route('**/acl', (route) => route.fulfill({ status: 400, json: { message: 'No.' } }), { times: 1 });
      await offered.getByText(otto.email).click();
      await isSeen(notice(page, 'Could not grant permission to the user'));
      await permissions.getByLabel('Add users').fill('Otto');
      await offered.getByText(otto.email).click();
      await isSeen(list.getByText(otto.email));
      await shot('granted');

      // It counts at once for whoever was let in.
      const guest = await visit({ as: otto });
      await guest.page.goto(`/queries/${query.id}/source`);
      await write(guest.page, 'select 2 as by_otto');
      await guest.page.getByRole('button', { name: 'Save*' }).click();
      await isSeen(notice(guest.page, 'Query saved'));
      await menu(guest.page, 'Manage Permissions');
      const seen = dialog(guest.page, 'Manage Permissions');
      await isSeen(seen.getByText('Only the author and admins can change this list.'));
      await soon(() => seen.getByLabel('Add users').count()).toBe(0);

      await page.route('**/acl', (route) => route.fulfill({ status: 500, json: { message: 'No.' } }), { times: 1 });
      await list.getByRole('button', { name: `Remove user permissions: ${otto.name}` }).click();
      await isSeen(notice(page, 'Could not remove permission from the user'));
      await list.getByRole('button', { name: `Remove user permissions: ${otto.name}` }).click();
      await isGone(list.getByText(otto.email));
      await guest.page.reload();
      await isSeen(editor(guest.page));
      await soon(() => guest.page.getByRole('button', { name: 'Save' }).count()).toBe(0);

      await page.route('**/acl', (route) => route.fulfill({ status: 400, json: { message: 'No.' } }), { times: 1 });
      await page.reload();
      await menu(page, 'Manage Permissions');
      await isSeen(dialog(page, 'Manage Permissions').getByText('Failed to load grantees list'));
    },
    { as: ida },
  ),
);

const base = 'select 1 as first,\n  2 as second,\n  3 as third,\n  4 as fourth';

test(
  'W18: two people edit one query, and nobody’s text is lost',
  journey(
    'queries-two-editors',
    async ({ page, faults, shot, visit }) => {
      faults.allow(/409/);
      const query = await makeQuery({ name: 'Two editors', query: base }, idaClient);
      await idaClient.get(queryAclApi.grant, { params: { id: query.id }, body: { access_type: 'modify', user_id: otto.id } });
      const other = await visit({ as: otto });
      other.faults.allow(/409/);
      const address = `/queries/${query.id}/source`;
      await page.goto(address);
      await other.page.goto(address);

      // Different lines: both are in the merged text.
      await write(page, base.replace('1 as first', '11 as first'));
      await write(other.page, base.replace('4 as fourth', '44 as fourth'));
      await other.page.getByRole('button', { name: 'Save*' }).click();
      await isSeen(notice(other.page, 'Query saved'));
      await page.getByRole('button', { name: 'Save*' }).click();
      const conflict = dialog(page, 'Overwrite Query');
      await isSeen(
        conflict.getByText(
          'It seems like the query has been modified by another user. Are you sure you want to overwrite the query with your version?',
        ),
      );
      await isSeen(conflict.getByText(`${otto.name} saved version`, { exact: false }));
      await isSeen(conflict.getByText('44 as fourth'));
      await shot('conflict');

      // Whoever decides nothing keeps what they wrote, and is told so for as long as it takes.
      await conflict.getByRole('button', { name: 'Cancel' }).click();
      const told = page.getByText(
        'Changes not saved — It seems like the query has been modified by another user. Please copy/backup your changes and reload this page.',
      );
      await isSeen(told);
      await soon(() => textOf(page)).toContain('11 as first');
      expect((await readQuery(query.id)).query).toContain('44 as fourth');

      await page.getByRole('button', { name: 'Save*' }).click();
      await conflict.getByRole('button', { name: 'Merge both' }).click();
      await isGone(conflict);
      await soon(() => textOf(page)).toContain('44 as fourth');
      await soon(() => textOf(page)).toContain('11 as first');
      await page.getByRole('button', { name: 'Save*' }).click();
      await soon(async () => lines((await readQuery(query.id)).query)).toEqual([
        'select 11 as first,',
        '2 as second,',
        '3 as third,',
        '44 as fourth',
      ]);
      await isGone(told);

      // The same line: they cannot be merged; the version that is overwritten is in the history.
      await write(other.page, base.replace('4 as fourth', '44 as fourth').replace('2 as second', '22 as by_otto'));
      await write(page, (await readQuery(query.id)).query.replace('2 as second', '222 as by_ida'));
      await page.getByRole('button', { name: 'Save*' }).click();
      await isGone(page.getByRole('button', { name: 'Save*' }));
      await other.page.getByRole('button', { name: 'Save*' }).click();
      const theirs = dialog(other.page, 'Overwrite Query');
      await isSeen(theirs.getByText('222 as by_ida'));
      await soon(() => theirs.getByRole('button', { name: 'Merge both' }).count()).toBe(0);
      await theirs.getByRole('button', { name: 'Overwrite' }).click();
      await isSeen(notice(other.page, 'Query saved'));
      expect((await readQuery(query.id)).query).toContain('22 as by_otto');

      // A rename by somebody whose screen is old is no conflict, and does not hide that the text changed.
      await write(page, `${(await textOf(page)).trim()}\n-- Ida was here`);
      await soon(() => page.getByRole('button', { name: 'Save*' }).count()).toBe(1);
      await page.getByTitle('Edit Query name').click();
      await page.getByLabel('Query name').fill('Two editors, renamed');
      await page.keyboard.press('Enter');
      await soon(async () => (await readQuery(query.id)).name).toBe('Two editors, renamed');
      expect((await readQuery(query.id)).query).toContain('22 as by_otto');
      await page.getByRole('button', { name: 'Save*' }).click();
      await isSeen(conflict.getByText('22 as by_otto'));

      // Taking the other version is not final either.
      await conflict.getByRole('button', { name: 'Take their version' }).click();
      await soon(() => textOf(page)).toContain('22 as by_otto');
      await page.getByRole('button', { name: 'Undo' }).click();
      await soon(() => textOf(page)).toContain('Ida was here');

      // What was overwritten can be had back.
      await menu(page, 'Version History');
      const history = dialog(page, 'Version History');
      await isSeen(history.getByRole('list', { name: 'Versions' }));
      const versions = await client.get(queryVersionsApi.list, { params: { id: query.id } });
      const all = Array.isArray(versions) ? versions : versions.results;
      const texts = await Promise.all(all.map(({ version }) => client.get(queryVersionsApi.get, { params: { id: query.id, version } })));
      const lost = texts.find(({ query: text }) => text.includes('222 as by_ida'));
      await history.getByRole('button', { name: new RegExp(`^${lost?.version} `) }).click();
      await isSeen(history.getByText('222 as by_ida'));
      await shot('history');
      await history.getByRole('button', { name: 'Restore' }).click();
      await isGone(history);
      await soon(() => textOf(page)).toContain('222 as by_ida');
      await isSeen(page.getByRole('button', { name: 'Save*' }));
    },
    { as: ida },
  ),
);

test(
  'complaint 1: text that was never saved survives the end of the tab',
  journey(
    'queries-draft',
    async ({ page, shot }) => {
      const query = await makeQuery({ name: 'Interrupted', query: 'select 1' });
      await page.goto(`/queries/${query.id}/source`);
      await write(page, 'select 2 as precious');
      await soon(() => page.evaluate<string | null>(`localStorage.getItem('telltale:draft:${query.id}')`)).toContain('precious');
      page.on('dialog', (asked) => void asked.accept());
      await page.goto('/queries');
      await page.goto(`/queries/${query.id}/source`);
      await isSeen(page.getByText('There are changes in this browser that were not saved'));
      await shot('found');
      await page.getByRole('button', { name: 'Restore changes' }).click();
      await soon(() => textOf(page)).toBe('select 2 as precious');
      // Q2: leaving asks.
      await page.getByRole('link', { name: 'Queries', exact: true }).first().click();
      const asked = dialog(page, 'You will lose your changes if you leave');
      await isSeen(asked);
      await asked.getByRole('button', { name: 'Stay' }).click();
      await soon(() => textOf(page)).toBe('select 2 as precious');
    },
    { as: admin() },
  ),
);
