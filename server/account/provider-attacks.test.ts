import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../connectors/testing/self-signed.ts';
import type { TestClient } from '../testing/client.ts';
import { oidcPeer, walkThrough } from '../testing/oidc-peer.ts';
import { readRequest, samlPeer } from '../testing/saml-peer.ts';
import { testApp } from '../testing/test-app.ts';
import { attackedApp, form, site } from './testing/attacked-app.ts';

const { admin, app, save, smtp } = await attackedApp();

describe('OpenID Connect', async () => {
  const peer = await oidcPeer([`${site}/oidc/callback`]);
  peer.person = { sub: 'eve', email: 'eve@example.com', email_verified: true, name: 'Eve' };
  beforeAll(() => save(peer.settings));
  const begin = async (client: TestClient) => new URL((await client.fetch('/oidc/login')).headers.get('location') ?? '');
  const finish = async (client: TestClient, asked: URL) => {
    const back = new URL(await walkThrough(asked.href, site));
    return client.fetch(`${back.pathname}${back.search}`);
  };
  const refused = async (client: TestClient, reply: Response) => {
    expect([400, 403]).toContain(reply.status);
    expect(client.cookies.has('session')).toBe(false);
  };

  test('the answer to a sign-in that somebody else began is refused (mixed-up state, login CSRF)', async () => {
    const [attacker, victim] = [app.anonymous(), app.anonymous()];
    const asked = await begin(attacker);
    await begin(victim);
    await refused(victim, await finish(victim, asked));
  });

  test('a code that was made for another nonce or another challenge is refused', async () => {
    for (const name of ['nonce', 'code_challenge']) {
      const client = app.anonymous();
      const asked = await begin(client);
      asked.searchParams.set(name, 'x'.repeat(43));
      await refused(client, await finish(client, asked));
    }
  });

  test('an answer works once, without state not at all, and not at the other method', async () => {
    const client = app.anonymous();
    const back = new URL(await walkThrough((await begin(client)).href, site));
    const bare = new URLSearchParams(back.search);
    bare.delete('state');
    await refused(client, await client.fetch(`/oidc/callback?${bare}`));
    await refused(client, await client.fetch(`/oidc/callback?error=access_denied&state=${back.searchParams.get('state')}x`));
    expect((await client.fetch(`/oauth/google/callback${back.search}`)).status).toBe(404);
    expect((await client.fetch(`${back.pathname}${back.search}`)).status).toBe(302);
    const again = app.anonymous();
    again.cookies.set('sign_in', client.cookies.get('sign_in') ?? '');
    await refused(again, await again.fetch(`${back.pathname}${back.search}`));
  });

  test('a link that was made before the first sign-in by a provider gives the account no password', async () => {
    const invited = await app.make.user({ email: 'nina@example.com', pending: true });
    await admin.get(usersApi.invite, { params: { id: invited.id } });
    const [letter] = await smtp.lettersTo(invited.email);
    const [, link = ''] = /https:\/\/console\.example\.com(\/invite\/\w+)/.exec(letter?.text ?? '') ?? [];
    peer.person = { sub: 'nina', email: invited.email, email_verified: true, name: 'Nina' };
    const client = app.anonymous();
    expect((await finish(client, await begin(client))).status).toBe(302);
    const taken = await app.anonymous().json('POST', link, { password: 'of somebody else' });
    expect(taken.status).toBe(400);
    const reset = await admin.call(usersApi.resetPassword, { params: { id: invited.id } });
    expect(reset).toMatchObject({ status: 400, message: 'This user signs in by a provider and has no password.' });
  });

  test('an account whose address was typed in but never verified is not handed over', async () => {
    const squatter = await app.make.user({ email: 'ceo@example.com' });
    await app.ctx.db.updateTable('users').set({ is_email_verified: false }).where('id', '=', squatter.id).execute();
    peer.person = { sub: 'ceo', email: 'ceo@example.com', email_verified: true, name: 'Chief' };
    const client = app.anonymous();
    await refused(client, await finish(client, await begin(client)));
  });
});

