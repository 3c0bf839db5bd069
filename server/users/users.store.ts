import { parseOrder } from '@telltale/domain/lists/paging.ts';
import type { UserListParams } from '@telltale/domain/users/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import { listPage, nullsLast, substringPattern } from '../platform/lists.ts';

export interface UserRow
  extends Columns<
    'users',
    | 'id'
    | 'org_id'
    | 'name'
    | 'email'
    | 'password_hash'
    | 'api_key_sealed'
    | 'profile_image_url'
    | 'is_invitation_pending'
    | 'is_email_verified'
    | 'disabled_at'
    | 'active_at'
    | 'created_at'
    | 'updated_at'
  > {
  groups: { id: number; name: string }[];
}

/** The columns for answers about a user; the key's hash never leaves the database. */
const fields = sql`
  users.id, users.org_id, users.name, users.email, password_hash, api_key_sealed, profile_image_url, is_invitation_pending,
  is_email_verified, disabled_at, active_at, users.created_at, users.updated_at,
  coalesce((select json_agg(json_build_object('id', groups.id, 'name', groups.name) order by groups.name)
            from memberships join groups on groups.id = group_id where user_id = users.id), '[]'::json) as groups`;

export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`select ${fields} from users where id = ${id}`.execute(db);
  return rows[0];
}

export async function findUsers(db: Db, ids: number[]): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`select ${fields} from users where id = any(${ids}::int[])`.execute(db);
  return rows;
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`select ${fields} from users where email = ${email.trim().toLowerCase()}`.execute(db);
  return rows[0];
}

export async function listUsersOfGroup(db: Db, groupId: number): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select ${fields} from users join memberships on user_id = users.id where group_id = ${groupId} order by lower(users.name), users.id`.execute(
    db,
  );
  return rows;
}

const orders: Record<string, RawBuilder<unknown>> = {
  name: sql`lower(users.name)`,
  email: sql`users.email`,
  created_at: sql`users.created_at`,
  active_at: sql`users.active_at`,
  groups: sql`(select string_agg(groups.name, ',' order by groups.name) from memberships join groups on groups.id = group_id where user_id = users.id)`,
};

export function listUsers(db: Db, params: UserListParams) {
  const pattern = substringPattern(params.q)?.toLowerCase() ?? null;
  // A condition of its own, instead of one that also allows for no term: a prepared statement could not use the index for that.
  const isFound = pattern === null ? sql`true` : sql`users.search_text like ${pattern}`;
  const where = sql`
    (disabled_at is not null) = ${params.disabled ?? false}
    and (${params.pending ?? null}::boolean is null or is_invitation_pending = ${params.pending ?? null})
    and ${isFound}`;
  const order = nullsLast(orders, parseOrder(params.order) ?? { key: 'created_at', descending: true }, orders.created_at);
  return listPage(db, params, { fields: sql<UserRow>`${fields}`, from: sql`users`, where, order: sql`${order}, users.id desc` });
}

export async function insertUser(
  db: Db,
  user: {
    org_id: number;
    name: string;
    email: string;
    password_hash: string | null;
    api_key_hash: Buffer;
    api_key_sealed: Buffer;
    is_invitation_pending: boolean;
  },
): Promise<number> {
  const { rows } = await sql<Columns<'users', 'id'>>`
    insert into users (org_id, name, email, password_hash, api_key_hash, api_key_sealed, is_invitation_pending)
    values (${user.org_id}, ${user.name}, ${user.email}, ${user.password_hash}, ${user.api_key_hash}, ${user.api_key_sealed}, ${user.is_invitation_pending})
    on conflict (org_id, email) do nothing returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

export type UserPatch = Partial<
  Pick<UserRow, 'name' | 'email' | 'password_hash' | 'is_email_verified' | 'is_invitation_pending'> & {
    api_key_hash: Buffer;
    api_key_sealed: Buffer;
  }
>;

export async function updateUser(db: Db, id: number, patch: UserPatch): Promise<void> {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const changes = given.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  await sql`update users set ${sql.join([...changes, sql`updated_at = now()`])} where id = ${id}`.execute(db);
}

export const setDisabled = (db: Db, id: number, disabled: boolean) =>
  sql`update users set disabled_at = case when ${disabled} then coalesce(disabled_at, now()) end, updated_at = now() where id = ${id}`.execute(
    db,
  );

/** What has to belong to somebody, and how much of it is theirs. */
export async function countOwned(db: Db, id: number): Promise<{ what: string; count: number }[]> {
  const { rows } = await sql<{ what: string; count: number }>`
    select 'query' as what, count(*) from queries where user_id = ${id}
    union all select 'dashboard', count(*) from dashboards where user_id = ${id}
    union all select 'alert', count(*) from alerts where user_id = ${id}
    union all select 'query snippet', count(*) from query_snippets where user_id = ${id}`.execute(db);
  return rows.filter(({ count }) => count > 0);
}

/** False when the invitation was accepted meanwhile. */
export async function deletePendingUser(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`delete from users where id = ${id} and is_invitation_pending returning id`.execute(db);
  return rows.length === 1;
}

export async function countUsers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from users where disabled_at is null`.execute(db);
  return rows[0]?.count ?? 0;
}
