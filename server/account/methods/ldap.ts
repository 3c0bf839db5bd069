import { isIP } from 'node:net';
import { otherLogins } from '@telltale/domain/organization/logins.ts';
import type { OrganizationSettings } from '@telltale/domain/organization/settings.ts';
import type { Client, Entry } from 'ldapts';
import { z } from 'zod';
import { getSettings } from '../../organizations/organizations.ts';
import { openSetting } from '../../organizations/settings.ts';
import { AppError, forbidden, invalid, notFound, unavailable } from '../../platform/errors.ts';
import type { HttpCtx } from '../../platform/http/http.ts';
import { parseBody } from '../../platform/http/parse.ts';
import { enterAs } from '../external-account.ts';
import { noteFailedSignIn } from '../failed-sign-in.ts';
import { providerAddresses } from '../guarded-fetch.ts';
import { ldapForm } from '../pages.ts';
import { anyone, goTo, isForm, nextOf, showPage } from '../replies.ts';
import { limitedSignIn } from '../sign-in-limits.ts';
import { ldapFilter } from './ldap-filter.ts';
import type { SignInMethod } from './method.ts';

const Login = z.object({ email: z.string().max(320).default(''), password: z.string().max(1024).default('') });
const wrong = () => invalid('Wrong email or password.');
const title = 'LDAP Login';

/** server-behaviour 3.8: bind, search, then bind again as the entry that was found. */
export const ldap: SignInMethod = {
  kind: 'ldap',
  path: '/ldap/login',
  button: () => 'LDAP/SSO Login',
  routes(http) {
    http.page(anyone('GET', '/ldap/login', 'Sign-in page for accounts of the directory.'), async (ctx, request, reply) => {
      await required(ctx);
      return showPage(reply, 200, title, ldapForm({ next: nextOf(request) }));
    });
    http.page(anyone('POST', '/ldap/login', 'Signs in by LDAP: email, password.'), async (ctx, request, reply) => {
      const settings = await required(ctx);
      const given = parseBody(Login, request.body);
      try {
        await limitedSignIn(ctx, given.email, () => enterOrNote(ctx, settings, given));
      } catch (error) {
        if (!isForm(request) || !(error instanceof AppError)) throw error;
        return showPage(reply, error.status, title, ldapForm({ next: nextOf(request), email: given.email, message: error.message }));
      }
      if (isForm(request)) return goTo(reply, nextOf(request));
      return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send('{}');
    });
  },
};

async function required(ctx: HttpCtx): Promise<OrganizationSettings> {
  const settings = await getSettings(ctx);
  if (!otherLogins(settings).ldap) throw notFound('Page');
  return settings;
}

async function enterOrNote(ctx: HttpCtx, settings: OrganizationSettings, given: z.output<typeof Login>): Promise<void> {
  try {
    await enter(ctx, settings, given);
  } catch (error) {
    if (error instanceof AppError && error.status < 500)
      await noteFailedSignIn(ctx, { method: 'ldap', reason: error.message, email: given.email });
    throw error;
  }
}

async function enter(ctx: HttpCtx, settings: OrganizationSettings, { email, password }: z.output<typeof Login>): Promise<void> {
  // A bind with an empty password succeeds for everybody (RFC 4513, 5.1.2).
  if (email.trim() === '' || password === '') throw wrong();
  const entry = await withDirectory(ctx, settings, async (client) => {
    const found = await findEntry(ctx, client, settings, email.trim());
    if (!found) throw wrong();
    await client.bind(found.dn, password).catch((error: unknown) => {
      if (isRefusal(error)) throw wrong();
      throw error;
    });
    return found;
  });
  const address = textOf(entry, settings.auth_ldap_email_attribute);
  if (!address) throw forbidden('The directory has no email address for this account.');
  await enterAs(ctx, 'ldap', {
    email: address,
    name: textOf(entry, settings.auth_ldap_name_attribute) || textOf(entry, 'cn'),
    isNewcomerAllowed: true,
  });
}

async function findEntry(ctx: HttpCtx, client: Client, settings: OrganizationSettings, username: string): Promise<Entry | undefined> {
  if (settings.auth_ldap_bind_dn) await client.bind(settings.auth_ldap_bind_dn, openSetting(ctx, settings.auth_ldap_bind_password));
  const { searchEntries } = await client.search(settings.auth_ldap_search_dn, {
    scope: 'sub',
    filter: ldapFilter(settings.auth_ldap_filter, username),
    attributes: [settings.auth_ldap_email_attribute, settings.auth_ldap_name_attribute, 'cn'],
    sizeLimit: 2,
    timeLimit: 10,
  });
  // A filter that matches several entries does not identify a person.
  return searchEntries.length === 1 ? searchEntries[0] : undefined;
}

const isRefusal = (error: unknown) => error instanceof Error && 'code' in error && (error.code === 49 || error.code === 32);

function textOf(entry: Entry, name: string): string {
  const key = Object.keys(entry).find((attribute) => attribute.toLowerCase() === name.toLowerCase());
  const [value] = [key === undefined ? undefined : entry[key]].flat();
  return value === undefined ? '' : String(value);
}

/** Connects to the address that was checked; TLS verifies the certificate against the host name. */
async function withDirectory<T>(ctx: HttpCtx, settings: OrganizationSettings, run: (client: Client) => Promise<T>): Promise<T> {
  const { Client } = await import('ldapts');
  const url = new URL(settings.auth_ldap_url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  let client: Client | undefined;
  try {
    const [checked] = await providerAddresses(ctx, new URL(`http://${url.hostname}/`));
    const address = checked?.family === 6 ? `[${checked.address}]` : checked?.address;
    const isTls = url.protocol === 'ldaps:';
    const { auth_ldap_ca_cert: ca } = settings;
    // The certificate is checked against the name, or the address, that an administrator typed.
    const tlsOptions = { ...(isIP(host) ? { host } : { servername: host }), ...(ca ? { ca } : {}) };
    client = new Client({
      url: `${url.protocol}//${address}:${url.port || (isTls ? 636 : 389)}`,
      timeout: 10_000,
      connectTimeout: 5_000,
      strictDN: false,
      ...(isTls ? { tlsOptions } : {}),
    });
    if (!isTls && settings.auth_ldap_starttls) await client.startTLS(tlsOptions);
    return await run(client);
  } catch (error) {
    if (error instanceof AppError) throw error;
    ctx.log.warn({ err: error, method: 'ldap' }, 'the directory could not be asked');
    throw unavailable('The directory cannot be reached. Please try again later.', error);
  } finally {
    await client?.unbind().catch(() => {});
  }
}
