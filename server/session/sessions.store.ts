import type { Person } from '@telltale/domain/access/identity.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export type PersonRow = Omit<Person, 'kind' | 'via' | 'session_id'>;

/** design 8.1: the channels of all groups of the user; null, which is all, for administrators and where one group has them all. */
const channelsOf = (userId: RawBuilder<unknown>) => sql`
  case when exists (select from memberships join groups on groups.id = group_id
      where user_id = ${userId} and (all_channels or 'admin' = any(permissions))) then null
    else array(select distinct channel_pk from memberships join group_channels using (group_id) where user_id = ${userId} order by channel_pk) end`;

/** Channels of users who may have no account any more: runs in their name go on with the channels they saw last. */
export async function listChannelsOf(db: Db, ids: readonly number[]): Promise<(number[] | null)[]> {
  const { rows } = await sql<{ channel_pks: number[] | null }>`
    select ${channelsOf(sql.ref('users.id'))} as channel_pks from users where id = any(${[...ids]}::int[])`.execute(db);
  return rows.map(({ channel_pks }) => channel_pks);
}

/** One query finds the user and their current permissions (W38: no look-up per check). */
const personOf = (users: string) => sql`
  ${sql.ref(`${users}.id`)}, ${sql.ref(`${users}.org_id`)}, ${sql.ref(`${users}.name`)}, ${sql.ref(`${users}.email`)},
  array(select group_id from memberships where user_id = ${sql.ref(`${users}.id`)} order by group_id) as group_ids,
  array(select distinct permission from memberships join groups on groups.id = group_id, unnest(permissions) as permission
        where user_id = ${sql.ref(`${users}.id`)} order by permission) as permissions,
  ${channelsOf(sql.ref(`${users}.id`))} as channel_pks`;

interface FoundSession {
  session_id: number;
  remember: boolean;
  seen_at: string;
  provider: SessionProvider | null;
}

export async function findPersonBySession(db: Db, tokenHash: Buffer): Promise<(PersonRow & FoundSession) | undefined> {
  const { rows } = await sql<PersonRow & FoundSession>`
    select ${personOf('users')}, sessions.id as session_id, sessions.remember, sessions.seen_at, sessions.provider
    from sessions join users on users.id = sessions.user_id
    where sessions.token_hash = ${tokenHash} and sessions.expires_at > now() and users.disabled_at is null`.execute(db);
  return rows[0];
}

export async function findPersonBySessionId(db: Db, sessionId: number): Promise<(PersonRow & Pick<FoundSession, 'provider'>) | undefined> {
  const { rows } = await sql<PersonRow & Pick<FoundSession, 'provider'>>`
    select ${personOf('users')}, sessions.provider from sessions join users on users.id = sessions.user_id
    where sessions.id = ${sessionId} and sessions.expires_at > now() and users.disabled_at is null`.execute(db);
  return rows[0];
}

export async function findPersonByKey(db: Db, keyHash: Buffer): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`
    select ${personOf('users')} from users where api_key_hash = ${keyHash} and disabled_at is null`.execute(db);
  return rows[0];
}

