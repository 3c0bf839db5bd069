import { hasOtherLogin } from '@telltale/domain/organization/logins.ts';
import { minPasswordLength, type User, type UserChanges, type UserDetail, type UserListParams } from '@telltale/domain/users/contract.ts';
import { recordEvent } from '../events/events.ts';
import { builtInGroupId, replaceMemberships, requireAdminLeft, setGroupsOf } from '../groups/groups.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { conflict, forbidden, invalid, notFound, tooMany } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { randomKey } from '../platform/secrets.ts';
import { may } from '../policy/policy.ts';
import { absoluteLink, makeLink } from '../session/account-links.ts';
import { countAttempt, forgetAttempts, networkOf } from '../session/attempts.ts';
import { hashPassword, isPassword } from '../session/passwords.ts';
import { endSessionsOf, isSessionYoung, restartSessions } from '../session/sessions.ts';
import { sendEmailChanged, sendInvitation, sendReset, sendVerification } from './account-mails.ts';
import {
  countOwned,
  deletePendingUser,
  findUser,
  findUsers,
  insertUser,
  listUsers as listUserRows,
  setDisabled,
  type UserPatch,
  type UserRow,
  updateUser,
} from './users.store.ts';

export { countUsers, findUserByEmail, type UserRow } from './users.store.ts';

/** Callers with a key get absolute addresses: scripts have no page that a path could start from. */
function pictureAddress({ identity, request, config }: Ctx, address: string): string {
  const isByKey = identity.kind === 'user' && identity.via === 'key';
  return isByKey && address.startsWith('/') ? `${config.publicUrl?.replace(/\/$/, '') ?? request.origin}${address}` : address;
}

/** server-behaviour 21.1: an allow-list, so that no other member gets into an answer. */
export function userAnswer(ctx: Ctx, row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    profile_image_url: pictureAddress(ctx, row.profile_image_url ?? `/avatars/${row.id}.svg`),
    groups: row.groups.map((group) => group.id),
    created_at: row.created_at,
    updated_at: row.updated_at,
    disabled_at: row.disabled_at,
    is_disabled: row.disabled_at !== null,
    active_at: row.active_at,
    is_invitation_pending: row.is_invitation_pending,
    is_email_verified: row.is_email_verified,
    auth_type: row.password_hash ? 'password' : 'external',
  };
}

export async function getUserRow(ctx: Ctx, id: number): Promise<UserRow> {
  const row = await findUser(ctx.db, id);
  if (!row) throw notFound('User');
  return row;
}

/** The users of a list of objects, in one query. */
export async function findUsersById(ctx: Ctx, ids: number[]): Promise<Map<number, User>> {
  const rows = ids.length > 0 ? await findUsers(ctx.db, [...new Set(ids)]) : [];
  return new Map(rows.map((row) => [row.id, userAnswer(ctx, row)]));
}

export async function listUsers(ctx: UserCtx, params: UserListParams) {
  const page = await listUserRows(ctx.db, params);
  return {
    ...page,
    results: page.results.map((row) => ({ ...userAnswer(ctx, row), groups: row.groups, group_ids: row.groups.map(({ id }) => id) })),
  };
}

export async function getUser(ctx: UserCtx, id: number): Promise<UserDetail> {
  if (!may(ctx.user, 'view', 'user', { id })) throw forbidden();
  const row = await getUserRow(ctx, id);
  return may(ctx.user, 'read_key', 'user', row) ? withKey(ctx, row) : detailAnswer(ctx, row);
}

/** A3: a single user also has the groups' ids and names; the list has the names in `groups`. */
const detailAnswer = (ctx: Ctx, row: UserRow): UserDetail => {
  const answer = userAnswer(ctx, row);
  return { ...answer, group_ids: answer.groups, named_groups: row.groups };
};

/** A key sealed with another installation key cannot be shown any more; a new one can be made. */
function withKey(ctx: Ctx, row: UserRow): UserDetail {
  try {
    return { ...detailAnswer(ctx, row), api_key: ctx.secrets.open(row.api_key_sealed) };
  } catch {
    return detailAnswer(ctx, row);
  }
}

