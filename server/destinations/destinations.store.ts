import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export type DestinationRow = Columns<'destinations', 'id' | 'org_id' | 'name' | 'type' | 'options_sealed' | 'created_at' | 'updated_at'>;

async function select(db: Db, where: RawBuilder<unknown>): Promise<DestinationRow[]> {
  const { rows } = await sql<DestinationRow>`
    select id, org_id, name, type, options_sealed, created_at, updated_at from destinations
    where ${where} order by created_at desc, id desc`.execute(db);
  return rows;
}

/** A9: the newest first. */
export const listDestinationRows = (db: Db) => select(db, sql`true`);
export const findDestinationRow = async (db: Db, id: number): Promise<DestinationRow | undefined> => (await select(db, sql`id = ${id}`))[0];
/** Locks the destination: the next change waits for the end of this transaction. */
export const lockDestination = (db: Db, id: number) => sql`select from destinations where id = ${id} for update`.execute(db);

type Fields = Pick<DestinationRow, 'name' | 'type' | 'options_sealed'>;

/** Inserts a destination; returns undefined when the name is taken. */
export async function insertDestination(
  db: Db,
  owner: { org_id: number; user_id: number },
  { name, type, options_sealed }: Fields,
): Promise<number | undefined> {
  const { rows } = await sql<Columns<'destinations', 'id'>>`
    insert into destinations (org_id, user_id, name, type, options_sealed) values (${owner.org_id}, ${owner.user_id}, ${name}, ${type}, ${options_sealed})
    on conflict (org_id, lower(name)) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/** Updates a destination; returns false when the name is taken. */
export async function updateDestination(db: Db, id: number, { name, type, options_sealed }: Fields): Promise<boolean> {
  const { rows } = await sql`
    update destinations set name = ${name}, type = ${type}, options_sealed = ${options_sealed}, updated_at = now()
    where id = ${id} and not exists (
      select from destinations other where other.id <> ${id} and other.org_id = destinations.org_id and lower(other.name) = lower(${name}))
    returning id`.execute(db);
  return rows.length === 1;
}

export const deleteDestination = (db: Db, id: number) => sql`delete from destinations where id = ${id}`.execute(db);
