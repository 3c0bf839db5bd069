import { auditApi } from '@telltale/domain/audit/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { userSessionsApi } from '@telltale/domain/users/sessions-contract.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { type LdapPeer, ldapPeer, missingSlapd } from '../testing/ldap-peer.ts';
import { type OidcPeer, oidcPeer, walkThrough } from '../testing/oidc-peer.ts';
import { readRequest, type SamlPeer, samlPeer } from '../testing/saml-peer.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { TELLTALE_ALLOW_PRIVATE: '127.0.0.0/8' } });
const admin = app.as(app.admin);
const save = (body: object) => admin.get(organizationApi.saveSettings, { body });
const who = async (client: TestClient) =>
  (await client.get(sessionApi.get)).user as { id: number; name: string; email: string; groups: number[] };
const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

describe('OpenID Connect (design 8.1)', () => {
  let peer: OidcPeer;
  beforeAll(async () => {
    peer = await oidcPeer([`${app.origin}/oidc/callback`]);
    await save({ ...peer.settings, auth_oidc_name: 'Login with Example', auth_oidc_groups_claim: 'groups' });
  });

  /** Follows the whole sign-in from the button to the end, as a browser does. */
  const enter = async (client: TestClient, next = '/queries?q=1') => {
    const begun = await client.fetch(`/oidc/login?next=${encodeURIComponent(next)}`);
    expect(begun.status).toBe(302);
    const back = await walkThrough(begun.headers.get('location') ?? '', app.origin);
    return client.fetch(back.slice(app.origin.length));
  };

  test('the sign-in page shows a button with the name of the setting', async () => {
    const page = await (await app.anonymous().fetch('/login?next=/queries')).text();
    expect(page).toContain('Login with Example');
    expect(page).toContain('/oidc/login?next=%2Fqueries');
  });

  test('3.8: an unknown person gets an account in the default group and lands where they wanted to go', async () => {
    const client = app.anonymous();
    const end = await enter(client);
    expect([end.status, end.headers.get('location')]).toEqual([302, '/queries?q=1']);
    expect(await who(client)).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' });
    const { id } = await who(client);
    const detail = await admin.get(usersApi.get, { params: { id } });
    expect(detail).toMatchObject({ auth_type: 'external', is_invitation_pending: false });
    expect(detail.groups).toHaveLength(1);
  });

  test('3.8: a known person is found by e-mail, is not pending any more, takes the new name and the groups of the claim', async () => {
    const group = await app.make.group({ name: 'Plant' });
    const invited = await app.make.user({ email: 'linus@example.com', pending: true });
    peer.person = { sub: 'linus', email: 'Linus@example.com', email_verified: true, name: 'Linus T', groups: ['Plant', 'Nowhere'] };
    const client = app.anonymous();
    expect((await enter(client)).status).toBe(302);
    const user = await who(client);
    expect(user).toMatchObject({ id: invited.id, name: 'Linus T' });
    expect(user.groups).toContain(group.id);
    expect(user.groups).toHaveLength(2);
    expect((await admin.get(usersApi.get, { params: { id: invited.id } })).is_invitation_pending).toBe(false);
  });

  test('a claim that takes the last administrator out of the group is not followed', async () => {
    peer.person = { sub: 'admin', email: app.admin.email, email_verified: true, name: 'admin', groups: [] };
    const client = app.anonymous();
    expect((await enter(client)).status).toBe(302);
    expect((await client.get(sessionApi.get)).user.permissions).toContain('admin');
  });

  test.each([
    ['a disabled account', { email: 'off@example.com', email_verified: true }],
    ['an address that the provider did not verify', { email: 'eve@example.com', email_verified: false }],
    ['no address', {}],
    ['a domain that is not listed', { email: 'eve@evil.example', email_verified: true }],
    ['a domain that only ends like a listed one', { email: 'eve@notexample.com', email_verified: true }],
  ])('%s is refused', async (_, claims) => {
    const off = await admin.call(usersApi.create, { body: { name: 'Off', email: 'off@example.com' } });
    if (off.status === 200) await admin.get(usersApi.disable, { params: { id: off.body.id } });
    await save({ auth_oidc_domains: ['example.com'] });
    peer.person = { sub: 'eve', name: 'Eve', ...claims };
    const client = app.anonymous();
    const end = await enter(client);
    expect(end.status).toBe(403);
    expect(client.cookies.has('session')).toBe(false);
    expect((await admin.get(usersApi.list, { query: { q: 'eve@' } })).count).toBe(0);
  });

  test('what a provider gave stands in the audit log: the account, the accepted invitation, and groups when they change', async () => {
    await app.make.group({ name: 'Dock' });
    await app.make.group({ name: 'Crane' });
    peer.person = { sub: 'nell', email: 'nell@example.com', email_verified: true, name: 'Nell', groups: ['Dock'] };
    const client = app.anonymous();
    await enter(client);
    const { id } = await who(client);
    const user = { id, name: 'Nell', email: 'nell@example.com' };
    const [object_type, object_id] = ['user', String(id)];
    const changes = async () => (await admin.get(auditApi.list, { query: { object_type, object_id } })).results;
    expect(await changes()).toMatchObject([
      { user, address: '127.0.0.1', action: 'groups changed', details: { method: 'oidc', added: ['Dock'], removed: [] } },
      { user, address: '127.0.0.1', action: 'account created', object_name: 'Nell', details: { method: 'oidc' } },
    ]);
    // The same groups again are no change.
    await enter(client);
    expect(await changes()).toHaveLength(2);
    peer.person = { ...peer.person, groups: ['Crane'] };
    await enter(client);
    expect((await changes())[0]?.details).toEqual({ method: 'oidc', added: ['Crane'], removed: ['Dock'] });

    const invited = await app.make.user({ email: 'vera@example.com', pending: true });
    peer.person = { sub: 'vera', email: invited.email, email_verified: true, name: 'Vera' };
    await enter(app.anonymous());
    const { results } = await admin.get(auditApi.list, { query: { object_type, object_id: String(invited.id) } });
    expect(results).toMatchObject([{ action: 'invitation accepted', user: { id: invited.id }, details: { method: 'oidc' } }]);
  });

  test('a refused sign-in stands in the audit log with its method and reason', async () => {
    const { results } = await admin.get(auditApi.list, { query: { action: 'login failed' } });
    expect(results[0]).toMatchObject({ user: null, address: '127.0.0.1', details: { method: 'oidc', reason: expect.any(String) } });
  });

  test('RP-initiated logout: who came by the provider signs out there, too, and comes back to the sign-in page', async () => {
    peer.person = { sub: 'out', email: 'out@example.com', email_verified: true, name: 'Olga Out' };
    const leave = async () => {
      const client = app.anonymous();
      await enter(client);
      const { op_logout_uri } = await client.get(sessionApi.logout);
      expect((await client.call(sessionApi.get)).status).not.toBe(200);
      return op_logout_uri;
    };
    const address = new URL((await leave()) ?? '');
    expect(address.href).toMatch(new RegExp(`^${peer.issuer}/session/end\\?`));
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${app.origin}/login`);
    // The provider knows whose session it is, and believes the address to come back to.
    const asked = await fetch(address, { redirect: 'manual' });
    expect(asked.status).toBeLessThan(400);

    const browser = app.anonymous();
    await enter(browser);
    const left = await browser.fetch('/logout');
    expect([left.status, left.headers.get('location')?.startsWith(`${peer.issuer}/session/end`)]).toEqual([302, true]);

    await save({ auth_oidc_logout: false });
    expect(await leave()).toBeUndefined();
    await save({ auth_oidc_logout: true });
    // A session by password has nothing to end elsewhere.
    const plain = await app.signedIn(app.admin);
    expect(await plain.get(sessionApi.logout)).toEqual({});
  });

  test('security 16: without a mail server an address that somebody typed in for themselves is no proof to a provider', async () => {
    const squatter = await app.make.user();
    const change = (client: TestClient, id: number, email: string, old_password: string) =>
      client.get(usersApi.save, { params: { id }, body: { email, old_password } });
    const changed = await change(app.as(squatter), squatter.id, 'chief@example.com', squatter.password);
    expect(changed).toMatchObject({ email: 'chief@example.com', is_email_verified: false });
    peer.person = { sub: 'chief', email: 'chief@example.com', email_verified: true, name: 'The Chief' };
    const client = app.anonymous();
    expect((await enter(client)).status).toBe(403);
    expect(client.cookies.has('session')).toBe(false);
    // An administrator vouches for the address.
    const moved = await change(admin, (await app.make.user()).id, 'vouched@example.com', app.admin.password);
    expect(moved.is_email_verified).toBe(true);
    peer.person = { sub: 'vouched', email: 'vouched@example.com', email_verified: true, name: 'Vouched' };
    const vouched = app.anonymous();
    expect((await enter(vouched)).status).toBe(302);
    expect((await who(vouched)).id).toBe(moved.id);
  });

  test('a session that is renewed keeps its provider and its age', async () => {
    peer.person = { sub: 'rene', email: 'rene@example.com', email_verified: true, name: 'René' };
    const client = app.anonymous();
    await enter(client);
    const params = { id: (await who(client)).id };
    const earlier = new Date(Date.now() - 5 * 60_000).toISOString();
    await app.ctx.db.updateTable('sessions').set({ created_at: earlier }).where('user_id', '=', params.id).execute();
    const cookie = client.cookies.get('session');
    await client.get(usersApi.save, { params, body: { email: 'renewed@example.com' } });
    expect(client.cookies.get('session')).not.toBe(cookie);
    const sessions = await client.get(userSessionsApi.list, { params });
    expect(sessions).toMatchObject([{ is_current: true, created_at: earlier }]);
    const { op_logout_uri = '' } = await client.get(sessionApi.logout);
    expect(op_logout_uri).toMatch(new RegExp(`^${peer.issuer}/session/end\\?`));
  });

  test('two first sign-ins at the same moment make one account', async () => {
    peer.person = { sub: 'twin', email: 'twin@example.com', email_verified: true, name: 'Twin' };
    const [one, two] = [app.anonymous(), app.anonymous()];
    const ends = await Promise.all([enter(one), enter(two)]);
    expect(ends.map((end) => end.status)).toEqual([302, 302]);
    expect((await who(one)).id).toBe((await who(two)).id);
  });

  test('a provider that is away says so, and the password still works', async () => {
    await save({ auth_oidc_issuer: 'http://127.0.0.1:9', auth_oidc_client_secret: 'x' });
    const reply = await app.anonymous().fetch('/oidc/login');
    expect(reply.status).toBe(503);
    expect(await reply.text()).toContain('cannot be reached');
    await save({ auth_oidc_enabled: false });
    expect((await app.anonymous().fetch('/oidc/login')).status).toBe(404);
  });
});

describe('Google', () => {
  test('A5: people of the listed domains get an account; without domains only existing accounts sign in', async () => {
    const peer = await oidcPeer([`${app.origin}/oauth/google/callback`]);
    app.ctx.config.googleIssuer = peer.issuer;
    await save({
      auth_google_enabled: true,
      auth_google_client_id: peer.client.id,
      auth_google_client_secret: peer.client.secret,
      auth_google_apps_domains: ['example.com'],
    });
    expect(await (await app.anonymous().fetch('/login')).text()).toContain('Login with Google');
    const enter = async (client: TestClient) => {
      const begun = await client.fetch('/oauth/google?next=/alerts');
      const back = await walkThrough(begun.headers.get('location') ?? '', app.origin);
      return client.fetch(back.slice(app.origin.length));
    };
    const client = app.anonymous();
    peer.person = { sub: 'g', email: 'gina@example.com', email_verified: true, name: 'Gina G' };
    const end = await enter(client);
    expect([end.status, end.headers.get('location')]).toEqual([302, '/alerts']);
    expect(await who(client)).toMatchObject({ name: 'Gina G', email: 'gina@example.com' });
    // Google has no page to sign out at.
    expect(await client.get(sessionApi.logout)).toEqual({});

    peer.person = { sub: 'h', email: 'hans@elsewhere.example', email_verified: true, name: 'Hans' };
    expect((await enter(app.anonymous())).status).toBe(403);
    await save({ auth_google_apps_domains: [] });
    peer.person = { sub: 'i', email: 'ida@example.com', email_verified: true, name: 'Ida' };
    expect((await enter(app.anonymous())).status).toBe(403);
    peer.person = { sub: 'g', email: 'gina@example.com', email_verified: true, name: 'Gina G' };
    expect((await enter(app.anonymous())).status).toBe(302);
    await save({ auth_google_enabled: false });
    expect((await app.anonymous().fetch('/oauth/google')).status).toBe(404);
  });
});

describe('SAML 2.0', () => {
  let peer: SamlPeer;
  beforeAll(async () => {
    peer = await samlPeer({ email: 'mary@example.com' });
    await save(peer.settings);
  });

  /** Begins a sign-in, and has its answer posted by the provider's page, from which browsers send no cookie. Answers where the page leads. */
  const postWithoutCookie = async (client: TestClient, next: string) => {
    const begun = await client.fetch(`/saml/login?next=${encodeURIComponent(next)}`);
    const asked = readRequest(begun.headers.get('location') ?? '');
    const SAMLResponse = peer.respond({ ...asked, email: 'mary@example.com' });
    const foreign = { origin: peer.url, 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' };
    const posted = await app.anonymous().fetch('/saml/callback', { ...form({ SAMLResponse }), headers: foreign });
    const [, finish = ''] = /url=([^"]+)"/.exec(await posted.text()) ?? [];
    return finish;
  };

  test('metadata, request and a signed answer: the person is in, with name and groups', async () => {
    const group = await app.make.group({ name: 'Navy' });
    expect(await (await app.anonymous().fetch('/saml/metadata')).text()).toContain(`Location="${app.origin}/saml/callback"`);
    const client = app.anonymous();
    const begun = await client.fetch('/saml/login?next=/dashboards');
    const asked = readRequest(begun.headers.get('location') ?? '');
    expect(asked).toMatchObject({ acs: `${app.origin}/saml/callback`, audience: `${app.origin}/saml/metadata` });
    const attributes = { FirstName: 'Mary', LastName: 'Jackson', RedashGroups: ['Navy'] };
    const SAMLResponse = peer.respond({ ...asked, email: 'mary@example.com', attributes });
    const end = await client.fetch('/saml/callback', form({ SAMLResponse }));
    expect([end.status, end.headers.get('location')]).toEqual([302, '/dashboards']);
    expect(await who(client)).toMatchObject({ name: 'Mary Jackson', email: 'mary@example.com' });
    expect((await who(client)).groups).toContain(group.id);
    const { results } = await admin.get(auditApi.list, { query: { user_id: (await who(client)).id, object_type: 'user' } });
    expect(results).toMatchObject([
      { action: 'groups changed', details: { method: 'saml', added: ['Navy'], removed: [] } },
      { action: 'account created', details: { method: 'saml' } },
    ]);
  });

  test('a browser that leaves its cookie out of a foreign post ends the sign-in on our own page', async () => {
    const client = app.anonymous();
    const finish = await postWithoutCookie(client, '/');
    // The ticket does not work in another browser.
    expect((await app.anonymous().fetch(finish)).status).toBe(400);
    expect((await client.fetch(finish)).status).toBe(302);
    expect((await who(client)).email).toBe('mary@example.com');
    expect((await client.fetch(finish)).status).toBe(400);
  });

  test.each([
    ['/queries/7?p_device=pump#table', '/queries/7?p_device=pump#table'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/alerts', '/alerts'],
  ])('security 14: without the cookie, too, next=%j leads to %j', async (next, target) => {
    const client = app.anonymous();
    const end = await client.fetch(await postWithoutCookie(client, next));
    expect([end.status, end.headers.get('location')]).toEqual([302, target]);
  });

  test('a refused answer stands in the audit log', async () => {
    expect((await app.anonymous().fetch('/saml/callback', form({ SAMLResponse: 'bm9uc2Vuc2U=' }))).status).toBe(403);
    const { results } = await admin.get(auditApi.list, { query: { action: 'login failed' } });
    expect(results[0]?.details).toMatchObject({ method: 'saml' });
  });

  test('static settings: address and certificate as they were typed in', async () => {
    const metadata = await (await fetch(`${peer.url}/metadata`)).text();
    const [, cert = ''] = /X509Certificate>([^<]+)</.exec(metadata) ?? [];
    await save({ auth_saml_type: 'static', auth_saml_sso_url: `${peer.url}/sso`, auth_saml_x509_cert: cert });
    const client = app.anonymous();
    const asked = readRequest((await client.fetch('/saml/login')).headers.get('location') ?? '');
    const end = await client.fetch('/saml/callback', form({ SAMLResponse: peer.respond({ ...asked, email: 'mary@example.com' }) }));
    expect(end.status).toBe(302);
    await save({ auth_saml_enabled: false });
  });
});

describe.skipIf(missingSlapd !== undefined)(missingSlapd ? `LDAP (needs ${missingSlapd})` : 'LDAP', () => {
  let peer: LdapPeer;
  beforeAll(async () => {
    peer = await ldapPeer();
    await save({
      auth_ldap_enabled: true,
      auth_ldap_url: peer.url,
      auth_ldap_bind_dn: peer.bindDn,
      auth_ldap_bind_password: peer.bindPassword,
      auth_ldap_search_dn: peer.searchDn,
    });
    return peer.stop;
  });
  const enter = (client: TestClient, email: string, password: string) => client.json('POST', '/ldap/login', { email, password });

  test('bind, search, bind as the person: they are in, with the name of the directory', async () => {
    const client = app.anonymous();
    expect((await enter(client, 'grace@example.com', 'a directory password')).status).toBe(200);
    const grace = await who(client);
    expect(grace).toMatchObject({ name: 'Grace Hopper', email: 'grace@example.com' });
    const { results } = await admin.get(auditApi.list, { query: { user_id: grace.id, object_type: 'user' } });
    expect(results).toMatchObject([{ action: 'account created', object_name: 'Grace Hopper', details: { method: 'ldap' } }]);
  });

  test('the button leads to a form, which answers with a redirect', async () => {
    expect(await (await app.anonymous().fetch('/login')).text()).toContain('LDAP/SSO Login');
    const client = app.anonymous();
    expect((await client.fetch('/ldap/login')).status).toBe(200);
    const end = await client.fetch('/ldap/login?next=/alerts', form({ email: 'grace@example.com', password: 'a directory password' }));
    expect([end.status, end.headers.get('location')]).toEqual([302, '/alerts']);
  });

  test.each([
    ['grace@example.com', 'wrong'],
    ['grace@example.com', ''],
    ['', 'a directory password'],
    ['nobody@example.com', 'a directory password'],
    ['*', 'a directory password'],
    ['*)(uid=*', 'a directory password'],
    ['grace@example.com)(|(uid=*', 'a directory password'],
    ['grace@example.com\u0000', 'a directory password'],
    ['g*', 'a directory password'],
  ])('%j with %j is refused with the same words (security 17)', async (email, password) => {
    const client = app.anonymous();
    const reply = await enter(client, email, password);
    expect(reply.status).toBe(400);
    if (!email.includes('\u0000')) expect(await reply.json()).toEqual({ message: 'Wrong email or password.' });
    expect(client.cookies.has('session')).toBe(false);
  });

  test('a failed sign-in stands in the audit log with what was typed as e-mail, never with the password', async () => {
    await enter(app.anonymous(), 'mallory@example.com', 'a wrong secret of Mallory');
    const { results } = await admin.get(auditApi.list, { query: { action: 'login failed' } });
    expect(results[0]?.details).toEqual({ method: 'ldap', email: 'mallory@example.com', reason: 'Wrong email or password.' });
  });

  test.each(['ldaps', 'STARTTLS'])('%s: the certificate is of the named authority and the named host, or nobody comes in', async (way) => {
    const isStartTls = way === 'STARTTLS';
    const use = (host: string, auth_ldap_ca_cert: string) => {
      const url = new URL(isStartTls ? peer.url : peer.tlsUrl);
      return save({
        auth_ldap_url: `${url.protocol}//${host}:${url.port}`,
        auth_ldap_starttls: isStartTls,
        auth_ldap_ca_cert,
        auth_ldap_bind_password: peer.bindPassword,
      });
    };
    const grace = () => enter(app.anonymous(), 'grace@example.com', 'a directory password');
    await use('localhost', peer.ca);
    expect((await grace()).status).toBe(200);
    await use('127.0.0.1', peer.ca);
    expect((await grace()).status).toBe(200);
    // Another host at the same address, whose certificate is not for it; then an authority that nobody knows.
    await use('ip6-localhost.localhost', peer.ca);
    expect((await grace()).status).toBe(503);
    await use('localhost', '');
    expect((await grace()).status).toBe(503);
    await save({ auth_ldap_url: peer.url, auth_ldap_starttls: false, auth_ldap_bind_password: peer.bindPassword });
    expect((await admin.call(organizationApi.saveSettings, { body: { auth_ldap_ca_cert: 'no certificate' } })).status).toBe(400);
  });

  test('design 8: a directory that is away locks nobody out', async () => {
    const hopper = () => enter(app.anonymous(), 'grace@example.com', 'a directory password');
    await save({ auth_ldap_url: 'ldap://127.0.0.1:9', auth_ldap_bind_password: peer.bindPassword });
    for (let turn = 0; turn < 12; turn++) expect((await hopper()).status).toBe(503);
    await save({ auth_ldap_url: peer.url, auth_ldap_bind_password: peer.bindPassword });
    expect((await hopper()).status).toBe(200);
  });

  test('a disabled account is refused, and a directory that is away says so', async () => {
    const { results } = await admin.get(usersApi.list, { query: { q: 'grace@example.com' } });
    await admin.get(usersApi.disable, { params: { id: results[0]?.id ?? 0 } });
    expect((await enter(app.anonymous(), 'grace@example.com', 'a directory password')).status).toBe(403);
    await save({ auth_ldap_url: 'ldap://127.0.0.1:9', auth_ldap_bind_password: 'x' });
    expect((await enter(app.anonymous(), 'mallory@example.com', 'another password')).status).toBe(503);
    await save({ auth_ldap_enabled: false });
  });
});