/** A new key, in its two stored forms. */
function newApiKey(ctx: Pick<Ctx, 'secrets'>) {
  const key = randomKey();
  return { api_key_hash: ctx.secrets.hash('api key', key), api_key_sealed: ctx.secrets.seal(key) };
}

/** Adds an account that is ready to use, for set-up and sign-on. */
export function addUser(ctx: Ctx, user: { org_id: number; name: string; email: string; password_hash: string | null }): Promise<number> {
  return insertUser(ctx.db, { ...user, is_invitation_pending: false, ...newApiKey(ctx) });
}

export const changeUser = (ctx: Ctx, id: number, patch: UserPatch) => updateUser(ctx.db, id, patch);

/**
 * server-behaviour 1.7: a script that runs wild, or a stolen session, must not send mails to whomever it likes. Accounts whose link is shown
 * instead of mailed are not limited: an administrator may take over a whole directory.
 */
const mostInvited = { hour: 50, day: 200 };

async function limitInvitations(ctx: UserCtx): Promise<void> {
  const network = networkOf(ctx.request.address);
  if ((await countAttempt(ctx.db, 'invitations, hour', network, 3600)) > mostInvited.hour)
    throw tooMany(`At most ${mostInvited.hour} invitations can be mailed in an hour. Please try again later.`);
  if ((await countAttempt(ctx.db, 'invitations, day', network, 24 * 3600)) > mostInvited.day)
    throw tooMany(`At most ${mostInvited.day} invitations can be mailed in a day. Please try again tomorrow.`);
}

/** server-behaviour 21.2: a blocked domain counts with the domains below it. */
function requireAllowedDomain(ctx: Ctx, email: string): void {
  const domain = email.slice(email.lastIndexOf('@') + 1).replace(/\.+$/, '');
  if (ctx.config.blockedEmailDomains.some((blocked) => domain === blocked || domain.endsWith(`.${blocked}`)))
    throw invalid('Bad email address.');
}

/** Invites somebody whom a caller names; `createUser` also takes over people who had an account elsewhere. */
export async function inviteUser(ctx: UserCtx, given: { name: string; email: string }, skipMail: boolean): Promise<UserDetail> {
  requireAllowedDomain(ctx, given.email);
  // Counted before the transaction, so that it stays counted.
  if (isMailed(ctx, skipMail)) await limitInvitations(ctx);
  return createUser(ctx, given, skipMail);
}

export async function createUser(ctx: UserCtx, given: { name: string; email: string }, skipMail: boolean): Promise<UserDetail> {
  return ctx.transaction(async (tx) => {
    const id = await insertUser(tx.db, {
      org_id: tx.user.org_id,
      ...given,
      password_hash: null,
      is_invitation_pending: true,
      ...newApiKey(tx),
    });
    if (!id) throw invalid('Email already taken.');
    await replaceMemberships(tx.db, id, [await builtInGroupId(tx.db, 'default')]);
    await recordEvent(tx, 'create', 'user', id);
    return inviteRow(tx, await getUserRow(tx, id), skipMail);
  });
}

const isMailed = (ctx: Ctx, skipMail: boolean) => ctx.mail.isConfigured && !skipMail;

async function inviteRow(ctx: UserCtx, row: UserRow, skipMail: boolean): Promise<UserDetail> {
  const path = await makeLink(ctx, 'invite', row);
  if (isMailed(ctx, skipMail)) {
    await sendInvitation(ctx, row, absoluteLink(ctx, path), ctx.user.name);
    return detailAnswer(ctx, row);
  }
  return { ...detailAnswer(ctx, row), invite_link: shownLink(ctx, path) };
}

/** The address is relative without PUBLIC_URL; the browser makes it absolute to its host (A8). */
const shownLink = (ctx: Ctx, path: string) => `${ctx.config.publicUrl ?? ''}${path}`;

export async function inviteAgain(ctx: UserCtx, id: number): Promise<UserDetail> {
  return ctx.transaction(async (tx) => {
    const row = await getUserRow(tx, id);
    if (row.disabled_at) throw notFound('User');
    if (!row.is_invitation_pending) throw invalid('This invitation has already been accepted.');
    return inviteRow(tx, row, false);
  });
}

