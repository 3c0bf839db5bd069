import type { Person } from '@telltale/domain/access/identity.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export type PersonRow = Omit<Person, 'kind' | 'via' | 'session_id'>;

/** One look-up answers who it is and what they may do now (W38: no look-up per check). */
const personOf = (users: string) => sql`
  ${sql.ref(`${users}.id`)}, ${sql.ref(`${users}.org_id`)}, ${sql.ref(`${users}.name`)}, ${sql.ref(`${users}.email`)},
  array(select group_id from memberships where user_id = ${sql.ref(`${users}.id`)} order by group_id) as group_ids,
  array(select distinct permission from memberships join groups on groups.id = group_id, unnest(permissions) as permission
        where user_id = ${sql.ref(`${users}.id`)} order by permission) as permissions`;

export async function findPersonBySession(
  db: Db,
  tokenHash: Buffer,
): Promise<(PersonRow & { session_id: number; remember: boolean; seen_at: string }) | undefined> {
  const { rows } = await sql<PersonRow & { session_id: number; remember: boolean; seen_at: string }>`
    select ${personOf('users')}, sessions.id as session_id, sessions.remember, sessions.seen_at
    from sessions join users on users.id = sessions.user_id
    where sessions.token_hash = ${tokenHash} and sessions.expires_at > now() and users.disabled_at is null`.execute(db);
  return rows[0];
}

export async function findPersonBySessionId(db: Db, sessionId: number): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`
    select ${personOf('users')} from sessions join users on users.id = sessions.user_id
    where sessions.id = ${sessionId} and sessions.expires_at > now() and users.disabled_at is null`.execute(db);
  return rows[0];
}

export async function findPersonByKey(db: Db, keyHash: Buffer): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`
    select ${personOf('users')} from users where api_key_hash = ${keyHash} and disabled_at is null`.execute(db);
  return rows[0];
}

export async function findPersonById(db: Db, id: number): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`select ${personOf('users')} from users where id = ${id} and disabled_at is null`.execute(db);
  return rows[0];
}

export interface NewSession {
  token_hash: Buffer;
  user_id: number;
  remember: boolean;
  address: string;
  user_agent: string;
  life_seconds: number;
  /** The hash the given password was right for; none where something else was the proof. */
  password_hash?: string | undefined;
}

/**
 * Who signs in is there: "last active" must not wait for the session's second minute. False when the account was
 * disabled or its password changed while the old one was being checked: the update waits for a change that is under
 * way, so that no session slips past the end of all the others.
 */
export async function insertSession(db: Db, session: NewSession): Promise<boolean> {
  const { rows } = await sql`
    with account as (
      update users set active_at = now() where id = ${session.user_id} and disabled_at is null
        and (${session.password_hash ?? null}::text is null or password_hash = ${session.password_hash ?? null})
      returning id)
    insert into sessions (token_hash, user_id, remember, address, user_agent, expires_at)
    select ${session.token_hash}::bytea, id, ${session.remember}::boolean, ${session.address}::text, ${session.user_agent}::text,
           now() + make_interval(secs => ${session.life_seconds})
    from account returning id`.execute(db);
  return rows.length === 1;
}

/** Sliding life, and "last active" with it; asked for at most once a minute. */
export const touchSession = (db: Db, sessionId: number, lifeSeconds: number) =>
  sql`with touched as (
        update sessions set seen_at = now(), expires_at = now() + make_interval(secs => ${lifeSeconds}) where id = ${sessionId} returning user_id)
      update users set active_at = now() from touched where users.id = touched.user_id`.execute(db);

export const touchUser = (db: Db, userId: number) =>
  sql`update users set active_at = now() where id = ${userId} and (active_at is null or active_at < now() - interval '1 minute')`.execute(
    db,
  );

export const deleteSession = (db: Db, sessionId: number) => sql`delete from sessions where id = ${sessionId}`.execute(db);

export const deleteSessionsOf = (db: Db, userId: number) => sql`delete from sessions where user_id = ${userId}`.execute(db);

export async function isRemembered(db: Db, sessionId: number): Promise<boolean> {
  const { rows } = await sql<{ remember: boolean }>`select remember from sessions where id = ${sessionId}`.execute(db);
  return rows[0]?.remember ?? false;
}
