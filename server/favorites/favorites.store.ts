import type { FavoriteType } from '@telltale/domain/favorites/contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

interface Star {
  user_id: number;
  type: FavoriteType;
  id: number;
}

export const insertStar = (db: Db, orgId: number, { user_id, type, id }: Star) =>
  sql`
    insert into favorites (org_id, object_type, object_id, user_id) values (${orgId}, ${type}, ${id}, ${user_id})
    on conflict do nothing`.execute(db);

export const deleteStar = (db: Db, { user_id, type, id }: Star) =>
  sql`delete from favorites where object_type = ${type} and object_id = ${id} and user_id = ${user_id}`.execute(db);

export async function hasStar(db: Db, { user_id, type, id }: Star): Promise<boolean> {
  const { rows } = await sql`select from favorites where object_type = ${type} and object_id = ${id} and user_id = ${user_id}`.execute(db);
  return rows.length > 0;
}
