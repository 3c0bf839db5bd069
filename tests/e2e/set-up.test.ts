import { afterAll, expect, test } from 'vitest';
import { fakeSmtp } from '../../server/testing/smtp.ts';
import { startConsole } from './support/console.ts';
import { journey } from './support/journey.ts';
import { dialog, isGone, isSeen, notice, openProfileMenu, placeOf, soon } from './support/screen.ts';

/** The console of somebody who has just installed it; a mail server they have already. */
const smtp = await fakeSmtp();
const { url, setupCode = '', stop } = await startConsole('set-up', { SMTP_URL: smtp.url });
afterAll(() => stop());

const hostile = `<img src="/x" onerror="alert(1)"> & "co" 'Ltd' \${1} {{2}}`;
const first = { name: hostile, email: 'first@people.example', password: 'correct horse', org_name: `</title><script>alert(2)</script>` };

test(
  'screens 2: the set-up code works once, and names are shown as text',
  journey(
    'set-up',
    async ({ page, faults, shot, visit }) => {
      page.on('dialog', () => expect.unreachable('a name was run as a script'));
      await page.goto('/users?q=anything');
      await soon(() => placeOf(page)).toBe('/setup');
      await soon(() => page.title()).toBe('Telltale Initial Setup');
      await isSeen(page.getByText('Before you can use your instance, you need to do a quick setup.'));
      await shot('empty');

      await page.getByLabel('One-time code').fill('WRONG-CODE-0000');
      await page.getByLabel('Name', { exact: true }).fill(first.name);
      await page.getByLabel('Email Address').fill(first.email);
      await page.getByLabel('Password').fill(first.password);
      await page.getByLabel('Organization Name').fill(first.org_name);
      faults.allow(/403 .*\/setup/);
      await page.getByRole('button', { name: 'Setup' }).click();
      await isSeen(page.getByRole('alert'));
      await soon(() => page.getByRole('alert').textContent()).toBe('The set-up code is wrong. The server prints it when it starts.');
      await soon(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe(first.name);
      await soon(() => page.getByLabel('Email Address').inputValue()).toBe(first.email);
      await soon(() => page.getByLabel('Organization Name').inputValue()).toBe(first.org_name);
      await soon(() => page.getByLabel('Password').inputValue()).toBe('');
      await shot('wrong-code');

      await page.getByLabel('One-time code').fill(setupCode.toLowerCase());
      await page.getByLabel('Password').fill(first.password);
      await page.getByRole('button', { name: 'Setup' }).click();
      await isSeen(page.getByRole('heading', { name: `Welcome to Telltale, ${first.name}` }));
      await soon(() => placeOf(page)).toBe('/');
      await soon(() => page.title()).toBe('Telltale');
      await soon(() => page.locator('img[src="/x"], title script').count()).toBe(0);
      await openProfileMenu(page);
      await isSeen(page.getByText(first.email));
      await shot('home');

      await page.goto('/setup');
      await soon(() => placeOf(page)).toBe('/');
      const stranger = await visit();
      await stranger.page.goto('/setup');
      await soon(() => new URL(stranger.page.url()).pathname).toBe('/login');
      const again = await stranger.context.request.post('/setup', { data: { ...first, code: setupCode } });
      expect(again.status()).toBe(404);
    },
    { url },
  ),
);

test(
  'A8: with a mail server an invitation is sent, accepted once, and a forgotten password chosen anew ends old sessions',
  journey(
    'mail',
    async ({ page, visit }) => {
      await page.goto('/users/new');
      const form = dialog(page, 'Create a New User');
      await form.getByLabel('Name').fill('Grace');
      await form.getByLabel('Email').fill('grace@people.example');
      await form.getByRole('button', { name: 'Create' }).click();
      await isSeen(notice(page, 'Saved.'));
      await isGone(form);
      await soon(() => page.getByText('Email not sent!').count()).toBe(0);

      const [invitation] = await smtp.lettersTo('grace@people.example');
      expect(invitation?.html).not.toContain('<script>');
      const guest = await visit();
      await guest.page.goto(linkIn(invitation?.text));
      await isSeen(guest.page.getByText('To create your account, please choose a password.'));
      await guest.shot('invitation', guest.page);
      await guest.page.getByLabel('Password').fill('graces password');
      await guest.page.getByRole('button', { name: 'Set Password' }).click();
      await isSeen(guest.page.getByRole('heading', { name: 'Welcome to Telltale, Grace' }));

      const other = await visit();
      other.faults.allow(/400 .*\/invite\//);
      await other.page.goto(linkIn(invitation?.text));
      await isSeen(other.page.getByText('This invitation has already been accepted. Please try resetting your password instead.'));
      await other.shot('used-invitation', other.page);

      await other.page.goto('/login');
      await other.page.getByRole('link', { name: 'I forgot my password' }).click();
      await other.page.getByLabel('Email').fill('grace@people.example');
      await other.page.getByRole('button', { name: 'Reset my password' }).click();
      await isSeen(other.page.getByText('If we found an account associated with that email address, you will find an email from us'));
      const letters = await smtp.lettersTo('grace@people.example', 2);
      await other.page.goto(linkIn(letters[1]?.text));
      await other.page.getByLabel('Password').fill('a better password');
      await other.page.getByRole('button', { name: 'Change my password' }).click();
      await isSeen(other.page.getByRole('heading', { name: 'Welcome to Telltale, Grace' }));
      await guest.page.goto('/users/me');
      await soon(() => new URL(guest.page.url()).pathname).toBe('/login');
    },
    { url, as: first },
  ),
);

test(
  'screens 3: a changed e-mail address is to be verified, and the home page says so until it is',
  journey(
    'verify',
    async ({ page, shot }) => {
      await page.goto('/users/me');
      await page.getByLabel('Email', { exact: true }).fill('second@people.example');
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Saved.'));
      await page.goto('/');
      await isSeen(page.getByText('We have sent an email with a confirmation link to your email address.'));
      await shot('home');
      await page.getByRole('button', { name: 'Resend email' }).click();
      await isSeen(notice(page, 'Please check your inbox and follow the link to verify your email address.'));
      const letters = await smtp.lettersTo('second@people.example', 2);
      await page.goto(linkIn(letters[1]?.text));
      await isSeen(page.getByRole('heading', { name: 'E-mail Verified' }));
      await shot('done');
      await page.getByRole('link', { name: 'Click here' }).click();
      await isSeen(page.getByRole('heading', { name: 'Welcome to Telltale' }));
      await soon(() => page.getByText('We have sent an email').count()).toBe(0);
    },
    { url, as: first },
  ),
);

const linkIn = (text = '') => /https?:\/\/\S+/.exec(text)?.[0] ?? '';
