import { schemaName } from '@telltale/domain/sql/quote.ts';
import { pgType } from '../../wire/copy/pg-types.ts';
import type { SchemaTable } from '../connector.ts';
import type { PostgresSession } from './session.ts';

const nameArray = 1003;

/** Leaves out internal schemas of servers and extensions: TimescaleDB puts a table there for every few days of data. */
const ownSchemas = `nspname not in ('pg_catalog', 'pg_internal', 'pg_extension', 'information_schema', 'crdb_internal')
    and nspname not like 'pg\\_toast%' and nspname not like 'pg\\_temp%' and nspname not like '\\_timescaledb\\_%'`;

/**
 * Lists the tables, views, materialised views, foreign and partitioned tables that the role may select, with the columns it may read;
 * partitions are left out on servers that have them (since PostgreSQL 10).
 */
const catalogText = (hasPartitions: boolean) => `
  select nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'v', 'm', 'f', 'p') ${hasPartitions ? 'and not c.relispartition' : ''}
    and ${ownSchemas} and has_schema_privilege(n.oid, 'usage')
    and (has_table_privilege(c.oid, 'select') or has_column_privilege(c.oid, a.attnum, 'select'))
  order by 1, 2, 3`;
const partitionsText = `select 1 from pg_attribute where attrelid = 'pg_class'::regclass and attname = 'relispartition'`;

/**
 * Redshift forked before most of that existed. Its own view also lists the tables of external schemas, whose privileges cannot be queried.
 */
const redshiftText = `
  select nspname, table_name, column_name, data_type
  from (select table_schema as nspname, table_name, column_name, data_type from svv_columns) c
  where ${ownSchemas} and has_schema_privilege(nspname, 'usage')
    and (nspname in (select schemaname from svv_external_schemas)
      or has_table_privilege(quote_ident(nspname) || '.' || quote_ident(table_name), 'select'))
  order by 1, 2, 3`;

export type Catalog = 'postgres' | 'redshift';

const quoted = (name: string) => schemaName(name, 'postgres');

async function rowsOf(session: PostgresSession, text: string): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = [];
  await session.query(text, { row: (values) => rows.push(values) > 0 });
  return rows;
}

/** server-behaviour 19: `table` for tables on the search path, `schema.table` otherwise; with `fullNames` always the latter. */
export async function readSchema(session: PostgresSession, catalog: Catalog, fullNames = false): Promise<SchemaTable[]> {
  const [[path] = []] = await rowsOf(session, 'select current_schemas(false)');
  const searched = new Set(JSON.parse(pgType(nameArray).json(path ?? '{}')) as string[]);
  const text = catalog === 'redshift' ? redshiftText : catalogText((await rowsOf(session, partitionsText)).length > 0);
  const tables = new Map<string, SchemaTable & { isPlain: boolean; plain: string }>();
  for (const [schema, table, column, type] of await rowsOf(session, text)) {
    const name = `${quoted(schema ?? '')}.${quoted(table ?? '')}`;
    const known = tables.get(name) ?? { name, columns: [], isPlain: !fullNames && searched.has(schema ?? ''), plain: quoted(table ?? '') };
    known.columns.push({ name: column ?? '', type: type ?? null });
    tables.set(name, known);
  }
  const all = [...tables.values()];
  const count = Map.groupBy(
    all.filter(({ isPlain }) => isPlain),
    ({ plain }) => plain,
  );
  const named = all.map(({ name, plain, isPlain, columns }) => ({
    name: isPlain && count.get(plain)?.length === 1 ? plain : name,
    columns,
  }));
  return named.sort((a, b) => (a.name < b.name ? -1 : 1));
}