export async function listPersonsById(db: Db, ids: readonly number[]): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select ${personOf('users')} from users where id = any(${[...ids]}::int[]) and disabled_at is null`.execute(db);
  return rows;
}

export interface NewSession {
  token_hash: Buffer;
  user_id: number;
  remember: boolean;
  address: string;
  user_agent: string;
  life_seconds: number;
  /** The hash that the given password matched; undefined where the proof was another one. */
  password_hash?: string | undefined;
  /** The provider that vouched for the person, and the sealed token it did that with. */
  provider?: SessionProvider | undefined;
  id_token_sealed?: Buffer | undefined;
}

export type SessionProvider = 'google' | 'oidc' | 'jwt';

/**
 * Signing in counts as activity: "last active" must not wait for the session's second minute. False when the account was disabled or its
 * password changed while the old one was being checked: the update waits for a change that is under way, so that no session survives the
 * end of all the others.
 */
export async function insertSession(db: Db, session: NewSession): Promise<boolean> {
  const { rows } = await sql`
    with account as (
      update users set active_at = now() where id = ${session.user_id} and disabled_at is null
        and (${session.password_hash ?? null}::text is null or password_hash = ${session.password_hash ?? null})
      returning id)
    insert into sessions (token_hash, user_id, remember, address, user_agent, provider, id_token_sealed, expires_at)
    select ${session.token_hash}::bytea, id, ${session.remember}::boolean, ${session.address}::text, ${session.user_agent}::text,
           ${session.provider ?? null}::text, ${session.id_token_sealed ?? null}::bytea, now() + make_interval(secs => ${session.life_seconds})
    from account returning id`.execute(db);
  return rows.length === 1;
}

/** Begins the session of a proxy's token, or joins it where another request has begun it; undefined for a disabled account. */
export async function insertOrJoinSession(db: Db, session: NewSession): Promise<{ isNew: boolean } | undefined> {
  const { rows } = await sql<{ is_new: boolean }>`
    with account as (update users set active_at = now() where id = ${session.user_id} and disabled_at is null returning id)
    insert into sessions (token_hash, user_id, remember, address, user_agent, provider, expires_at)
    select ${session.token_hash}::bytea, id, ${session.remember}::boolean, ${session.address}::text, ${session.user_agent}::text,
           ${session.provider ?? null}::text, now() + make_interval(secs => ${session.life_seconds})
    from account
    on conflict (token_hash) do update set seen_at = now(), expires_at = excluded.expires_at
    returning xmax = 0 as is_new`.execute(db);
  return rows[0] && { isNew: rows[0].is_new };
}

/** Extends the session, and "last active" with it; called at most once a minute. */
export const touchSession = (db: Db, sessionId: number, lifeSeconds: number) =>
  sql`with touched as (
        update sessions set seen_at = now(), expires_at = now() + make_interval(secs => ${lifeSeconds}) where id = ${sessionId} returning user_id)
      update users set active_at = now() from touched where users.id = touched.user_id`.execute(db);

export const touchUser = (db: Db, userId: number) =>
  sql`update users set active_at = now() where id = ${userId} and (active_at is null or active_at < now() - interval '1 minute')`.execute(
    db,
  );

export interface EndedSession {
  provider: SessionProvider | null;
  id_token_sealed: Buffer | null;
}

/** Undefined when it was ended before. */
export async function deleteSession(db: Db, sessionId: number): Promise<EndedSession | undefined> {
  const { rows } = await sql<EndedSession>`
    delete from sessions where id = ${sessionId} returning provider, id_token_sealed`.execute(db);
  return rows[0];
}

export const deleteSessionsOf = (db: Db, userId: number) => sql`delete from sessions where user_id = ${userId}`.execute(db);

export interface SessionRow {
  id: number;
  address: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
}

export async function listSessionsOf(db: Db, userId: number): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, coalesce(address, '') as address, coalesce(user_agent, '') as user_agent, created_at, seen_at as last_seen_at
    from sessions where user_id = ${userId} and expires_at > now() order by seen_at desc, id desc`.execute(db);
  return rows;
}

/** Returns false when this account has no such session. */
export async function deleteSessionOf(db: Db, userId: number, sessionId: number): Promise<boolean> {
  const { rows } = await sql`delete from sessions where id = ${sessionId} and user_id = ${userId} returning id`.execute(db);
  return rows.length === 1;
}

export const deleteOtherSessionsOf = (db: Db, userId: number, kept: number | null) =>
  sql`delete from sessions where user_id = ${userId} and id is distinct from ${kept}`.execute(db);

/** Ends all sessions of a user. One of them goes on as a new one, with its provider and its age: tokens of the old one are worthless. */
export async function replaceSessionsOf(
  db: Db,
  userId: number,
  kept: number | null,
  tokenHash: Buffer,
): Promise<Columns<'sessions', 'remember'> | undefined> {
  const { rows } = await sql<Columns<'sessions', 'remember'>>`
    with ended as (delete from sessions where user_id = ${userId} returning *)
    insert into sessions (token_hash, user_id, remember, address, user_agent, provider, id_token_sealed, created_at, expires_at)
    select ${tokenHash}::bytea, user_id, remember, address, user_agent, provider, id_token_sealed, created_at, expires_at
    from ended where id = ${kept}::int
    returning remember`.execute(db);
  return rows[0];
}

/** Whether the session's user signed in within so many seconds. */
export async function isSessionYoung(db: Db, sessionId: number, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    select from sessions where id = ${sessionId} and created_at > now() - make_interval(secs => ${seconds})`.execute(db);
  return rows.length > 0;
}
