import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export const insertFlow = (db: Db, flow: { id_hash: Buffer; method: string; browser_hash: Buffer; sealed: Buffer; lifeSeconds: number }) =>
  sql`
    insert into sign_in_flows (id_hash, method, browser_hash, sealed, expires_at)
    values (${flow.id_hash}, ${flow.method}, ${flow.browser_hash}, ${flow.sealed}, now() + make_interval(secs => ${flow.lifeSeconds}))`.execute(
    db,
  );

/** Deletes the row and returns its data: the second of two concurrent calls gets none. */
export async function takeSealed(db: Db, idHash: Buffer, browserHash: Buffer): Promise<Buffer | undefined> {
  const { rows } = await sql<Columns<'sign_in_flows', 'sealed'>>`
    delete from sign_in_flows where id_hash = ${idHash} and browser_hash = ${browserHash} and expires_at > now()
    returning sealed`.execute(db);
  return rows[0]?.sealed;
}

export async function readSealed(db: Db, idHash: Buffer, browserHash: Buffer): Promise<Buffer | undefined> {
  const { rows } = await sql<Columns<'sign_in_flows', 'sealed'>>`
    select sealed from sign_in_flows where id_hash = ${idHash} and browser_hash = ${browserHash} and expires_at > now()`.execute(db);
  return rows[0]?.sealed;
}

export async function hasFlow(db: Db, idHash: Buffer): Promise<boolean> {
  const { rows } = await sql`select from sign_in_flows where id_hash = ${idHash} and expires_at > now()`.execute(db);
  return rows.length > 0;
}

/** For an answer that came without the cookie of the browser; undefined when the flow was taken already. */
export async function takeOfAnyBrowser(db: Db, idHash: Buffer): Promise<Columns<'sign_in_flows', 'browser_hash' | 'sealed'> | undefined> {
  const { rows } = await sql<Columns<'sign_in_flows', 'browser_hash' | 'sealed'>>`
    delete from sign_in_flows where id_hash = ${idHash} and expires_at > now() returning browser_hash, sealed`.execute(db);
  return rows[0];
}
