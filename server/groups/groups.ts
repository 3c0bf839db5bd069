import { defaultPermissions, hasPermission } from '@telltale/domain/access/permissions.ts';
import type { Group, GroupChanges } from '@telltale/domain/groups/contract.ts';
import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, invalid, notFound } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import {
  countAdmins,
  deleteGroup,
  findGroup,
  findGroupIds,
  insertGroup,
  listGroupRows,
  replaceMemberships,
  updateGroup,
} from './groups.store.ts';

export { builtInGroupId, deleteMembership, insertMembership, replaceMemberships } from './groups.store.ts';

const isAdmin = (ctx: UserCtx) => hasPermission(ctx.user.permissions, 'admin');

/** A group of which one is no member is there, but not for reading (server-behaviour 20). */
export async function getGroup(ctx: UserCtx, id: number): Promise<Group> {
  const group = await findGroup(ctx.db, id);
  if (!group) throw notFound('Group');
  if (!isAdmin(ctx) && !ctx.user.group_ids.includes(id)) throw forbidden();
  return group;
}

export async function listGroups(ctx: UserCtx, params: ArrayListParams) {
  const groups = await listGroupRows(ctx.db, isAdmin(ctx) ? null : ctx.user.id);
  return arrayOrPage(groups, params, (group) => group.name);
}

export async function createGroup(ctx: UserCtx, { name }: { name: string }): Promise<Group> {
  const group = await insertGroup(ctx.db, ctx.user.org_id, name, defaultPermissions);
  await recordEvent(ctx, 'create', 'group', group.id);
  return group;
}

export async function saveGroup(ctx: UserCtx, id: number, changes: GroupChanges): Promise<Group> {
  const group = await getGroup(ctx, id);
  if (group.type === 'builtin') throw invalid("Can't modify built-in groups.");
  await updateGroup(ctx.db, id, { ...changes, permissions: changes.permissions && [...new Set(changes.permissions)] });
  await recordEvent(ctx, 'edit', 'group', id);
  return getGroup(ctx, id);
}

export async function removeGroup(ctx: UserCtx, id: number): Promise<null> {
  const group = await getGroup(ctx, id);
  if (group.type === 'builtin') throw invalid("Can't delete built-in groups.");
  await deleteGroup(ctx.db, id);
  return null;
}

/** Puts somebody in exactly these groups. */
export async function setGroupsOf(ctx: UserCtx, userId: number, groupIds: number[]): Promise<void> {
  if (!isAdmin(ctx)) throw forbidden('Must be admin to change groups membership.');
  const known = await findGroupIds(ctx.db, groupIds);
  const unknown = groupIds.find((id) => !known.includes(id));
  if (unknown !== undefined) throw invalid(`Group id ${unknown} is invalid.`);
  await replaceMemberships(ctx.db, userId, [...new Set(groupIds)]);
  await requireAdminLeft(ctx);
}

/** Call after the change, in its transaction: an installation nobody can administer is never stored. */
export async function requireAdminLeft(ctx: Ctx): Promise<void> {
  if ((await countAdmins(ctx.db)) === 0) throw invalid('At least one enabled administrator must remain.');
}
