import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export interface OrganizationRow extends Columns<'organizations', 'id' | 'name' | 'slug'> {
  settings: Record<string, unknown>;
}

export async function findOrganization(db: Db): Promise<OrganizationRow | undefined> {
  const { rows } = await sql<OrganizationRow>`select id, name, slug, settings from organizations order by id limit 1`.execute(db);
  return rows[0];
}

/** Holds the row until the transaction ends, so that those who change the installation as a whole wait for each other. */
export const lockOrganizations = (db: Db) => sql`select from organizations for update`.execute(db);

export const updateName = (db: Db, name: string) => sql`update organizations set name = ${name}`.execute(db);

export const updateSettings = (db: Db, settings: Record<string, unknown>) =>
  sql`update organizations set settings = ${JSON.stringify(settings)}::jsonb`.execute(db);
