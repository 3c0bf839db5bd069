import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export interface TotpRow extends Columns<'totp', 'secret_sealed' | 'confirmed_at'> {
  codes_left: number;
}

export async function findTotp(db: Db, userId: number): Promise<TotpRow | undefined> {
  const { rows } = await sql<TotpRow>`
    select secret_sealed, confirmed_at, (select count(*)::int from recovery_codes where recovery_codes.user_id = totp.user_id) as codes_left
    from totp where user_id = ${userId}`.execute(db);
  return rows[0];
}

/** Starts an enrolment and replaces an unconfirmed one; returns false when a confirmed one exists. */
export async function beginTotp(db: Db, userId: number, secret: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into totp (user_id, secret_sealed) values (${userId}, ${secret})
    on conflict (user_id) do update set secret_sealed = excluded.secret_sealed, last_step = 0, created_at = now()
    where totp.confirmed_at is null returning user_id`.execute(db);
  return rows.length === 1;
}

/** Returns false when this step or a later one was used before, so that an observed code cannot be reused. */
export async function useStep(db: Db, userId: number, step: number): Promise<boolean> {
  const { rows } = await sql`
    update totp set last_step = ${step} where user_id = ${userId} and last_step < ${step} returning user_id`.execute(db);
  return rows.length === 1;
}

export async function confirmTotp(db: Db, userId: number, codeHashes: Buffer[]): Promise<void> {
  await sql`update totp set confirmed_at = now() where user_id = ${userId}`.execute(db);
  for (const hash of codeHashes) await sql`insert into recovery_codes (user_id, code_hash) values (${userId}, ${hash})`.execute(db);
}

export async function useRecoveryCode(db: Db, userId: number, codeHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${codeHash} returning user_id`.execute(db);
  return rows.length === 1;
}

export async function deleteTotp(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`delete from totp where user_id = ${userId} returning user_id`.execute(db);
  return rows.length === 1;
}
