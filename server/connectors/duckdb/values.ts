import {
  type DuckDBArrayValue,
  type DuckDBBlobValue,
  type DuckDBDateValue,
  type DuckDBIntervalValue,
  type DuckDBListValue,
  type DuckDBMapValue,
  type DuckDBStructValue,
  type DuckDBTimestampTZValue,
  type DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBUnionValue,
} from '@duckdb/node-api';
import type { ColumnType } from '@telltale/domain/results/contract.ts';
import { durationText } from '@telltale/domain/results/intervals.ts';
import { decimalJson } from '@telltale/domain/results/numbers.ts';
import { isoDateTime, isoTime } from '@telltale/domain/results/times.ts';
import { anyJson, checkedJson, type Encode, hex, jsonString } from '../../wire/values.ts';

interface Meaning {
  type: ColumnType;
  json: Encode;
}

const asText =
  (json: (text: string) => string): Encode =>
  (value) =>
    json(String(value));

const integer: Meaning = { type: 'integer', json: asText(decimalJson) };
const float: Meaning = { type: 'float', json: anyJson };
const text: Meaning = { type: 'string', json: asText(jsonString) };
const dateTime: Meaning = { type: 'datetime', json: asText((value) => jsonString(isoDateTime(value))) };

/** By type of value; other types are shown as DuckDB prints them. */
const meanings: Partial<Record<DuckDBTypeId, Meaning>> = {
  [DuckDBTypeId.BOOLEAN]: { type: 'boolean', json: anyJson },
  [DuckDBTypeId.TINYINT]: integer,
  [DuckDBTypeId.SMALLINT]: integer,
  [DuckDBTypeId.INTEGER]: integer,
  [DuckDBTypeId.BIGINT]: integer,
  [DuckDBTypeId.HUGEINT]: integer,
  [DuckDBTypeId.UTINYINT]: integer,
  [DuckDBTypeId.USMALLINT]: integer,
  [DuckDBTypeId.UINTEGER]: integer,
  [DuckDBTypeId.UBIGINT]: integer,
  [DuckDBTypeId.UHUGEINT]: integer,
  [DuckDBTypeId.BIGNUM]: integer,
  [DuckDBTypeId.DOUBLE]: float,
  [DuckDBTypeId.FLOAT]: { type: 'float', json: (value) => anyJson(shortest(value as number)) },
  [DuckDBTypeId.DATE]: { type: 'date', json: (value) => dateJson(value as DuckDBDateValue) },
  [DuckDBTypeId.TIMESTAMP]: { type: 'datetime', json: (value) => momentJson(value as DuckDBTimestampValue, '') },
  [DuckDBTypeId.TIMESTAMP_S]: dateTime,
  [DuckDBTypeId.TIMESTAMP_MS]: dateTime,
  [DuckDBTypeId.TIMESTAMP_NS]: dateTime,
  [DuckDBTypeId.TIMESTAMP_TZ]: { type: 'datetime', json: (value) => momentJson(value as DuckDBTimestampTZValue, 'Z') },
  [DuckDBTypeId.TIME]: { type: 'string', json: asText((value) => jsonString(isoTime(value))) },
  [DuckDBTypeId.INTERVAL]: { type: 'string', json: (value) => intervalJson(value as DuckDBIntervalValue) },
  [DuckDBTypeId.BLOB]: { type: 'string', json: (value) => `"${hex((value as DuckDBBlobValue).bytes)}"` },
  [DuckDBTypeId.SQLNULL]: { type: null, json: anyJson },
};

export function meaningOf(type: DuckDBType): Meaning {
  switch (type.typeId) {
    case DuckDBTypeId.DECIMAL:
      return type.scale === 0 ? integer : { type: 'float', json: integer.json };
    case DuckDBTypeId.VARCHAR:
      return type.alias === 'JSON' ? { type: null, json: asText(checkedJson) } : text;
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY: {
      const item = orNull(meaningOf(type.valueType).json);
      return { type: null, json: (value) => `[${(value as DuckDBListValue | DuckDBArrayValue).items.map(item).join()}]` };
    }
    case DuckDBTypeId.STRUCT: {
      const parts = type.entryNames.map((name, i) => ({
        name,
        key: JSON.stringify(name),
        json: orNull(meaningOf(type.entryTypes[i] as DuckDBType).json),
      }));
      return {
        type: null,
        json: (value) => `{${parts.map(({ name, key, json }) => `${key}:${json((value as DuckDBStructValue).entries[name])}`).join()}}`,
      };
    }
    case DuckDBTypeId.MAP: {
      const item = orNull(meaningOf(type.valueType).json);
      const pair = ({ key, value }: DuckDBMapValue['entries'][number]) => `${JSON.stringify(String(key))}:${item(value)}`;
      return { type: null, json: (value) => `{${(value as DuckDBMapValue).entries.map(pair).join()}}` };
    }
    case DuckDBTypeId.UNION: {
      const members = new Map(type.memberTags.map((tag, i) => [tag, orNull(meaningOf(type.memberTypes[i] as DuckDBType).json)]));
      return { type: null, json: (value) => members.get((value as DuckDBUnionValue).tag)?.((value as DuckDBUnionValue).value) ?? 'null' };
    }
    default:
      return meanings[type.typeId] ?? text;
  }
}

const orNull =
  (json: Encode): Encode =>
  (value) =>
    value === null || value === undefined ? 'null' : json(value);

/** Returns a single-precision number in its shortest form: 0.1, not 0.10000000149011612. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** Microseconds are exact numbers from 1684 to 2255, where JavaScript prints them several times faster than the driver. */
function momentJson(value: DuckDBTimestampValue | DuckDBTimestampTZValue, zone: '' | 'Z'): string {
  const { micros } = value;
  const exact = Number(micros);
  if (!Number.isSafeInteger(exact)) return jsonString(isoDateTime(String(value)));
  const iso = new Date(Math.floor(exact / 1000)).toISOString();
  return `"${exact % 1_000_000 === 0 ? iso.slice(0, 19) : iso.slice(0, 23)}${zone}"`;
}

const endlessDays = 2 ** 31 - 1;

function dateJson(value: DuckDBDateValue): string {
  if (Math.abs(value.days) === endlessDays) return value.days > 0 ? '"infinity"' : '"-infinity"';
  return jsonString(String(value).replace(' (BC)', ' BC'));
}

/** A year counts 365 days and a month 30, as with the other sources. */
function intervalJson({ months, days, micros }: DuckDBIntervalValue): string {
  const allDays = Math.trunc(months / 12) * 365 + (months % 12) * 30 + days;
  return jsonString(durationText(allDays, Number(micros / 1_000_000n), Number(micros % 1_000_000n)));
}
