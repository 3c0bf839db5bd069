import { usersApi } from '@telltale/domain/users/contract.ts';
import { expect, test } from 'vitest';
import { TestClient } from '../../server/testing/client.ts';
import { fileConsole } from './support/file-console.ts';
import { journey } from './support/journey.ts';
import { admin, invitePerson, makeGroup, makePerson } from './support/people.ts';
import { dialog, dismiss, isGone, isSeen, notice, soon } from './support/screen.ts';

const olga = await makePerson('Olga Own');

test(
  'A8: one’s own name shows everywhere at once; a refusal of the server is shown and no typed text is lost',
  journey(
    'account',
    async ({ page, faults, shot }) => {
      await page.goto('/users/me');
      const name = page.getByLabel('Name', { exact: true });
      const email = page.getByLabel('Email', { exact: true });
      await name.fill('Olga Renamed');
      await page.getByRole('button', { name: 'Save' }).click();
      await dismiss(page, 'Saved.');
      await isSeen(page.getByRole('button', { name: 'Profile menu of Olga Renamed' }));
      await isSeen(page.getByRole('heading', { name: 'Olga Renamed' }));
      await shot('page');

      await name.fill('');
      await isSeen(page.getByText('This field is required.'));
      await email.fill('olga');
      await isSeen(page.getByText('This field must be a valid email.'));
      await shot('faults');
      await page.getByRole('button', { name: 'Save' }).click();
      await soon(() => name.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);

      faults.allow(/400 .*\/api\/users\//);
      await name.fill('Olga Own');
      await email.fill(admin().email);
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Email already taken.'));
      await soon(() => email.inputValue()).toBe(admin().email);
      await email.fill('olga.new@people.example');
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Saved.'));
      olga.email = 'olga.new@people.example';
      await page.reload();
      await isSeen(name);
      await soon(() => email.inputValue()).toBe(olga.email);
      // Nobody changes their own groups: they are labels, not a choice.
      await isSeen(page.getByRole('link', { name: 'default' }));
      await soon(() => page.getByRole('combobox').count()).toBe(0);
    },
    { as: olga },
  ),
);

test(
  'A8: the API key is hidden until asked for, copied, and regenerated only after a question',
  journey(
    'api-key',
    async ({ page, context, shot }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto('/users/me');
      const field = page.getByLabel('API Key', { exact: true });
      await isSeen(field);
      await soon(() => field.getAttribute('type')).toBe('password');
      const key = await field.inputValue();
      await soon(() => statusWith(key)).toBe(200);
      await page.getByRole('button', { name: 'Show API Key' }).click();
      await soon(() => field.getAttribute('type')).toBe('text');
      await page.getByRole('button', { name: 'Copy API Key' }).click();
      await isSeen(page.getByText('Copied!'));
      await shot('shown');
      await soon(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(key);
      await isGone(page.getByText('Copied!'));

      await page.getByRole('button', { name: 'Regenerate' }).click();
      const question = dialog(page, 'Regenerate API Key');
      await isSeen(question.getByText('Are you sure you want to regenerate?'));
      await shot('question');
      // Screens 1.4: a click beside it is a no.
      await page.mouse.click(20, 880);
      await isGone(question);
      await soon(() => field.inputValue()).toBe(key);

      await page.getByRole('button', { name: 'Regenerate' }).click();
      await question.getByRole('button', { name: 'Regenerate' }).click();
      await isSeen(notice(page, 'The API Key has been updated.'));
      await soon(() => field.inputValue()).not.toBe(key);
      await soon(() => statusWith(key)).toBe(404);
      expect(await statusWith(await field.inputValue())).toBe(200);
    },
    { as: olga },
  ),
);

test(
  'A5: the change of a password checks as one types, refuses a wrong old one, and ends the sessions of other browsers',
  journey(
    'password',
    async ({ page, faults, shot, visit }) => {
      const elsewhere = await visit({ as: olga });
      await elsewhere.page.goto('/users/me');
      await page.goto('/users/me');
      await page.getByRole('button', { name: 'Change Password' }).click();
      const form = dialog(page, 'Change Password');
      const current = form.getByLabel('Current Password');
      const fresh = form.getByLabel('New Password', { exact: true });
      const repeated = form.getByLabel('Repeat New Password');
      await isSeen(current);
      await soon(() => form.getByText('This field is required.').count()).toBe(0);
      await current.press('Enter');
      await soon(() => form.getByText('This field is required.').count()).toBe(3);

      await current.fill('x');
      await fresh.fill('12345');
      await repeated.fill('12345');
      await soon(() => form.getByText('This field is too short.').count()).toBe(2);
      await fresh.fill('a new password');
      await repeated.fill('another new password');
      await isSeen(form.getByText("Passwords don't match"));
      await shot('faults');
      await repeated.fill('a new password');
      await isGone(form.getByText("Passwords don't match"));
      faults.allow(/403 .*\/api\/users\//);
      await repeated.press('Enter');
      await isSeen(notice(page, 'Incorrect current password.'));
      await isSeen(form);
      await current.fill(olga.password);
      await current.press('Enter');
      await isSeen(notice(page, 'Saved.'));
      await isGone(form);
      await page.reload();
      await isSeen(page.getByRole('heading', { name: 'Olga Own' }));

      elsewhere.faults.allow(/404 .*\/api\//);
      await elsewhere.page.getByRole('link', { name: 'Groups' }).first().click();
      await isSeen(elsewhere.page.getByText('Your session has expired. Please login to continue.'));
      olga.password = 'a new password';
    },
    { as: olga },
  ),
);

test(
  'A2: an administrator edits others: groups, a reset link or a new invitation to hand over, disable and enable',
  journey(
    'other-account',
    async ({ page, shot, visit }) => {
      const group = await makeGroup('Night shift');
      await page.goto(`/users/${olga.id}`);
      await soon(() => page.title()).toBe('Olga Own');
      const warning = "Your mail server isn't configured correctly, and is needed for invite emails to work.";
      await isSeen(page.getByText(warning));
      await page.getByLabel('Groups').click();
      await page
        .getByRole('option', { name: group.name })
        .or(page.locator('.ant-select-item-option', { hasText: group.name }))
        .last()
        .click();
      await page.keyboard.press('Escape');
      await shot('page');
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Saved.'));
      const client = new TestClient((await fileConsole()).url);
      await client.signIn(olga.email, olga.password);
      expect((await client.get(usersApi.get, { params: { id: olga.id } })).groups).toContain(group.id);

      await page.getByRole('button', { name: 'Send Password Reset Email' }).click();
      const handOver = dialog(page, 'Email not sent!');
      const link = await handOver.getByLabel('Link', { exact: true }).inputValue();
      const elsewhere = await visit();
      await elsewhere.page.goto(link);
      await elsewhere.page.getByLabel('Password').fill('chosen by the link');
      await elsewhere.page.getByRole('button', { name: 'Change my password' }).click();
      await isSeen(elsewhere.page.getByRole('heading', { name: 'Welcome to Telltale, Olga Own' }));
      // The page also asks by itself now and then.
      elsewhere.faults.allow(/404 .*\/api\//);
      await handOver.getByRole('button', { name: 'Close' }).last().click();
      await isGone(handOver);

      await page.getByRole('button', { name: 'Disable User' }).click();
      await isSeen(notice(page, 'User Olga Own is now disabled.'));
      await isSeen(page.getByRole('button', { name: 'Enable User' }));
      await soon(() => page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Enable User' }).click();
      await isSeen(notice(page, 'User Olga Own is now enabled.'));

      const invited = await invitePerson('Peter Pending');
      await page.goto(`/users/${invited.id}`);
      await isSeen(page.getByText('Invitation pending'));
      await page.getByRole('button', { name: 'Resend Invitation' }).click();
      await soon(() => handOver.getByLabel('Link', { exact: true }).inputValue()).not.toContain(invited.invite_link);
      await shot('pending');
    },
    { as: admin() },
  ),
);

const statusWith = async (key: string) =>
  (await fetch(`${(await fileConsole()).url}/api/session`, { headers: { authorization: `Key ${key}` } })).status;
