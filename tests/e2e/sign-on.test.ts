import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { totpOf } from '../../server/account/second-factor.ts';
import { TestClient } from '../../server/testing/client.ts';
import { ldapPeer, missingSlapd } from '../../server/testing/ldap-peer.ts';
import { oidcPeer } from '../../server/testing/oidc-peer.ts';
import { samlPeer } from '../../server/testing/saml-peer.ts';
import { firstAdmin, startPrepared } from './support/file-console.ts';
import { journey } from './support/journey.ts';
import { dialog, dismiss, isGone, isSeen, notice, openProfileMenu, placeOf, soon } from './support/screen.ts';

const admin = firstAdmin;
const running = await startPrepared('sign-on', { TELLTALE_ALLOW_PRIVATE: '127.0.0.0/8' });
afterAll(() => running.stop());
const { url } = running;
const client = new TestClient(url);
await client.signIn(admin.email, admin.password);
const oidc = await oidcPeer([`${url}/oidc/callback`]);
const saml = await samlPeer({ email: 'mary@example.com', attributes: { FirstName: 'Mary', LastName: 'Jackson' } });

async function logIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
}

test(
  'A2, A4: an administrator switches methods on, sees the lock of the password login, and formats change without a reload',
  journey(
    'settings',
    async ({ page, shot, faults }) => {
      await page.goto('/settings/general');
      const password = page.getByLabel('Password Login Enabled');
      await isSeen(password);
      expect(await password.isDisabled()).toBe(true);
      await password.locator('xpath=ancestor::span[@tabindex]').hover();
      await isSeen(page.getByText('Password login can be disabled only if another login method is enabled.'));
      expect(await page.getByLabel('Allowed Google Apps Domains').count()).toBe(0);

      // A token of a proxy in front is another method as well; it has to be complete before passwords are switched off.
      await page.getByLabel('JWT Login Enabled').check();
      await soon(() => password.isDisabled()).toBe(false);
      faults.allow(/400 .*settings/);
      await password.uncheck();
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(page.getByText('Failed saving changes.'));
      await dismiss(page, 'Failed saving changes.');
      await password.check();
      for (const [label, value] of [
        ['Issuer', 'https://proxy.example.com'],
        ['Audience', 'console'],
        ['Public Keys Address', 'https://proxy.example.com/certs'],
      ] as const)
        await page.getByLabel(label).fill(value);
      await page.getByLabel('Header Name').fill('X-Proxy-Token');
      await shot('jwt');
      await page.getByLabel('JWT Login Enabled').uncheck();
      await soon(() => password.isDisabled()).toBe(true);

      await page.getByLabel('OpenID Connect Enabled').check();
      await page.getByLabel('Button Text').fill('Login with Example');
      await page.getByLabel('Issuer').fill(oidc.issuer);
      await page.getByLabel('Client ID').fill(oidc.client.id);
      await page.getByLabel('Client Secret').fill(oidc.client.secret);
      await page.getByLabel('SAML Enabled').check();
      await page.getByLabel('SAML Metadata URL').fill(`${saml.url}/metadata`);
      await soon(() => password.isDisabled()).toBe(false);
      await password.uncheck();
      await isSeen(page.getByText('Password based login is currently disabled'));
      // Without the last other method the password comes back by itself.
      await page.getByLabel('OpenID Connect Enabled').uncheck();
      expect(await password.isChecked()).toBe(false);
      await page.getByLabel('SAML Enabled').uncheck();
      await soon(() => password.isChecked()).toBe(true);
      await page.getByLabel('OpenID Connect Enabled').check();
      await page.getByLabel('SAML Enabled').check();

      await page.getByLabel('Date Format').click();
      await page.getByTitle('YYYY-MM-DD').click();
      await page.getByRole('button', { name: 'Save' }).click();
      await isSeen(notice(page, 'Settings changes saved.'));
      await shot('saved');
      await page.getByRole('link', { name: 'Users', exact: true }).click();
      await soon(() => page.locator('tbody time').first().getAttribute('data-exact')).toMatch(/^\d+ \w{3} \d{4}, \d\d:\d\d$/);
      const { settings } = await client.get(organizationApi.settings);
      expect(settings).toMatchObject({
        date_format: 'YYYY-MM-DD',
        auth_oidc_enabled: true,
        auth_saml_enabled: true,
        auth_password_login_enabled: true,
      });
    },
    { url, as: admin },
  ),
);

test(
  '3.8: the buttons of the sign-in page lead through OpenID Connect and SAML to where one wanted to go, and out again at the provider',
  journey(
    'sign-on',
    async ({ page, shot, visit, faults }) => {
      // The provider's own pages have no icon, and its page for signing out asks for a font of another site.
      faults.allow(/favicon|fonts\.googleapis/);
      await page.goto('/users/me');
      await isSeen(page.getByRole('link', { name: 'Login with Example' }));
      await shot('login');
      await page.getByRole('link', { name: 'Login with Example' }).click();
      await isSeen(page.getByRole('heading', { name: 'Ada Lovelace' }));
      expect(placeOf(page)).toBe('/users/me');

      // RP-initiated logout: signing out leads to the provider, which asks, and back to our sign-in page.
      await openProfileMenu(page);
      await page.getByRole('link', { name: 'Logout' }).click();
      await page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await isSeen(page.getByRole('link', { name: 'Login with Example' }));
      expect(new URL(page.url()).href.startsWith(`${url}/login`)).toBe(true);
      await page.goto('/users/me');
      await soon(() => new URL(page.url()).pathname).toBe('/login');

      // The provider is another site, so the browser leaves our cookie out of its post.
      const mary = await visit();
      mary.faults.allow(/favicon/);
      await mary.page.goto('/login');
      await mary.page.getByRole('link', { name: 'SAML Login' }).click();
      await openProfileMenu(mary.page);
      await isSeen(mary.page.getByText('Mary Jackson'));
    },
    { url },
  ),
);

