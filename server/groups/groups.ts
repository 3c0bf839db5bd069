import { defaultPermissions } from '@telltale/domain/access/permissions.ts';
import type { Group, GroupChanges } from '@telltale/domain/groups/contract.ts';
import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, invalid, notFound } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { may, whereMay } from '../policy/policy.ts';
import {
  builtInGroupId,
  countAdmins,
  deleteGroup,
  findGroup,
  findGroupIds,
  findGroupIdsByName,
  insertGroup,
  listGroupRows,
  type MembershipChanges,
  replaceMemberships,
  updateGroup,
} from './groups.store.ts';

export { builtInGroupId, deleteMembership, insertMembership, replaceMemberships } from './groups.store.ts';

/** Non-members get a 403 instead of a 404: the group exists, but they may not read it (server-behaviour 20). */
export async function getGroup(ctx: UserCtx, id: number): Promise<Group> {
  const group = await findGroup(ctx.db, id);
  if (!group) throw notFound('Group');
  if (!may(ctx.user, 'view', 'group', group)) throw forbidden();
  return group;
}

export async function listGroups(ctx: UserCtx, params: ArrayListParams) {
  const groups = await listGroupRows(ctx.db, whereMay(ctx.user, 'list', 'group'));
  return arrayOrPage(groups, params, (group) => group.name);
}

export async function createGroup(ctx: UserCtx, { name }: { name: string }): Promise<Group> {
  return ctx.transaction(async (tx) => {
    const group = await insertGroup(tx.db, tx.user.org_id, name, defaultPermissions);
    await recordEvent(tx, 'create', 'group', group.id);
    return group;
  });
}

/** A4: a built-in group keeps its name, and `admin` its permissions; what `default` allows is for administrators to say. */
export async function saveGroup(ctx: UserCtx, id: number, changes: GroupChanges): Promise<Group> {
  return ctx.transaction(async (tx) => {
    const group = await getGroup(tx, id);
    const isFixed = group.type === 'builtin' && (group.name === 'admin' || changes.name !== undefined);
    if (isFixed) throw invalid("Can't modify built-in groups.");
    await updateGroup(tx.db, id, { ...changes, permissions: changes.permissions && [...new Set(changes.permissions)] });
    await requireAdminLeft(tx);
    await recordEvent(tx, 'edit', 'group', id);
    return getGroup(tx, id);
  });
}

export async function removeGroup(ctx: UserCtx, id: number): Promise<null> {
  return ctx.transaction(async (tx) => {
    const group = await getGroup(tx, id);
    if (group.type === 'builtin') throw invalid("Can't delete built-in groups.");
    await deleteGroup(tx.db, id);
    await requireAdminLeft(tx);
    await recordEvent(tx, 'delete', 'group', id);
    return null;
  });
}

/** Replaces the groups of a user. */
export async function setGroupsOf(ctx: UserCtx, userId: number, groupIds: number[]): Promise<void> {
  if (!may(ctx.user, 'change_groups', 'user')) throw forbidden('Must be admin to change groups membership.');
  const known = await findGroupIds(ctx.db, groupIds);
  const unknown = groupIds.find((id) => !known.includes(id));
  if (unknown !== undefined) throw invalid(`Group id ${unknown} is invalid.`);
  await replaceMemberships(ctx.db, userId, [...new Set(groupIds)]);
  await requireAdminLeft(ctx);
}

/** server-behaviour 3.8: sets the existing groups among the named ones, and the default group. */
export async function replaceGroupsByName(ctx: Ctx, userId: number, names: readonly string[]): Promise<MembershipChanges> {
  const ids = await findGroupIdsByName(ctx.db, names);
  const changes = await replaceMemberships(ctx.db, userId, [...new Set([...ids, await builtInGroupId(ctx.db, 'default')])]);
  await requireAdminLeft(ctx);
  return changes;
}

/** Call it after the change, in its transaction: an installation without an administrator is never stored. */
export async function requireAdminLeft(ctx: Ctx): Promise<void> {
  if ((await countAdmins(ctx.db)) === 0) throw invalid('At least one enabled administrator must remain.');
}
