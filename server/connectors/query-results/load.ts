import {
  BIGINT,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBDecimalValue,
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
import {
  commonKind,
  type Digits,
  decimalWidth,
  digitsOf,
  type Kind,
  kindOf,
  kindOfColumn,
  moreDigits,
  noDigits,
  unscaled,
} from './kinds.ts';

/** The engine's own chunk size. */
const rowsInChunk = 2048;
const dayMs = 86_400_000;

const milliseconds = (value: unknown) => Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/.test(String(value)) ? String(value) : `${value}Z`);
const micros = (value: unknown) => BigInt(milliseconds(String(value).length === 10 ? `${value}T00:00:00` : value)) * 1000n;
const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The storage type of a kind, and the conversion of a value that is not null. */
type Storage = { type: DuckDBType; convert: (value: unknown) => DuckDBValue };
const storage: Record<Exclude<Kind, 'decimal'>, Storage> = {
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

const storageOf = ({ kind, digits: { scale } }: Pick<Column, 'kind' | 'digits'>): Storage =>
  kind === 'decimal'
    ? {
        type: DECIMAL(decimalWidth, scale),
        convert: (value) => new DuckDBDecimalValue(unscaled(value, scale), decimalWidth, scale),
      }
    : storage[kind];

interface Column {
  /** The name in the stored rows. */
  key: string;
  /** The name in the table. */
  name: string;
  declared: ColumnType;
  kind: Kind;
  /** For decimals: enough digits for all numbers. */
  digits: Digits;
}

/** server-behaviour 19: `: . "` and spaces become `_`. The engine ignores case in names. */
export function tableColumnNames(names: readonly string[]): string[] {
  const plain = names.map((name) => name.replace(/[\s:."]/g, '_') || '_');
  const unique = uniqueNames(plain.map((name) => name.toLowerCase()));
  return plain.map((name, i) => name + (unique[i] ?? '').slice(name.toLowerCase().length));
}

/** Loads a stored result into a table. Columns start with their declared type and are widened when a value does not fit. */
export async function loadResult(engine: Engine, table: string, read: ReturnType<ResultReader>, signal: AbortSignal): Promise<void> {
  const { columns: found, chunks } = await read;
  const names = tableColumnNames(found.map(({ name }) => name));
  const columns = found.map(({ name, type }, i): Column => {
    const declared = ColumnType.catch(null).parse(type);
    return { key: name, name: names[i] ?? '', declared, kind: kindOfColumn(declared), digits: noDigits };
  });
  if (columns.length === 0) throw new QueryError(`The result ${table} has no columns.`);
  const definitions = columns.map((column) => `${quoteName(column.name, 'duckdb')} ${storageOf(column).type}`);
  await engine.execute(`create table ${quoteName(table, 'duckdb')} (${definitions.join()})`);
  let appender = await engine.connection.createAppender(table);
  for await (const rows of readRows(chunks)) {
    signal.throwIfAborted();
    const wider = columns.map((column) => kindFor(column, rows));
    if (wider.some(({ kind, digits }, i) => kind !== columns[i]?.kind || digits.scale !== columns[i]?.digits.scale)) {
      appender.closeSync();
      for (const [i, column] of columns.entries()) await widen(engine, table, column, wider[i] ?? column);
      appender = await engine.connection.createAppender(table);
    }
    for (let from = 0; from < rows.length; from += rowsInChunk)
      appender.appendDataChunk(chunkOf(columns, rows.slice(from, from + rowsInChunk)));
  }
  appender.closeSync();
}

type Need = Pick<Column, 'kind' | 'digits'>;

function kindFor({ key, declared, kind, digits }: Column, rows: readonly ResultRow[]): Need {
  let wide = kind;
  for (let i = 0; i < rows.length && wide !== 'varchar'; i++) wide = commonKind(wide, kindOf(rows[i]?.[key], declared));
  return fitting(wide, wide === 'decimal' ? rows.reduce((sum, row) => moreDigits(sum, digitsOf(row[key])), digits) : noDigits);
}

const fitting = (kind: Kind, digits: Digits): Need =>
  kind === 'decimal' && digits.whole + digits.scale > decimalWidth ? { kind: 'varchar', digits: noDigits } : { kind, digits };

function chunkOf(columns: readonly Column[], rows: readonly ResultRow[]): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(
    columns.map((column) => storageOf(column).type),
    rows.length,
  );
  for (const [i, column] of columns.entries()) {
    const { key } = column;
    const { convert } = storageOf(column);
    chunk.setColumnValues(
      i,
      rows.map((row) => (row[key] === null || row[key] === undefined ? null : convert(row[key]))),
    );
  }
  return chunk;
}

async function widen(engine: Engine, table: string, column: Column, given: Need): Promise<void> {
  if (given.kind === column.kind && given.digits.scale === column.digits.scale) return;
  const name = quoteName(column.name, 'duckdb');
  const isFirst = given.kind === 'decimal' && column.kind !== 'decimal';
  const need = isFirst ? fitting('decimal', moreDigits(given.digits, await digitsIn(engine, table, name))) : given;
  // A double is converted from its written form, not from the binary fraction.
  const asDecimal = column.kind === 'double' ? `${name}::varchar` : name;
  const written = need.kind === 'varchar' ? (asWritten[column.kind]?.(name) ?? name) : need.kind === 'decimal' ? asDecimal : name;
  const { type } = storageOf(need);
  await engine.execute(`alter table ${quoteName(table, 'duckdb')} alter ${name} type ${type} using (${written})::${type}`);
  Object.assign(column, need);
}

/** Counts the digits of the numbers that are already loaded. */
async function digitsIn(engine: Engine, table: string, name: string): Promise<Digits> {
  const rows = await engine.rows(`
    with written as (
      select regexp_extract(${name}::varchar, '^-?(\\d+)(?:\\.(\\d+))?(?:e([+-]\\d+))?$', ['before', 'after', 'power']) as number
      from ${quoteName(table, 'duckdb')} where ${name} is not null)
    select coalesce(max(length(number.before) + coalesce(try_cast(number.power as integer), 0)), 0)::integer,
      coalesce(max(length(rtrim(number.after, '0')) - coalesce(try_cast(number.power as integer), 0)), 0)::integer
    from written`);
  const [whole, scale] = rows[0] ?? [];
  return { whole: Math.max(0, Number(whole)), scale: Math.max(0, Number(scale)) };
}

/** Times and numbers in a column that turns out to be text look as they did in the result. */
const asWritten: Partial<Record<Kind, (name: string) => string>> = {
  double: (name) => `regexp_replace(${name}::varchar, '\\.0$', '')`,
  decimal: (name) => `regexp_replace(regexp_replace(${name}::varchar, '(\\.\\d*?)0+$', '\\1'), '\\.$', '')`,
  timestamp: (name) => `replace(strftime(${name}, '%Y-%m-%dT%H:%M:%S.%g'), '.000', '')`,
  timestamptz: (name) => `replace(strftime(${name}, '%Y-%m-%dT%H:%M:%S.%g'), '.000', '') || 'Z'`,
};
