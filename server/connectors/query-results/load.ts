import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
  HUGEINT,
  TIMESTAMP,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api';
import { uniqueNames } from '@telltale/domain/results/columns.ts';
import { ColumnType, type ResultRow } from '@telltale/domain/results/contract.ts';
import { quoteName } from '@telltale/domain/sql/quote.ts';
import { readRows } from '../../wire/read-rows.ts';
import { QueryError, type ResultReader } from '../connector.ts';
import type { Engine } from '../duckdb/engine.ts';
import { commonKind, type Kind, kindOf, kindOfColumn } from './kinds.ts';

/** The engine's own measure. */
const rowsInChunk = 2048;
const dayMs = 86_400_000;

const milliseconds = (value: unknown) => Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/.test(String(value)) ? String(value) : `${value}Z`);
const micros = (value: unknown) => BigInt(milliseconds(String(value).length === 10 ? `${value}T00:00:00` : value)) * 1000n;
const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** How a kind is kept, and how a value that is not null becomes one of it. */
const storage: Record<Kind, { type: DuckDBType; convert: (value: unknown) => DuckDBValue }> = {
  unknown: { type: VARCHAR, convert: text },
  boolean: { type: BOOLEAN, convert: (value) => value === true },
  bigint: { type: BIGINT, convert: (value) => BigInt(value as number | string) },
  hugeint: { type: HUGEINT, convert: (value) => BigInt(value as number | string) },
  double: { type: DOUBLE, convert: Number },
  date: { type: DATE, convert: (value) => new DuckDBDateValue(Math.floor(Date.parse(String(value)) / dayMs)) },
  timestamp: { type: TIMESTAMP, convert: (value) => new DuckDBTimestampValue(micros(value)) },
  timestamptz: { type: TIMESTAMPTZ, convert: (value) => new DuckDBTimestampTZValue(micros(value)) },
  varchar: { type: VARCHAR, convert: text },
};

interface Column {
  /** In the stored rows. */
  key: string;
  /** In the table. */
  name: string;
  declared: ColumnType;
  kind: Kind;
}

/** server-behaviour 19: `: . "` and blanks become `_`. The engine does not tell capitals from small letters in names. */
export function tableColumnNames(names: readonly string[]): string[] {
  const plain = names.map((name) => name.replace(/[\s:."]/g, '_') || '_');
  const unique = uniqueNames(plain.map((name) => name.toLowerCase()));
  return plain.map((name, i) => name + (unique[i] ?? '').slice(name.toLowerCase().length));
}

/** Makes a table of a stored result. Its columns begin as what they say they are and are widened when a value does not fit. */
export async function loadResult(engine: Engine, table: string, read: ReturnType<ResultReader>, signal: AbortSignal): Promise<void> {
  const { columns: found, chunks } = await read;
  const names = tableColumnNames(found.map(({ name }) => name));
  const columns = found.map(({ name, type }, i): Column => {
    const declared = ColumnType.catch(null).parse(type);
    return { key: name, name: names[i] ?? '', declared, kind: kindOfColumn(declared) };
  });
  if (columns.length === 0) throw new QueryError(`The result ${table} has no columns.`);
  const definitions = columns.map(({ name, kind }) => `${quoteName(name, 'duckdb')} ${storage[kind].type}`);
  await engine.execute(`create table ${quoteName(table, 'duckdb')} (${definitions.join()})`);
  let appender = await engine.connection.createAppender(table);
  for await (const rows of readRows(chunks)) {
    signal.throwIfAborted();
    const wider = columns.map((column) => kindFor(column, rows));
    if (wider.some((kind, i) => kind !== columns[i]?.kind)) {
      appender.closeSync();
      for (const [i, column] of columns.entries()) await widen(engine, table, column, wider[i] ?? 'varchar');
      appender = await engine.connection.createAppender(table);
    }
    for (let from = 0; from < rows.length; from += rowsInChunk)
      appender.appendDataChunk(chunkOf(columns, rows.slice(from, from + rowsInChunk)));
  }
  appender.closeSync();
}

function kindFor({ key, declared, kind }: Column, rows: readonly ResultRow[]): Kind {
  let wide = kind;
  for (let i = 0; i < rows.length && wide !== 'varchar'; i++) wide = commonKind(wide, kindOf(rows[i]?.[key], declared));
  return wide;
}

function chunkOf(columns: readonly Column[], rows: readonly ResultRow[]): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(
    columns.map(({ kind }) => storage[kind].type),
    rows.length,
  );
  for (const [i, { key, kind }] of columns.entries()) {
    const { convert } = storage[kind];
    chunk.setColumnValues(
      i,
      rows.map((row) => (row[key] === null || row[key] === undefined ? null : convert(row[key]))),
    );
  }
  return chunk;
}

async function widen(engine: Engine, table: string, column: Column, kind: Kind): Promise<void> {
  if (kind === column.kind) return;
  const name = quoteName(column.name, 'duckdb');
  const written = kind === 'varchar' ? (asWritten[column.kind]?.(name) ?? name) : name;
  await engine.execute(
    `alter table ${quoteName(table, 'duckdb')} alter ${name} type ${storage[kind].type} using (${written})::${storage[kind].type}`,
  );
  column.kind = kind;
}

/** Moments that turn out to be among texts look as they did in the result. */
const asWritten: Partial<Record<Kind, (name: string) => string>> = {
  timestamp: (name) => `replace(strftime(${name}, '%Y-%m-%dT%H:%M:%S.%g'), '.000', '')`,
  timestamptz: (name) => `replace(strftime(${name}, '%Y-%m-%dT%H:%M:%S.%g'), '.000', '') || 'Z'`,
};
