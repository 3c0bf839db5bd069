import { test } from 'vitest';
import { journey } from './support/journey.ts';
import { admin, makeGroup, makePerson } from './support/people.ts';
import { dialog, dismiss, hasFocus, isGone, isSeen, notice, placeOf, soon } from './support/screen.ts';

const [mona, max] = await Promise.all([makePerson('Mona Member'), makePerson('Max Member')]);

test(
  'A2: a group is made with Enter, renamed in place, filled, emptied and deleted',
  journey(
    'groups',
    async ({ page, faults, shot }) => {
      await page.goto('/groups');
      await page.getByRole('button', { name: 'New Group' }).click();
      const form = dialog(page, 'Create a New Group');
      await soon(() => hasFocus(form.getByLabel('Name'))).toBe(true);
      await page.keyboard.type('Harbour');
      await page.keyboard.press('Enter');
      await isSeen(page.getByRole('heading', { name: 'Harbour' }));
      await soon(() => placeOf(page)).toMatch(/^\/groups\/\d+$/);
      await isSeen(page.getByText('There are no members in this group yet.'));
      await shot('empty');

      await page.getByTitle('Edit group name').click();
      const name = page.getByLabel('group name');
      await name.fill('Not this');
      await page.keyboard.press('Escape');
      await isSeen(page.getByRole('heading', { name: 'Harbour' }));
      await page.getByTitle('Edit group name').click();
      await name.fill('   ');
      await page.keyboard.press('Enter');
      await isSeen(page.getByRole('heading', { name: 'Harbour' }));
      await page.getByTitle('Edit group name').click();
      await name.fill('  Harbour & Co <b>  ');
      await page.keyboard.press('Enter');
      await isSeen(page.getByRole('heading', { name: 'Harbour & Co <b>' }));
      await soon(() => page.title()).toBe('Harbour & Co <b>');
      await soon(() => hasFocus(page.getByTitle('Edit group name'))).toBe(true);

      await page.getByRole('button', { name: 'Add Members' }).first().click();
      const members = dialog(page, 'Add Members');
      const search = members.getByLabel('Search users');
      await soon(() => hasFocus(search)).toBe(true);
      await soon(() => members.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await search.fill('nobody at all');
      await isSeen(members.getByText('No items match your search.'));
      await search.fill('Member');
      await members.getByRole('list', { name: 'Add Members' }).getByRole('button', { name: mona.email }).click();
      await members.getByRole('list', { name: 'Add Members' }).getByRole('button', { name: max.email }).click();
      await shot('add-members');
      await members.getByRole('region', { name: 'New Members' }).getByRole('button', { name: max.email }).click();
      await members.getByRole('list', { name: 'Add Members' }).getByRole('button', { name: max.email }).click();

      // One of two is refused: it stays for another try.
      faults.allow(/400 .*\/members/);
      await page.route('**/members', (route) => route.fulfill({ status: 400, json: { message: 'No.' } }), { times: 1 });
      await members.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Failed to save some of selected items.'));
      await isSeen(members.getByText('Failed', { exact: true }));
      await shot('failed-member');
      await members.getByRole('button', { name: 'Save' }).click();
      await isGone(members);
      await isSeen(page.getByRole('link', { name: mona.name }));
      await isSeen(page.getByRole('link', { name: max.name }));
      await shot('members');

      await page.getByRole('button', { name: 'Add Members' }).click();
      await search.fill('Mona');
      await isSeen(members.getByText('Already selected'));
      await soon(() => members.getByRole('button', { name: mona.email }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await isGone(members);

      await page.getByRole('button', { name: `Remove ${max.name}` }).click();
      await isSeen(notice(page, `${max.name} has been removed from the group.`));
      await isGone(page.getByRole('link', { name: max.name }));
      await page.getByRole('button', { name: 'Undo' }).click();
      await isSeen(page.getByRole('link', { name: max.name }));

      await page.getByRole('button', { name: 'Delete Group' }).click();
      const question = dialog(page, 'Delete Group');
      await isSeen(question.getByText('Are you sure you want to delete the group Harbour & Co <b>?'));
      await shot('delete');
      await question.getByRole('button', { name: 'No' }).click();
      await isGone(question);
      await page.getByRole('button', { name: 'Delete Group' }).click();
      await question.getByRole('button', { name: 'Yes' }).click();
      await isSeen(notice(page, 'Group deleted successfully.'));
      await soon(() => placeOf(page)).toBe('/groups');
      await isGone(page.getByRole('link', { name: 'Harbour & Co <b>' }));
    },
    { as: admin() },
  ),
);

test(
  'design 8: what a group may do changes at once for a member who is signed in',
  journey(
    'permissions',
    async ({ page, shot, visit }) => {
      const group = await makeGroup('Watch', ['list_users']);
      const wanda = await makePerson('Wanda Watch', [group]);
      const there = await visit({ as: wanda });
      await there.page.goto('/users');
      await isSeen(there.page.getByRole('link', { name: mona.name }).or(there.page.getByRole('table')));

      await page.goto(`/groups/${group.id}`);
      await page.getByRole('link', { name: 'Permissions' }).click();
      const permission = page.getByRole('checkbox', { name: 'View users and groups' });
      await isSeen(permission);
      await soon(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await shot('form');
      await permission.uncheck();
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await soon(() => permission.isChecked()).toBe(true);
      await permission.uncheck();
      await page.getByRole('button', { name: 'Save' }).click();
      await dismiss(page, 'Saved.');

      there.faults.allow(/403 .*\/api\/users/);
      await there.page.getByLabel('Search Users').fill('Mona');
      await isSeen(there.page.getByText('It seems like you don’t have permission to see this page.'));
      await there.shot('refused', there.page);

      await permission.check();
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Saved.'));
      await there.page.getByLabel('Search Users').fill('Mona M');
      await isSeen(there.page.getByRole('link', { name: mona.name }));
    },
    { as: admin() },
  ),
);

test(
  'A4: a built-in group is neither renamed nor deleted nor left by oneself, and says why',
  journey(
    'built-in',
    async ({ page, shot }) => {
      await page.goto('/groups');
      const refusal = page.getByRole('button', { name: 'Delete admin' });
      await refusal.focus();
      await isSeen(page.getByRole('tooltip', { name: 'Cannot delete built-in group' }));
      await shot('refusal');
      await page.keyboard.press('Enter');
      await soon(() => page.getByRole('dialog').count()).toBe(0);
      await page.getByRole('link', { name: 'admin', exact: true }).click();
      await isSeen(page.getByText('built-in'));
      await soon(() => page.getByTitle('Edit group name').count()).toBe(0);
      await soon(() => page.getByRole('link', { name: 'Permissions' }).count()).toBe(0);
      const remove = page.getByRole('button', { name: `Remove ${admin().name}` });
      await isSeen(remove);
      await soon(() => remove.getAttribute('aria-disabled')).toBe('true');
      await remove.focus();
      await isSeen(page.getByRole('tooltip', { name: 'You cannot remove yourself from a built-in group.' }));
    },
    { as: admin() },
  ),
);

test(
  'A6: a member sees their groups and who is in them, and nothing to change',
  journey(
    'groups-member',
    async ({ page, faults }) => {
      const other = await makeGroup('Closed to Mona');
      await page.goto('/groups');
      await isSeen(page.getByRole('link', { name: 'default' }));
      await soon(() => page.getByText(other.name).count()).toBe(0);
      await soon(() => page.getByRole('button', { name: 'New Group' }).count()).toBe(0);
      await soon(() => page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
      await page.getByRole('link', { name: 'default' }).click();
      await isSeen(page.getByRole('table'));
      await soon(() => page.getByRole('button', { name: /Add Members|Remove|Delete/ }).count()).toBe(0);
      faults.allow(/403 .*\/api\/groups\//);
      await page.goto(`/groups/${other.id}`);
      await isSeen(page.getByText('It seems like you don’t have permission to see this page.'));
    },
    { as: mona },
  ),
);
