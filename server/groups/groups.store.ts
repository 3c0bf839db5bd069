import type { Group } from '@telltale/domain/groups/contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

const fields = sql`groups.id, groups.name, groups.type, groups.permissions, groups.created_at`;

/** All, or only those somebody belongs to. */
export async function listGroupRows(db: Db, memberId: number | null): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select ${fields} from groups
    where ${memberId}::int is null or exists (select from memberships where group_id = groups.id and user_id = ${memberId})
    order by lower(name), id`.execute(db);
  return rows;
}

export async function findGroup(db: Db, id: number): Promise<Group | undefined> {
  const { rows } = await sql<Group>`select ${fields} from groups where id = ${id}`.execute(db);
  return rows[0];
}

export async function findGroupIds(db: Db, ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from groups where id = any(${ids}::int[])`.execute(db);
  return rows.map((row) => row.id);
}

export async function builtInGroupId(db: Db, name: 'admin' | 'default'): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from groups where type = 'builtin' and name = ${name}`.execute(db);
  if (!rows[0]) throw new Error(`The built-in group ${name} is missing.`);
  return rows[0].id;
}

export async function insertGroup(db: Db, orgId: number, name: string, permissions: readonly string[]): Promise<Group> {
  const { rows } = await sql<Group>`
    insert into groups (org_id, type, name, permissions) values (${orgId}, 'regular', ${name}, ${permissions}) returning ${fields}`.execute(
    db,
  );
  return rows[0] as Group;
}

export const updateGroup = (db: Db, id: number, changes: { name?: string; permissions?: string[] }) =>
  sql`update groups set name = coalesce(${changes.name ?? null}, name), permissions = coalesce(${changes.permissions ?? null}::text[], permissions)
      where id = ${id}`.execute(db);

export const deleteGroup = (db: Db, id: number) => sql`delete from groups where id = ${id}`.execute(db);

export const insertMembership = (db: Db, groupId: number, userId: number) =>
  sql`insert into memberships (group_id, user_id) values (${groupId}, ${userId}) on conflict do nothing`.execute(db);

export const deleteMembership = (db: Db, groupId: number, userId: number) =>
  sql`delete from memberships where group_id = ${groupId} and user_id = ${userId}`.execute(db);

export async function replaceMemberships(db: Db, userId: number, groupIds: number[]): Promise<void> {
  await sql`delete from memberships where user_id = ${userId} and group_id <> all(${groupIds}::int[])`.execute(db);
  await sql`insert into memberships (user_id, group_id) select ${userId}, unnest(${groupIds}::int[]) on conflict do nothing`.execute(db);
}

/** Locks the administrators' memberships, so that two people cannot remove each other at the same moment. */
export async function countAdmins(db: Db): Promise<number> {
  await sql`select from groups where type = 'builtin' and name = 'admin' for update`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select count(distinct users.id) as count from users join memberships on user_id = users.id join groups on groups.id = group_id
    where 'admin' = any(permissions) and disabled_at is null and not is_invitation_pending`.execute(db);
  return rows[0]?.count ?? 0;
}
