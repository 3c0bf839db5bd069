import { otherLogins } from '@telltale/domain/organization/logins.ts';
import type { OrganizationSettings } from '@telltale/domain/organization/settings.ts';
import type { SignInButton } from '../pages.ts';
import { google } from './google.ts';
import { ldap } from './ldap.ts';
import type { SignInMethod } from './method.ts';
import { oidc } from './oidc.ts';
import { saml } from './saml.ts';

/** The sign-in methods besides the password, in the order of their buttons (screens 2). */
export const methods: readonly SignInMethod[] = [google, oidc, saml, ldap];

export function signInButtons(settings: OrganizationSettings): SignInButton[] {
  const working = otherLogins(settings);
  return methods.filter(({ kind }) => working[kind]).map((method) => ({ text: method.button(settings), path: method.path }));
}
