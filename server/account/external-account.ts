import type { OtherLogins } from '@telltale/domain/organization/logins.ts';
import { NewUser } from '@telltale/domain/users/contract.ts';
import { noteAccountChange } from '../audit/audit.ts';
import { builtInGroupId, replaceGroupsByName, replaceMemberships } from '../groups/groups.ts';
import { getOrganization } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { AppError, forbidden } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { recordLogin } from '../session/login-event.ts';
import { type SessionOrigin, startSession } from '../session/sessions.ts';
import { addUser, changeUser, findUserByEmail, getUserRow, type UserRow } from '../users/users.ts';

/** A person whose identity a sign-in provider has confirmed. */
export interface ExternalPerson {
  email: string;
  name: string;
  /** Group names; undefined leaves the groups unchanged. */
  groups?: string[] | undefined;
  /** True when the allowed domains permit a new account for this person. */
  isNewcomerAllowed: boolean;
}

/** The way by which a provider confirmed a person; audit entries name it. */
type ProviderMethod = keyof OtherLogins;

/** server-behaviour 3.8: finds the account by its e-mail address or makes one. Disabled accounts are refused. */
export async function accountOf(ctx: Ctx, method: ProviderMethod, person: ExternalPerson): Promise<UserRow> {
  const parsed = NewUser.safeParse({ name: person.name.trim().slice(0, 320) || person.email.split('@')[0], email: person.email });
  if (!parsed.success) throw forbidden('The sign-in provider did not name a valid email address.');
  const { name, email } = parsed.data;
  return ctx.transaction(async (tx) => {
    const known = (await findUserByEmail(tx.db, email)) ?? (await newAccount(tx, method, { name, email }, person.isNewcomerAllowed));
    if (known.disabled_at) throw forbidden('This account is disabled. Please ask an administrator.');
    // An unverified address may belong to someone else than the owner of the account.
    if (!known.is_email_verified) throw forbidden('The email address of this account is not verified yet.');
    if (known.is_invitation_pending || (person.name.trim() && known.name !== name))
      await changeUser(tx, known.id, { is_invitation_pending: false, ...(person.name.trim() ? { name } : {}) });
    if (known.is_invitation_pending) await noteAccountChange(tx, 'invitation accepted', known, { method });
    return known;
  });
}

/** Signs the person in with "remember". */
export async function enterAs(ctx: HttpCtx, method: ProviderMethod, person: ExternalPerson, origin?: SessionOrigin): Promise<void> {
  const user = await accountOf(ctx, method, person);
  if (person.groups) await applyGroups(ctx, method, user, person.groups);
  if (!(await startSession(ctx, user.id, true, undefined, origin)))
    throw forbidden('This account is disabled. Please ask an administrator.');
  await recordLogin(ctx, user);
}

async function newAccount(ctx: Ctx, method: ProviderMethod, { name, email }: { name: string; email: string }, isAllowed: boolean) {
  if (!isAllowed) throw forbidden('This email address is not allowed to sign in here. Please ask an administrator.');
  const { id: org_id } = await getOrganization(ctx);
  const id = await addUser(ctx, { org_id, name, email, password_hash: null });
  // Two first sign-ins can run at once: here the other one has created the account.
  const other = id === 0 ? await findUserByEmail(ctx.db, email) : undefined;
  if (other) return other;
  await replaceMemberships(ctx.db, id, [await builtInGroupId(ctx.db, 'default')]);
  await noteAccountChange(ctx, 'account created', { id, name, email }, { method });
  return getUserRow(ctx, id);
}

/** Applies the provider's groups. Removing the last administrator fails with a warning, but the person still signs in. */
async function applyGroups(ctx: HttpCtx, method: ProviderMethod, user: UserRow, names: string[]): Promise<void> {
  try {
    await ctx.transaction(async (tx) => {
      const changes = await replaceGroupsByName(tx, user.id, names);
      if (changes.added.length + changes.removed.length > 0) await noteAccountChange(tx, 'groups changed', user, { method, ...changes });
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ user: user.id, err: error.message }, 'the groups named by the sign-in provider were not applied');
  }
}

/** server-behaviour 3.8: true when the domain of the address is listed; an empty list means `isOpen`. */
export function isAllowedDomain(email: string, domains: readonly string[], isOpen: boolean): boolean {
  if (domains.length === 0) return isOpen;
  return domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}
