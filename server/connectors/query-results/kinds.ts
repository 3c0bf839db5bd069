import type { ColumnType } from '@telltale/domain/results/contract.ts';

/** What a column of a loaded result is kept as, from narrow to wide. `unknown`: nothing but nulls so far. */
export type Kind = 'unknown' | 'boolean' | 'bigint' | 'hugeint' | 'double' | 'date' | 'timestamp' | 'timestamptz' | 'varchar';

const declaredKinds: Record<Exclude<ColumnType, null>, Kind> = {
  integer: 'bigint',
  float: 'double',
  boolean: 'boolean',
  string: 'varchar',
  date: 'date',
  datetime: 'timestamp',
};

/** Before the first value: what the column says of itself. */
export const kindOfColumn = (type: ColumnType): Kind => (type === null ? 'unknown' : declaredKinds[type]);

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;
const day = /^\d{4}-\d{2}-\d{2}$/;

/** What a stored value needs. A number that a double does not hold is a text in a column of numbers (design 8). */
export function kindOf(value: unknown, column: ColumnType): Kind {
  if (value === null || value === undefined) return 'unknown';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return column !== 'float' && Number.isInteger(value) ? kindOfInteger(value) : 'double';
  if (typeof value !== 'string') return 'varchar';
  if (column === 'integer' && /^-?\d{1,39}$/.test(value)) return kindOfInteger(value);
  if ((column === 'integer' || column === 'float') && value !== '' && Number.isFinite(Number(value))) return 'double';
  if (column === 'date' || column === 'datetime') return kindOfTime(value);
  return 'varchar';
}

function kindOfInteger(value: number | string): Kind {
  if (Number.isSafeInteger(value)) return 'bigint';
  const exact = BigInt(value);
  if (BigInt.asIntN(64, exact) === exact) return 'bigint';
  return BigInt.asIntN(128, exact) === exact ? 'hugeint' : 'double';
}

function kindOfTime(value: string): Kind {
  const [whole, zone] = moment.exec(value) ?? [];
  if (whole === undefined) return day.test(value) && !Number.isNaN(Date.parse(value)) ? 'date' : 'varchar';
  if (Number.isNaN(Date.parse(value))) return 'varchar';
  return zone === undefined ? 'timestamp' : 'timestamptz';
}

const families: Kind[][] = [
  ['bigint', 'hugeint', 'double'],
  ['date', 'timestamp', 'timestamptz'],
];

/** Holds the values of both: the wider one of a family, text for everything else. */
export function commonKind(a: Kind, b: Kind): Kind {
  if (a === b || b === 'unknown') return a;
  if (a === 'unknown') return b;
  const family = families.find((kinds) => kinds.includes(a) && kinds.includes(b));
  return family ? (family[Math.max(family.indexOf(a), family.indexOf(b))] ?? 'varchar') : 'varchar';
}