test.skipIf(missingSlapd !== undefined)(
  missingSlapd ? `LDAP (needs ${missingSlapd})` : 'LDAP: who is in the directory signs in by the button of the sign-in page, over TLS',
  journey(
    'ldap',
    async ({ page, shot, faults }) => {
      const peer = await ldapPeer();
      onTestFinished(peer.stop);
      await client.get(organizationApi.saveSettings, {
        body: {
          auth_ldap_enabled: true,
          auth_ldap_url: peer.tlsUrl,
          auth_ldap_ca_cert: peer.ca,
          auth_ldap_bind_dn: peer.bindDn,
          auth_ldap_bind_password: peer.bindPassword,
          auth_ldap_search_dn: peer.searchDn,
        },
      });
      await page.goto('/login?next=/users/me');
      await page.getByRole('link', { name: 'LDAP/SSO Login' }).click();
      const enter = async (password: string) => {
        await page.getByLabel('Email').fill('mallory@example.com');
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Log In' }).click();
      };
      faults.allow(/400 .*\/ldap\/login/);
      await enter('wrong');
      await isSeen(page.getByText('Wrong email or password.'));
      await shot('refused');
      await enter('another password');
      await isSeen(page.getByRole('heading', { name: 'Mallory' }));
      expect(placeOf(page)).toBe('/users/me');
    },
    { url },
  ),
);

test(
  'design 8.1: an authenticator app is enrolled, asked for at the next sign-in, and a disabled person is out at the next request',
  journey(
    'second-factor',
    async ({ page, shot, faults }) => {
      const invited = await client.get(usersApi.create, { body: { name: 'Grace Hopper', email: 'grace@example.com' } });
      await page.goto(invited.invite_link ?? '');
      await page.getByLabel('Password').fill('the password of Grace');
      await page.getByRole('button', { name: 'Set Password' }).click();
      await page.goto('/users/me');
      await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
      const ask = dialog(page, 'Turn on two-step sign-in');
      await ask.getByLabel('Your current password').fill('the password of Grace');
      await ask.getByRole('button', { name: 'Continue' }).click();
      const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
      await shot('code');
      await page.getByLabel('Code', { exact: true }).fill(totpOf(secret).generate({ timestamp: Date.now() - 30_000 }));
      await page.getByRole('button', { name: 'Turn on', exact: true }).click();
      const codes = dialog(page, 'Recovery codes');
      await isSeen(codes.locator('li'));
      await soon(() => codes.locator('li').count()).toBe(10);
      await shot('recovery');
      await codes.getByRole('button', { name: 'Done' }).click();
      await isSeen(page.getByText('10 recovery codes left.'));
      await isSeen(page.getByText('This browser'));
      await shot('profile');

      faults.allow(/400 .*\/login/);
      await page.goto('/logout');
      await logIn(page, { email: 'grace@example.com', password: 'the password of Grace' });
      await isSeen(page.getByText('Enter the code from your authenticator app.'));
      await shot('asked');
      await page.getByLabel('Code').fill(totpOf(secret).generate());
      await page.getByRole('button', { name: 'Log In' }).click();
      await isGone(page.getByLabel('Code'));
      await page.goto('/users/me');
      await isSeen(page.getByText('Two-step sign-in'));

      faults.allow(/404 .*\/api\//);
      await client.get(usersApi.disable, { params: { id: invited.id } });
      await page.getByRole('button', { name: 'Turn off two-step sign-in' }).click();
      await page.goto('/queries');
      await soon(() => new URL(page.url()).pathname).toBe('/login');
    },
    { url },
  ),
);

test(
  'a passkey is added on the profile and signs in alone, without password and code',
  journey(
    'passkey',
    async ({ page, context, shot }) => {
      const device = await context.newCDPSession(page);
      await device.send('WebAuthn.enable');
      await device.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await page.goto('/users/me');
      await page.getByRole('button', { name: 'Add passkey' }).click();
      const ask = dialog(page, 'Add passkey');
      await ask.getByLabel('Name').fill('Test device');
      await ask.getByLabel('Your current password').fill(admin.password);
      await ask.getByRole('button', { name: 'Add' }).click();
      await isSeen(notice(page, 'Passkey added.'));
      await isSeen(page.getByText('Test device'));
      await shot('added');

      await page.goto('/logout');
      await page.goto('/login?next=/users/me');
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await soon(() => placeOf(page)).toBe('/users/me');
      await isSeen(page.getByText('Last used just now'));
      await page.getByRole('button', { name: 'Remove Test device' }).click();
      await isSeen(notice(page, 'Passkey removed.'));
    },
    { url, as: admin },
  ),
);