export async function sendPasswordReset(ctx: UserCtx, id: number): Promise<{ reset_link?: string }> {
  return ctx.transaction(async (tx) => {
    const row = await getUserRow(tx, id);
    if (row.disabled_at) throw notFound('User');
    if (!(await getSettings(tx)).auth_password_login_enabled) throw invalid('Password login is not enabled for your organization.');
    // security 16: a password would bypass the provider.
    if (!row.password_hash && !row.is_invitation_pending) throw invalid('This user signs in by a provider and has no password.');
    // design 8.1: the own password is never changed by a key alone.
    if (ctx.user.via !== 'session' && may(ctx.user, 'change_password', 'user', row))
      throw forbidden('Sign in to change your own password.');
    const path = await makeLink(tx, 'reset', row);
    if (!tx.mail.isConfigured) return { reset_link: shownLink(tx, path) };
    await sendReset(tx, row, absoluteLink(tx, path));
    return {};
  });
}

/** server-behaviour 21.2: self or administrator; each field has its own rule. */
export async function saveUser(ctx: HttpCtx<UserCtx>, id: number, changes: UserChanges): Promise<UserDetail> {
  if (!may(ctx.user, 'edit', 'user', { id })) throw forbidden();
  // The check runs before the transaction: a wrong guess must stay counted.
  const before = await getUserRow(ctx, id);
  const password_hash = changes.password === undefined ? undefined : await newPassword(ctx, before, changes);
  const emailChanged = changes.email !== undefined && changes.email !== before.email;
  if (changes.email !== undefined && emailChanged) requireAllowedDomain(ctx, changes.email);
  if (emailChanged && password_hash === undefined) await requireProof(ctx, changes.old_password);
  return ctx.transaction(async (tx) => {
    const row = await getUserRow(tx, id);
    if (row.disabled_at) throw invalid('This user is disabled.');
    const patch: UserPatch = password_hash === undefined ? {} : { password_hash };
    if (changes.name !== undefined) patch.name = changes.name;
    if (emailChanged) Object.assign(patch, { email: changes.email, is_email_verified: await isVerifiedUnasked(tx) });
    if (changes.group_ids?.length) await setGroupsOf(tx, id, changes.group_ids);
    if (Object.keys(patch).length > 0) await updateUnique(tx, id, patch);
    const saved = await getUserRow(tx, id);
    if (emailChanged && tx.mail.isConfigured) {
      await mailVerification(tx, saved);
      await sendEmailChanged(tx, row, saved.email);
    }
    if (patch.password_hash !== undefined || emailChanged) await restartSessions(tx, id);
    const { id: _, password, old_password, ...fields } = changes;
    await recordEvent(tx, 'edit', 'user', id, { updated_fields: [...Object.keys(fields), ...(password ? ['password'] : [])].join(', ') });
    return withKey(tx, saved);
  });
}

/**
 * Decides whether a changed address counts as verified at once. Without a mail server no verification can be sent, so it does, unless
 * sign-in providers are enabled and the user is no administrator: a user could otherwise enter the address of a colleague, whose first
 * sign-in by the provider would then lead to this account.
 */
async function isVerifiedUnasked(ctx: UserCtx): Promise<boolean> {
  if (ctx.mail.isConfigured) return false;
  return may(ctx.user, 'administer', 'organization') || !hasOtherLogin(await getSettings(ctx));
}

/** Allows as many wrong guesses as the sign-in (design 8): a key or a session must not allow endless guessing of the password. */
async function newPassword(ctx: UserCtx, row: UserRow, { password = '', old_password }: UserChanges): Promise<string> {
  if (!old_password) throw forbidden('Must provide current password to update password.');
  // A6: users can only change their own password, so an administrator's guess at somebody else's is refused as well.
  await requirePassword(ctx, may(ctx.user, 'change_password', 'user', row) ? row : undefined, old_password);
  if (password.length < minPasswordLength) throw invalid(`Password length is too short (<${minPasswordLength}).`);
  return hashPassword(password);
}

