import { hasPermission } from '@telltale/domain/access/permissions.ts';
import { minPasswordLength, type User, type UserChanges, type UserDetail, type UserListParams } from '@telltale/domain/users/contract.ts';
import { recordEvent } from '../events/events.ts';
import { builtInGroupId, replaceMemberships, requireAdminLeft, setGroupsOf } from '../groups/groups.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, invalid, notFound, tooMany } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { randomKey } from '../platform/secrets.ts';
import { absoluteLink, makeLink } from '../session/account-links.ts';
import { countAttempt, forgetAttempts } from '../session/attempts.ts';
import { hashPassword, isPassword } from '../session/passwords.ts';
import { endSessionsOf, restartSessions } from '../session/sessions.ts';
import { sendInvitation, sendReset, sendVerification } from './letters.ts';
import {
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

export { countUsers, findUserByEmail, listUsersOfGroup } from './users.store.ts';

/** server-behaviour 21.1: an allow-list, so nothing else can slip into an answer. */
export function userAnswer(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    profile_image_url: row.profile_image_url ?? `/avatars/${row.id}.svg`,
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

const isAdmin = (ctx: UserCtx) => hasPermission(ctx.user.permissions, 'admin');

export async function getUserRow(ctx: Ctx, id: number): Promise<UserRow> {
  const row = await findUser(ctx.db, id);
  if (!row) throw notFound('User');
  return row;
}

/** The people behind a list of objects, in one look. */
export async function findUsersById(ctx: Ctx, ids: number[]): Promise<Map<number, User>> {
  const rows = ids.length > 0 ? await findUsers(ctx.db, [...new Set(ids)]) : [];
  return new Map(rows.map((row) => [row.id, userAnswer(row)]));
}

export async function listUsers(ctx: UserCtx, params: UserListParams) {
  const page = await listUserRows(ctx.db, params);
  return { ...page, results: page.results.map((row) => ({ ...userAnswer(row), groups: row.groups })) };
}

export async function getUser(ctx: UserCtx, id: number): Promise<UserDetail> {
  const isSelf = id === ctx.user.id;
  if (!isSelf && !hasPermission(ctx.user.permissions, 'list_users')) throw forbidden();
  const row = await getUserRow(ctx, id);
  return isSelf || isAdmin(ctx) ? withKey(ctx, row) : userAnswer(row);
}

/** A key sealed with another installation key cannot be shown any more; a new one can be made. */
function withKey(ctx: Ctx, row: UserRow): UserDetail {
  try {
    return { ...userAnswer(row), api_key: ctx.secrets.open(row.api_key_sealed) };
  } catch {
    return userAnswer(row);
  }
}

/** A new key, in the two forms it is kept. */
function newApiKey(ctx: Pick<Ctx, 'secrets'>) {
  const key = randomKey();
  return { api_key_hash: ctx.secrets.hash('api key', key), api_key_sealed: ctx.secrets.seal(key) };
}

/** For set-up and sign-on: an account that is ready to use. */
export function addUser(ctx: Ctx, user: { org_id: number; name: string; email: string; password_hash: string | null }): Promise<number> {
  return insertUser(ctx.db, { ...user, is_invitation_pending: false, ...newApiKey(ctx) });
}

export const changeUser = (ctx: Ctx, id: number, patch: UserPatch) => updateUser(ctx.db, id, patch);

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

async function inviteRow(ctx: UserCtx, row: UserRow, skipMail: boolean): Promise<UserDetail> {
  const path = await makeLink(ctx, 'invite', row);
  if (ctx.mail.isConfigured && !skipMail) {
    await sendInvitation(ctx, row, absoluteLink(ctx, path), ctx.user.name);
    return userAnswer(row);
  }
  return { ...userAnswer(row), invite_link: shownLink(ctx, path) };
}

/** Relative without PUBLIC_URL; the browser makes it absolute to the host it is on (A8). */
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
    const path = await makeLink(tx, 'reset', row);
    if (!tx.mail.isConfigured) return { reset_link: shownLink(tx, path) };
    await sendReset(tx, row, absoluteLink(tx, path));
    return {};
  });
}

