import type { Group, GroupChannel } from '@telltale/domain/groups/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

const fields = sql`groups.id, groups.name, groups.type, groups.permissions, groups.all_channels, groups.created_at`;

export async function listGroupRows(db: Db, where: RawBuilder<unknown>): Promise<Group[]> {
  const { rows } = await sql<Group>`select ${fields} from groups where ${where} order by lower(name), id`.execute(db);
  return rows;
}

export async function findGroup(db: Db, id: number): Promise<Group | undefined> {
  const { rows } = await sql<Group>`select ${fields} from groups where id = ${id}`.execute(db);
  return rows[0];
}

export async function findGroupIds(db: Db, ids: number[]): Promise<number[]> {
  const { rows } = await sql<Columns<'groups', 'id'>>`select id from groups where id = any(${ids}::int[])`.execute(db);
  return rows.map((row) => row.id);
}

export async function findGroupIdsByName(db: Db, names: readonly string[]): Promise<number[]> {
  const { rows } = await sql<Columns<'groups', 'id'>>`select id from groups where name = any(${[...names]}::text[])`.execute(db);
  return rows.map((row) => row.id);
}

export async function builtInGroupId(db: Db, name: 'admin' | 'default'): Promise<number> {
  const { rows } = await sql<Columns<'groups', 'id'>>`select id from groups where type = 'builtin' and name = ${name}`.execute(db);
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

export const updateGroup = (db: Db, id: number, changes: { name?: string; permissions?: string[]; all_channels?: boolean }) =>
  sql`update groups set name = coalesce(${changes.name ?? null}, name), permissions = coalesce(${changes.permissions ?? null}::text[], permissions),
      all_channels = coalesce(${changes.all_channels ?? null}, all_channels)
      where id = ${id}`.execute(db);

export const deleteGroup = (db: Db, id: number) => sql`delete from groups where id = ${id}`.execute(db);

export const insertMembership = (db: Db, groupId: number, userId: number) =>
  sql`insert into memberships (group_id, user_id) values (${groupId}, ${userId}) on conflict do nothing`.execute(db);

export const deleteMembership = (db: Db, groupId: number, userId: number) =>
  sql`delete from memberships where group_id = ${groupId} and user_id = ${userId}`.execute(db);

/** Names of groups that a user came into and was taken out of. */
export interface MembershipChanges {
  added: string[];
  removed: string[];
}

export async function replaceMemberships(db: Db, userId: number, groupIds: number[]): Promise<MembershipChanges> {
  const removed = await sql<Columns<'groups', 'name'>>`
    delete from memberships using groups where groups.id = group_id and user_id = ${userId} and group_id <> all(${groupIds}::int[])
    returning groups.name`.execute(db);
  const added = await sql<Columns<'groups', 'name'>>`
    with added as (
      insert into memberships (user_id, group_id) select ${userId}, unnest(${groupIds}::int[]) on conflict do nothing returning group_id)
    select groups.name from added join groups on groups.id = group_id order by groups.name`.execute(db);
  return { added: added.rows.map(({ name }) => name), removed: removed.rows.map(({ name }) => name).sort() };
}

/** Locks the administrators' memberships, so that two people cannot remove each other at the same moment. */
export async function countAdmins(db: Db): Promise<number> {
  await sql`select from groups where type = 'builtin' and name = 'admin' for update`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select count(distinct users.id) as count from users join memberships on user_id = users.id join groups on groups.id = group_id
    where 'admin' = any(permissions) and disabled_at is null and not is_invitation_pending`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function listGroupChannels(db: Db, groupId: number): Promise<GroupChannel[]> {
  const { rows } = await sql<GroupChannel>`
    select channel_id, channel_name, kind from group_channels join telemetry.channel on channel.id = channel_pk
    where group_id = ${groupId} and deleted_at is null order by lower(channel_name), channel_id`.execute(db);
  return rows;
}

/** Adds a channel to a group; returns undefined when the channel does not exist. */
export async function insertGroupChannel(db: Db, groupId: number, channelId: string): Promise<GroupChannel | undefined> {
  const { rows } = await sql<GroupChannel>`
    with found as (select id, channel_id, channel_name, kind from telemetry.channel where channel_id = ${channelId} and deleted_at is null),
    given as (insert into group_channels (group_id, channel_pk) select ${groupId}, id from found on conflict do nothing)
    select channel_id, channel_name, kind from found`.execute(db);
  return rows[0];
}

export const deleteGroupChannel = (db: Db, groupId: number, channelId: string) =>
  sql`
    delete from group_channels using telemetry.channel
    where group_id = ${groupId} and channel.id = channel_pk and channel_id = ${channelId}`.execute(db);
