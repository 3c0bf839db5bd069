import type { OtherLogins } from '@telltale/domain/organization/logins.ts';
import type { OrganizationSettings } from '@telltale/domain/organization/settings.ts';
import type { Http, HttpCtx } from '../../platform/http/http.ts';

/** A sign-in method besides the password: one file each, and one line in `index.ts`. */
export interface SignInMethod {
  /** The switch in the settings that turns the method on. */
  kind: keyof OtherLogins;
  /** The target of the method's button. */
  path: string;
  button(settings: OrganizationSettings): string;
  routes(http: Http): void;
  /** Where a person whom this method let in signs out at the provider; undefined where the provider has no such address. */
  signOutAddress?(ctx: HttpCtx, idToken: string): Promise<string | undefined>;
}

/** The base address that providers redirect to: the configured public one, else the one of the request. */
export const siteOf = (ctx: HttpCtx): string => ctx.config.publicUrl ?? ctx.request.origin;