/** server-behaviour 21.2: self or administrator; each field has its own rule. */
export async function saveUser(ctx: HttpCtx<UserCtx>, id: number, changes: UserChanges): Promise<UserDetail> {
  const isSelf = id === ctx.user.id;
  if (!isSelf && !isAdmin(ctx)) throw forbidden();
  // Before the transaction: a wrong guess must stay counted.
  const password_hash = changes.password === undefined ? undefined : await newPassword(ctx, await getUserRow(ctx, id), changes);
  return ctx.transaction(async (tx) => {
    const row = await getUserRow(tx, id);
    if (row.disabled_at) throw invalid('This user is disabled.');
    const patch: UserPatch = password_hash === undefined ? {} : { password_hash };
    if (changes.name !== undefined) patch.name = changes.name;
    const emailChanged = changes.email !== undefined && changes.email !== row.email;
    if (emailChanged) Object.assign(patch, { email: changes.email, is_email_verified: !tx.mail.isConfigured });
    if (changes.group_ids?.length) await setGroupsOf(tx, id, changes.group_ids);
    if (Object.keys(patch).length > 0) await updateUnique(tx, id, patch);
    const saved = await getUserRow(tx, id);
    if (emailChanged && tx.mail.isConfigured) await mailVerification(tx, saved);
    if (patch.password_hash !== undefined || emailChanged) await restartSessions(tx, id);
    const { id: _, password, old_password, ...fields } = changes;
    await recordEvent(tx, 'edit', 'user', id, { updated_fields: [...Object.keys(fields), ...(password ? ['password'] : [])].join(', ') });
    return withKey(tx, saved);
  });
}

/** As many wrong guesses as at the sign-in (design 8): whoever holds a key or a session cannot try passwords without end. */
async function newPassword(ctx: UserCtx, row: UserRow, { password = '', old_password }: UserChanges): Promise<string> {
  if (!old_password) throw forbidden('Must provide current password to update password.');
  if ((await countAttempt(ctx.db, 'old password', String(ctx.user.id), 15 * 60)) > 10)
    throw tooMany('Too many wrong passwords. Please try again in 15 minutes.');
  // A6: only they can change their own password, so an administrator's guess at somebody else's is refused as well.
  const isSelf = row.id === ctx.user.id;
  if (!isSelf || !row.password_hash || !(await isPassword(old_password, row.password_hash))) throw forbidden('Incorrect current password.');
  await forgetAttempts(ctx.db, 'old password', String(ctx.user.id));
  if (password.length < minPasswordLength) throw invalid(`Password length is too short (<${minPasswordLength}).`);
  return hashPassword(password);
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
  if (id !== ctx.user.id && !isAdmin(ctx)) throw forbidden();
  const row = await getUserRow(ctx, id);
  if (row.disabled_at) throw notFound('User');
  await updateUser(ctx.db, id, newApiKey(ctx));
  await recordEvent(ctx, 'regnerate_api_key', 'user', id);
  return withKey(ctx, await getUserRow(ctx, id));
}

export async function disableUser(ctx: UserCtx, id: number): Promise<User> {
  if (id === ctx.user.id) throw forbidden('You cannot disable your own account.');
  return ctx.transaction(async (tx) => {
    await getUserRow(tx, id);
    await setDisabled(tx.db, id, true);
    await requireAdminLeft(tx);
    await endSessionsOf(tx.db, id);
    return userAnswer(await getUserRow(tx, id));
  });
}

export async function enableUser(ctx: UserCtx, id: number): Promise<User> {
  await getUserRow(ctx, id);
  await setDisabled(ctx.db, id, false);
  return userAnswer(await getUserRow(ctx, id));
}

export async function removeUser(ctx: UserCtx, id: number): Promise<User> {
  if (id === ctx.user.id) throw forbidden('You cannot delete your own account.');
  const row = await getUserRow(ctx, id);
  if (!(await deletePendingUser(ctx.db, id))) throw forbidden('Only a pending invitation can be deleted. Disable this user instead.');
  return userAnswer(row);
}

export async function resendVerification(ctx: UserCtx): Promise<{ message: string }> {
  const row = await getUserRow(ctx, ctx.user.id);
  if (!row.is_email_verified && ctx.mail.isConfigured) {
    await ctx.transaction((tx) => mailVerification(tx, row));
  }
  return { message: 'Please check your inbox and follow the link to verify your email address.' };
}

/** The address is not proven to be theirs, so its owner must not be flooded. */
async function mailVerification(ctx: UserCtx, row: UserRow): Promise<void> {
  if ((await countAttempt(ctx.db, 'verification', String(row.id), 3600)) > 10)
    throw tooMany('Too many verification mails. Please try again in an hour.');
  await sendVerification(ctx, row, absoluteLink(ctx, await makeLink(ctx, 'verify', row)));
}
