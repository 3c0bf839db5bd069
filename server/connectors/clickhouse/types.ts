import type { ColumnType } from '@telltale/domain/results/contract.ts';
import { anyJson, booleanJson, dateTimeJson, type Encode, jsonString, numberJson } from '../../wire/values.ts';
import { instantOf } from '../instants.ts';
import type { SinkColumn } from '../sink.ts';

/** Unwraps the declared type of a column: `LowCardinality(Nullable(String))` is a String. */
function plainType(type: string): string {
  const [, inner] = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type) ?? /^SimpleAggregateFunction\([^,]+, (.*)\)$/s.exec(type) ?? [];
  return inner === undefined ? type : plainType(inner);
}

const families: [pattern: RegExp, type: ColumnType, encode: Encode | undefined][] = [
  [/^U?Int\d+$|^Interval/, 'integer', numberJson],
  [/^(?:Float|BFloat|Decimal)/, 'float', numberJson],
  [/^Bool$/, 'boolean', booleanJson],
  [/^Date(?:32)?$/, 'date', anyJson],
  [/^(?:String|FixedString|UUID|IPv[46]|Enum|Time)/, 'string', anyJson],
];

/** Numbers arrive as JSON numbers or, from older servers, as texts; both keep all their digits. */
export function columnOf({ name, type }: { name: string; type: string }, zone: string): SinkColumn {
  const plain = plainType(type);
  const [, own = zone] = /^DateTime(?:64\(\d+, |\()?'(.+)'\)$/.exec(plain) ?? [];
  if (plain.startsWith('DateTime')) return { name, type: 'datetime', encode: momentJson(own) };
  const [, found = null, encode] = families.find(([pattern]) => pattern.test(plain)) ?? [];
  return { name, type: found, encode };
}

/** A time has its own zone, or is a local time in the column's zone. */
const momentJson =
  (zone: string): Encode =>
  (value) => {
    if (typeof value !== 'string' || value.endsWith('Z')) return dateTimeJson(value);
    return jsonString(instantOf(value, zone));
  };