async function requirePassword(ctx: UserCtx, row: UserRow | undefined, given: string): Promise<void> {
  if ((await countAttempt(ctx.db, 'old password', String(ctx.user.id), 15 * 60)) > 10)
    throw tooMany('Too many wrong passwords. Please try again in 15 minutes.');
  if (!row?.password_hash || !(await isPassword(given, row.password_hash))) throw forbidden('Incorrect current password.');
  await forgetAttempts(ctx.db, 'old password', String(ctx.user.id));
}

/** A sign-in this recent proves the user's presence as well as the password does. */
const recentSignInSeconds = 10 * 60;

/** The e-mail address decides who can reset the password, so a stolen key or an unattended session must not suffice to change it. */
export async function requireProof(
  ctx: UserCtx,
  password: string | undefined,
  refusal = 'Please enter your current password to change the email address.',
): Promise<void> {
  if (password) return requirePassword(ctx, await getUserRow(ctx, ctx.user.id), password);
  const { via, session_id } = ctx.user;
  const isRecent = via === 'session' && session_id !== null && (await isSessionYoung(ctx.db, session_id, recentSignInSeconds));
  if (!isRecent) throw forbidden(refusal);
}

async function updateUnique(ctx: UserCtx, id: number, patch: UserPatch): Promise<void> {
  try {
    await updateUser(ctx.db, id, patch);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505') throw invalid('Email already taken.');
    throw error;
  }
}

export async function regenerateKey(ctx: UserCtx, id: number): Promise<UserDetail> {
  if (!may(ctx.user, 'read_key', 'user', { id })) throw forbidden();
  return ctx.transaction(async (tx) => {
    const row = await getUserRow(tx, id);
    if (row.disabled_at) throw notFound('User');
    await updateUser(tx.db, id, newApiKey(tx));
    await recordEvent(tx, 'regnerate_api_key', 'user', id);
    return withKey(tx, await getUserRow(tx, id));
  });
}

export async function disableUser(ctx: UserCtx, id: number): Promise<User> {
  if (!may(ctx.user, 'remove', 'user', { id })) throw forbidden('You cannot disable your own account.');
  return ctx.transaction(async (tx) => {
    await getUserRow(tx, id);
    await setDisabled(tx.db, id, true);
    await requireAdminLeft(tx);
    await endSessionsOf(tx.db, id);
    return userAnswer(tx, await getUserRow(tx, id));
  });
}

export async function enableUser(ctx: UserCtx, id: number): Promise<User> {
  return ctx.transaction(async (tx) => {
    await getUserRow(tx, id);
    await setDisabled(tx.db, id, false);
    return userAnswer(tx, await getUserRow(tx, id));
  });
}

/** "2 queries, 1 dashboard and 1 alert". */
function listed(owned: readonly { what: string; count: number }[]): string {
  const named = owned.map(({ what, count }) => `${count} ${count === 1 ? what : what.replace(/y$/, 'ie').concat('s')}`);
  return [named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' and ');
}

export async function removeUser(ctx: UserCtx, id: number): Promise<User> {
  if (!may(ctx.user, 'remove', 'user', { id })) throw forbidden('You cannot delete your own account.');
  return ctx.transaction(async (tx) => {
    const row = await getUserRow(tx, id);
    const owned = row.is_invitation_pending ? await countOwned(tx.db, id) : [];
    if (owned.length > 0) throw conflict(`${row.name} owns ${listed(owned)}. Disable this user instead.`);
    if (!(await deletePendingUser(tx.db, id))) throw forbidden('Only a pending invitation can be deleted. Disable this user instead.');
    return userAnswer(tx, row);
  });
}

export async function resendVerification(ctx: UserCtx): Promise<{ message: string }> {
  const row = await getUserRow(ctx, ctx.user.id);
  if (!row.is_email_verified && ctx.mail.isConfigured) {
    await ctx.transaction((tx) => mailVerification(tx, row));
  }
  return { message: 'Please check your inbox and follow the link to verify your email address.' };
}

/** The address is not verified, so its owner must not be flooded. */
async function mailVerification(ctx: UserCtx, row: UserRow): Promise<void> {
  if ((await countAttempt(ctx.db, 'verification', String(row.id), 3600)) > 10)
    throw tooMany('Too many verification mails. Please try again in an hour.');
  await sendVerification(ctx, row, absoluteLink(ctx, await makeLink(ctx, 'verify', row)));
}