describe('SAML', async () => {
  const peer = await samlPeer({ email: 'mary@example.com' });
  beforeAll(() => save(peer.settings));
  const post = (client: TestClient, xml: string) =>
    client.fetch('/saml/callback', form({ SAMLResponse: Buffer.from(xml).toString('base64') }));
  const ask = async (client: TestClient) => readRequest((await client.fetch('/saml/login')).headers.get('location') ?? '');
  const evil = 'admin@example.com';

  test('the right answer is taken, and the same one never again (replay)', async () => {
    const client = app.anonymous();
    const xml = peer.responseXml({ ...(await ask(client)), email: 'mary@example.com' });
    expect((await post(client, xml)).status).toBe(302);
    const again = app.anonymous();
    again.cookies.set('sign_in', client.cookies.get('sign_in') ?? '');
    expect((await post(again, xml)).status).toBe(403);
    // An old assertion stays used up, even with the id of a new request.
    const asked = await ask(again);
    expect((await post(again, xml.replace(/(<samlp:Response[^>]* InResponseTo=")[^"]+/, `$1${asked.requestId}`))).status).toBe(403);
    expect(again.cookies.has('session')).toBe(false);
  });

  test.each<[string, (said: Parameters<typeof peer.responseXml>[0]) => string]>([
    ['without a signature', (said) => peer.responseXml({ ...said, isSigned: false })],
    ['signed with another key', (said) => peer.responseXml({ ...said, key: selfSigned('evil.example', 'rsa').key })],
    ['changed after signing', (said) => peer.responseXml({ ...said, email: 'mary@example.com' }).replace('mary@', 'admin@')],
    ['for another audience', (said) => peer.responseXml({ ...said, audience: 'https://other.example.com' })],
    ['for another address', (said) => peer.responseXml({ ...said, recipient: 'https://other.example.com/saml/callback' })],
    ['of another issuer', (said) => peer.responseXml({ ...said, issuer: 'https://evil.example' })],
    ['that has expired', (said) => peer.responseXml({ ...said, expires: -120 })],
    ['that nobody asked for', (said) => peer.responseXml({ ...said, requestId: '_unknown' })],
    ['for another request than it says', (said) => peer.responseXml({ ...said, requestId: '_other', outerRequestId: said.requestId })],
    [
      'with a forged assertion before the signed one (wrapping)',
      (said) => {
        const honest = peer.responseXml({ ...said, email: 'mary@example.com' });
        const [forged = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(peer.responseXml({ ...said, isSigned: false })) ?? [];
        return honest.replace('</samlp:Status>', `</samlp:Status>${forged}`);
      },
    ],
    [
      'with the signed assertion hidden inside a forged one (wrapping)',
      (said) => {
        const honest = peer.responseXml({ ...said, email: 'mary@example.com' });
        const [real = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(honest) ?? [];
        const [signature = ''] = /<(?:ds:)?Signature.*<\/(?:ds:)?Signature>/s.exec(real) ?? [];
        const [forged = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(peer.responseXml({ ...said, isSigned: false })) ?? [];
        const hidden = real.replace(signature, '');
        const wrapped = forged.replace(
          '</saml:Issuer>',
          `</saml:Issuer>${signature.replace('</Signature>', `<Object>${hidden}</Object></Signature>`)}`,
        );
        return honest.replace(real, wrapped);
      },
    ],
    [
      'with the signed assertion in an extension of a forged response (wrapping)',
      (said) => {
        const honest = peer.responseXml({ ...said, email: 'mary@example.com' });
        const [real = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(honest) ?? [];
        const [forged = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(peer.responseXml({ ...said, isSigned: false })) ?? [];
        return honest.replace(real, `<samlp:Extensions>${real}</samlp:Extensions>${forged}`);
      },
    ],
    [
      'with entities of its own',
      (said) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${peer.responseXml({ ...said, email: '&e;' })}`,
    ],
    ['that is no XML', () => 'not xml at all'],
    ['that is empty', () => ''],
  ])('an answer %s is refused', async (_, make) => {
    const client = app.anonymous();
    const asked = await ask(client);
    const reply = await post(client, make({ ...asked, email: evil }));
    expect([400, 403]).toContain(reply.status);
    expect(client.cookies.has('session')).toBe(false);
    expect(await reply.text()).not.toContain('root:');
  });

  test('a comment inside the name does not cut it short', async () => {
    const client = app.anonymous();
    const xml = peer.responseXml({ ...(await ask(client)), email: 'admin@example.com.evil.example' });
    await post(client, xml.replace('admin@example.com.evil', 'admin@example.com<!-- -->.evil'));
    const reply = await client.call(sessionApi.get);
    if (reply.status === 200) expect((reply.body.user as { email: string }).email).toBe('admin@example.com.evil.example');
  });
});

describe('settings of the environment', async () => {
  test('a method of the environment is switched on, locked and masked', async () => {
    const locked = await testApp({
      env: {
        AUTH_OIDC_ENABLED: '1',
        AUTH_OIDC_ISSUER: 'https://idp.example.com',
        AUTH_OIDC_CLIENT_ID: 'x',
        AUTH_OIDC_CLIENT_SECRET: 'canary',
      },
    });
    const key = locked.as(locked.admin);
    const { settings, locked: names } = await key.get(organizationApi.settings);
    expect(settings).toMatchObject({ auth_oidc_enabled: true, auth_oidc_client_secret: '--------' });
    expect(names.sort()).toEqual(['auth_oidc_client_id', 'auth_oidc_client_secret', 'auth_oidc_enabled', 'auth_oidc_issuer']);
    expect((await key.call(organizationApi.saveSettings, { body: settings })).status).toBe(200);
    expect((await key.call(organizationApi.saveSettings, { body: { auth_oidc_enabled: false } })).message).toContain('AUTH_OIDC_ENABLED');
    expect((await key.call(organizationApi.saveSettings, { body: { auth_password_login_enabled: false } })).status).toBe(200);
  });
});
