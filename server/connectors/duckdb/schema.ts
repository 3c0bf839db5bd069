import { schemaName } from '@telltale/domain/sql/quote.ts';
import type { SchemaTable } from '../connector.ts';
import type { Engine } from './engine.ts';

const text = `
  select schema_name, table_name, column_name, data_type, comment,
    (select comment from duckdb_tables() t where t.table_oid = c.table_oid and t.database_oid = c.database_oid)
  from duckdb_columns() c
  where not internal and database_name = current_database()
  order by schema_name, table_name, column_name`;

const quoted = (name: string) => schemaName(name, 'duckdb');

/** As with PostgreSQL: plain names in the schema that is searched first, \`schema.table\` elsewhere; comments are descriptions. */
export async function readSchema(engine: Engine): Promise<SchemaTable[]> {
  const tables = new Map<string, SchemaTable>();
  for (const [schema, table, column, type, comment, description] of (await engine.rows(text)) as (string | null)[][]) {
    const name = schema === 'main' ? quoted(table ?? '') : `${quoted(schema ?? '')}.${quoted(table ?? '')}`;
    const known = tables.get(name) ?? { name, columns: [], ...(description && { description }) };
    known.columns.push({ name: column ?? '', type, ...(comment && { description: comment }) });
    tables.set(name, known);
  }
  return [...tables.values()];
}
