import { isDay, isTimestamp } from '../visualizations/instant.ts';
import type { ColumnType, ResultColumn } from './contract.ts';
import { ExactDecimal } from './exact-decimal.ts';

/** server-behaviour 11.1: a name seen before gets a counter, `a, a1, a2`, skipping names already taken. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const counters = new Map<string, number>();
  return names.map((name) => {
    let unique = name;
    while (taken.has(unique)) {
      const count = (counters.get(name) ?? 0) + 1;
      counters.set(name, count);
      unique = `${name}${count}`;
    }
    taken.add(unique);
    return unique;
  });
}

export function resultColumns(found: readonly { name: string; type: ColumnType }[]): ResultColumn[] {
  const names = uniqueNames(found.map((column) => column.name));
  return found.map(({ type }, i) => ({ name: names[i] ?? '', friendly_name: names[i] ?? '', type }));
}

/** Q3, with booleans and whole numbers told apart as server-behaviour 19 does. Null and nested values have no type. */
export function typeOf(value: unknown): ColumnType {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value !== 'string') return value instanceof ExactDecimal ? 'float' : null;
  if (isDay(value)) return 'date';
  return isTimestamp(value) ? 'datetime' : 'string';
}

/** The common type of two types in one column: numbers become float, days and moments datetime, everything else string. */
export function commonType(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b || b === null) return a;
  if (a === null) return b;
  if (isNumeric(a) && isNumeric(b)) return 'float';
  return isTemporal(a) && isTemporal(b) ? 'datetime' : 'string';
}

const isNumeric = (type: ColumnType) => type === 'integer' || type === 'float';
const isTemporal = (type: ColumnType) => type === 'date' || type === 'datetime';

/** Infers the types of a source without types while the rows stream by; a type given by the source is kept, also an unknown one. */
export function typeInference(columns: readonly ResultColumn[], isLearned: (column: number) => boolean = () => true) {
  const found = columns.map((column) => column.type);
  const unknown = columns.flatMap((column, i) => (column.type === null && isLearned(i) ? [i] : []));
  return {
    /** A row's values in column order. */
    see(values: readonly unknown[]): void {
      for (const i of unknown) if (found[i] !== 'string') found[i] = commonType(found[i] ?? null, typeOf(values[i]));
    },
    columns: (): ResultColumn[] => columns.map((column, i) => ({ ...column, type: found[i] ?? null })),
  };
}
