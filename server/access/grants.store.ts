import type { AccessType, Grant, GrantedType } from '@telltale/domain/access/grants.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

const fields = sql`id, object_id, object_type, access_type, grantor_id as grantor, grantee_id as grantee`;

export interface GrantedObject {
  type: GrantedType;
  id: number;
}

export async function listGrantRows(db: Db, { type, id }: GrantedObject): Promise<Grant[]> {
  const { rows } = await sql<Grant>`
    select ${fields} from access_permissions where object_type = ${type} and object_id = ${id} order by id`.execute(db);
  return rows;
}

export async function hasGrantRow(db: Db, { type, id }: GrantedObject, accessType: string, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from access_permissions
    where object_type = ${type} and object_id = ${id} and access_type = ${accessType} and grantee_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/** Inserts a grant; an existing one stays unchanged. */
export async function insertGrant(
  db: Db,
  { type, id }: GrantedObject,
  grant: { access_type: AccessType; grantor: number; grantee: number },
): Promise<Grant> {
  const { rows } = await sql<Grant>`
    insert into access_permissions (object_type, object_id, access_type, grantor_id, grantee_id)
    values (${type}, ${id}, ${grant.access_type}, ${grant.grantor}, ${grant.grantee})
    on conflict (object_type, object_id, access_type, grantee_id) do update set grantor_id = access_permissions.grantor_id
    returning ${fields}`.execute(db);
  return rows[0] as Grant;
}

export const deleteGrant = (db: Db, { type, id }: GrantedObject, accessType: AccessType, userId: number) =>
  sql`delete from access_permissions
      where object_type = ${type} and object_id = ${id} and access_type = ${accessType} and grantee_id = ${userId}`.execute(db);
