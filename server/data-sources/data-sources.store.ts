import type { SourceGroup } from '@telltale/domain/access/source-access.ts';
import type { SchemaTable } from '@telltale/domain/data-sources/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export interface DataSourceRow
  extends Columns<
    'data_sources',
    'id' | 'org_id' | 'name' | 'type' | 'options_sealed' | 'paused_at' | 'pause_reason' | 'version' | 'created_at'
  > {
  groups: SourceGroup[];
}

const fields = sql`
  data_sources.id, data_sources.org_id, data_sources.name, data_sources.type, options_sealed, paused_at, pause_reason, version, data_sources.created_at,
  coalesce((select json_agg(json_build_object('group_id', group_id, 'view_only', view_only) order by group_id)
            from data_source_groups where data_source_id = data_sources.id), '[]'::json) as groups`;

async function select(db: Db, where: RawBuilder<unknown>): Promise<DataSourceRow[]> {
  const { rows } = await sql<DataSourceRow>`select ${fields} from data_sources where ${where} order by lower(name), id`.execute(db);
  return rows;
}

export const listDataSourceRows = (db: Db, where: RawBuilder<unknown>) => select(db, where);
export const listSourcesOfGroup = (db: Db, groupId: number) =>
  select(db, sql`exists (select from data_source_groups where data_source_id = data_sources.id and group_id = ${groupId})`);
export const findDataSource = async (db: Db, id: number): Promise<DataSourceRow | undefined> => (await select(db, sql`id = ${id}`))[0];
export const listSourcesById = (db: Db, ids: readonly number[]) => select(db, sql`id = any(${[...ids]}::int[])`);
/** Locks the source: the next change waits for the end of this transaction. */
export const lockDataSource = (db: Db, id: number) => sql`select from data_sources where id = ${id} for update`.execute(db);
export const findByType = async (db: Db, type: string): Promise<DataSourceRow | undefined> => (await select(db, sql`type = ${type}`))[0];

export async function insertDataSource(
  db: Db,
  source: { org_id: number; name: string; type: string; options_sealed: Buffer },
): Promise<number | undefined> {
  const { rows } = await sql<Columns<'data_sources', 'id'>>`
    insert into data_sources (org_id, name, type, options_sealed) values (${source.org_id}, ${source.name}, ${source.type}, ${source.options_sealed})
    on conflict (org_id, lower(name)) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

export const updateDataSource = (
  db: Db,
  id: number,
  source: { name: string; type: string; options_sealed: Buffer; isElsewhere: boolean },
) =>
  sql`update data_sources set name = ${source.name}, type = ${source.type}, options_sealed = ${source.options_sealed},
        version = version + ${source.isElsewhere ? 1 : 0}, updated_at = now()
      where id = ${id}`.execute(db);

export const setPaused = (db: Db, id: number, paused: boolean, reason: string | null) =>
  sql`update data_sources set paused_at = case when ${paused} then coalesce(paused_at, now()) end, pause_reason = ${reason}, updated_at = now()
      where id = ${id}`.execute(db);

export const deleteDataSource = (db: Db, id: number) => sql`delete from data_sources where id = ${id}`.execute(db);

export const linkGroup = (db: Db, id: number, groupId: number, viewOnly: boolean) =>
  sql`insert into data_source_groups (data_source_id, group_id, view_only) values (${id}, ${groupId}, ${viewOnly})
      on conflict (data_source_id, group_id) do nothing`.execute(db);

export async function changeLink(db: Db, id: number, groupId: number, viewOnly: boolean): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update data_source_groups set view_only = ${viewOnly} where data_source_id = ${id} and group_id = ${groupId}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

export async function unlinkGroup(db: Db, id: number, groupId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from data_source_groups where data_source_id = ${id} and group_id = ${groupId}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Reads a schema and marks it as used, at most once an hour, so that most reads write nothing. */
export async function findSchema(
  db: Db,
  id: number,
  database: string,
): Promise<{ tables: SchemaTable[]; refreshed_at: string } | undefined> {
  const { rows } = await sql<{ tables: SchemaTable[]; refreshed_at: string }>`
    with noted as (
      update data_source_schemas set read_at = now()
      where data_source_id = ${id} and database = ${database} and read_at < now() - interval '1 hour')
    select tables, refreshed_at from data_source_schemas where data_source_id = ${id} and database = ${database}`.execute(db);
  return rows[0];
}

/** Identifies the settings with which something was read. */
export type SourceVersion = Pick<DataSourceRow, 'id' | 'version'>;

/** Selects nothing when the settings have changed meanwhile; the lock waits for a change in progress. */
const stillThat = ({ id, version }: SourceVersion) => sql`from data_sources where id = ${id} and version = ${version} for share`;

export const saveSchema = (db: Db, source: SourceVersion, database: string, tables: SchemaTable[]) =>
  sql`insert into data_source_schemas (data_source_id, database, tables)
      select id, ${database}, ${JSON.stringify(tables)}::jsonb ${stillThat(source)}
      on conflict (data_source_id, database) do update set tables = excluded.tables, refreshed_at = now()`.execute(db);

export const deleteSchema = (db: Db, id: number, database: string) =>
  sql`delete from data_source_schemas where data_source_id = ${id} and database = ${database}`.execute(db);

/** Lists kept databases for five minutes, as long as the browser does, so that a new database appears soon. */
export async function findDatabases(db: Db, id: number): Promise<string[] | undefined> {
  const { rows } = await sql<Columns<'data_source_databases', 'names'>>`
    select names from data_source_databases where data_source_id = ${id} and refreshed_at > now() - interval '5 minutes'`.execute(db);
  return rows[0]?.names;
}

export const saveDatabases = (db: Db, source: SourceVersion, names: string[]) =>
  sql`insert into data_source_databases (data_source_id, names) select id, ${names}::text[] ${stillThat(source)}
      on conflict (data_source_id) do update set names = excluded.names, refreshed_at = now()`.execute(db);

/** Deletes everything that was read with older settings. */
export async function forgetSchemas(db: Db, id: number): Promise<void> {
  await sql`delete from data_source_schemas where data_source_id = ${id}`.execute(db);
  await sql`delete from data_source_databases where data_source_id = ${id}`.execute(db);
}

/** server-behaviour 18.5. */
export const deleteUnreadSchemas = (db: Db) => sql`delete from data_source_schemas where read_at < now() - interval '7 days'`.execute(db);

/** Lists outdated schemas, which are read again in the background. */
export async function listStaleSchemas(db: Db): Promise<(SourceVersion & { database: string })[]> {
  const { rows } = await sql<SourceVersion & { database: string }>`
    select data_source_id as id, version, database from data_source_schemas join data_sources on data_sources.id = data_source_id
    where refreshed_at < now() - interval '30 minutes' and paused_at is null`.execute(db);
  return rows;
}

/** How many columns each wide view has now; devices that report something new add to them. */
export async function listWideViewWidths(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; columns: number }>`
    select relname as name, relnatts::int as columns from pg_class
    where relnamespace = 'app'::regnamespace and relkind = 'v' and relname ~ '^channel_'`.execute(db);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** The names of the wide views of some channels. */
export async function listWideViews(db: Db, where: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select 'channel_' || replace(channel_id, '-', '_') as name from telemetry.channel where deleted_at is null and ${where}`.execute(db);
  return rows.map(({ name }) => name);
}
