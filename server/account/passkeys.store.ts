import type { Passkey } from '@telltale/domain/users/factors-contract.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

const fields = sql`id, name, created_at, last_used_at`;

export async function listPasskeys(db: Db, userId: number): Promise<(Passkey & { credential_id: string })[]> {
  const { rows } = await sql<Passkey & { credential_id: string }>`
    select ${fields}, credential_id from passkeys where user_id = ${userId} order by id`.execute(db);
  return rows;
}

export interface NewPasskey {
  credential_id: string;
  user_id: number;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
}

export async function insertPasskey(db: Db, passkey: NewPasskey): Promise<Passkey | undefined> {
  const { rows } = await sql<Passkey>`
    insert into passkeys (credential_id, user_id, public_key, counter, transports, name)
    values (${passkey.credential_id}, ${passkey.user_id}, ${passkey.public_key}, ${passkey.counter}, ${passkey.transports}::text[], ${passkey.name})
    on conflict (credential_id) do nothing returning ${fields}`.execute(db);
  return rows[0];
}

export interface PasskeyOwner extends Columns<'passkeys', 'id' | 'user_id' | 'public_key' | 'counter'> {
  org_id: number;
  password_hash: string;
}

/** Finds a passkey of an enabled account that has a password. */
export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyOwner | undefined> {
  const { rows } = await sql<PasskeyOwner>`
    select passkeys.id, user_id, org_id, password_hash, public_key, counter from passkeys join users on users.id = user_id
    where credential_id = ${credentialId} and disabled_at is null and password_hash is not null`.execute(db);
  return rows[0];
}

/** Returns false when the counter did not grow, which means that a copy of the key was used. Many keys always send 0. */
export async function usePasskey(db: Db, id: number, counter: number): Promise<boolean> {
  const { rows } = await sql`
    update passkeys set counter = ${counter}, last_used_at = now() where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning id`.execute(db);
  return rows.length === 1;
}

export async function deletePasskey(db: Db, userId: number, id: number): Promise<boolean> {
  const { rows } = await sql`delete from passkeys where id = ${id} and user_id = ${userId} returning id`.execute(db);
  return rows.length === 1;
}
