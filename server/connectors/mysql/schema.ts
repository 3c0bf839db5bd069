import { schemaName } from '@telltale/domain/sql/quote.ts';
import type { SchemaTable } from '../connector.ts';
import type { MysqlSession } from './session.ts';

/** System databases, which are listed only as the source's own database. */
const systemDatabases = `'information_schema', 'performance_schema', 'mysql', 'sys'`;

const columnsText = `
  select table_schema, table_name, column_name, column_type, column_comment, table_schema = database()
  from information_schema.columns
  where table_schema = database() or table_schema not in (${systemDatabases})
  order by table_schema, table_name, column_name`;
const commentsText = `
  select table_schema, table_name, table_comment
  from information_schema.tables
  where table_comment not in ('', 'VIEW') and (table_schema = database() or table_schema not in (${systemDatabases}))`;

const quoted = (name: string) => schemaName(name, 'mysql');

/** server-behaviour 19: tables of other databases are listed as `database.table`, comments are descriptions. */
export async function readSchema(session: MysqlSession): Promise<SchemaTable[]> {
  const comments = new Map<string, string>();
  for (const [database, table, comment] of await session.rows(commentsText)) comments.set(`${database}\0${table}`, comment ?? '');
  const tables = new Map<string, SchemaTable>();
  for (const [database, table, column, type, comment, isOwn] of await session.rows(columnsText)) {
    const key = `${database}\0${table}`;
    const known = tables.get(key) ?? {
      name: isOwn === '1' ? quoted(table ?? '') : `${quoted(database ?? '')}.${quoted(table ?? '')}`,
      columns: [],
      ...(comments.has(key) && { description: comments.get(key) }),
    };
    known.columns.push({ name: column ?? '', type, ...(comment && { description: comment }) });
    tables.set(key, known);
  }
  return [...tables.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function readDatabases(session: MysqlSession): Promise<string[]> {
  const rows = await session.rows(
    `select schema_name from information_schema.schemata where schema_name not in (${systemDatabases}) order by schema_name`,
  );
  return rows.map(([name]) => name ?? '');
}
