import { schemaName } from '@telltale/domain/sql/quote.ts';
import type { SchemaTable } from '../connector.ts';
import type { PostgresSession } from './session.ts';

/** Everything the role may select: tables, views, materialised views, foreign and partitioned tables; partitions themselves left out. */
const text = `
  select n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), n.nspname = any(current_schemas(false))
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_toast%' and n.nspname not like 'pg\\_temp%'
    and has_schema_privilege(n.oid, 'usage')
    and (has_table_privilege(c.oid, 'select') or has_any_column_privilege(c.oid, 'select'))
  order by 1, 2, a.attname`;

const quoted = (name: string) => schemaName(name, 'postgres');

/** server-behaviour 19: `table` for what the search path finds, `schema.table` otherwise. */
export async function readSchema(session: PostgresSession): Promise<SchemaTable[]> {
  const tables = new Map<string, SchemaTable & { isPlain: boolean; plain: string }>();
  await session.query(text, {
    row: ([schema, table, column, type, isVisible]) => {
      const name = `${quoted(schema ?? '')}.${quoted(table ?? '')}`;
      const known = tables.get(name) ?? { name, columns: [], isPlain: isVisible === 't', plain: quoted(table ?? '') };
      known.columns.push({ name: column ?? '', type: type ?? null });
      tables.set(name, known);
      return true;
    },
  });
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
