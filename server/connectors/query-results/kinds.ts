import type { ColumnType } from '@telltale/domain/results/contract.ts';
import { isExactNumber } from '@telltale/domain/results/numbers.ts';

/** The storage kind of a loaded column, from narrow to wide. `unknown` means only nulls so far. */
export type Kind = 'unknown' | 'boolean' | 'bigint' | 'hugeint' | 'double' | 'decimal' | 'date' | 'timestamp' | 'timestamptz' | 'varchar';

const declaredKinds: Record<Exclude<ColumnType, null>, Kind> = {
  integer: 'bigint',
  float: 'double',
  boolean: 'boolean',
  string: 'varchar',
  date: 'date',
  datetime: 'timestamp',
};

/** The kind before the first value, from the declared type. */
export const kindOfColumn = (type: ColumnType): Kind => (type === null ? 'unknown' : declaredKinds[type]);

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;
const day = /^\d{4}-\d{2}-\d{2}$/;

const decimalText = /^[+-]?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** The kind that a stored value needs. A number that a double cannot hold is stored as a text in a column of numbers (design 8). */
export function kindOf(value: unknown, column: ColumnType): Kind {
  if (value === null || value === undefined) return 'unknown';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return column !== 'float' && Number.isInteger(value) ? kindOfInteger(value) : 'double';
  if (typeof value !== 'string') return 'varchar';
  if (column === 'integer' && /^-?\d+$/.test(value)) return kindOfInteger(value);
  if (column === 'integer' || column === 'float') return kindOfDecimal(value);
  if (column === 'date' || column === 'datetime') return kindOfTime(value);
  return 'varchar';
}

function kindOfInteger(value: number | string): Kind {
  if (Number.isSafeInteger(value)) return 'bigint';
  const exact = BigInt(value);
  if (BigInt.asIntN(64, exact) === exact) return 'bigint';
  // Larger numbers only keep their digits as a text.
  return BigInt.asIntN(128, exact) === exact ? 'hugeint' : 'varchar';
}

function kindOfDecimal(value: string): Kind {
  if (!/\d/.test(value) || !decimalText.test(value)) return 'varchar';
  return isExactNumber(value) ? 'double' : 'decimal';
}

/** The widest decimal; numbers with more digits are kept as text. */
export const decimalWidth = 38;

/** The number of digits before and after the decimal point. */
export interface Digits {
  whole: number;
  scale: number;
}

export const noDigits: Digits = { whole: 0, scale: 0 };
export const moreDigits = (a: Digits, b: Digits): Digits => ({ whole: Math.max(a.whole, b.whole), scale: Math.max(a.scale, b.scale) });

export function digitsOf(value: unknown): Digits {
  if (value === null || value === undefined) return noDigits;
  const [, before = '', after = '', exponent = '0'] = decimalText.exec(String(value)) ?? [];
  const shift = Number(exponent);
  const whole = before.replace(/^0+/, '').length + shift;
  return { whole: Math.max(0, whole), scale: Math.max(0, after.replace(/0+$/, '').length - shift) };
}

/** Returns the number as an integer in units of its last decimal place. */
export function unscaled(value: unknown, scale: number): bigint {
  const text = String(value);
  const [, before = '', after = '', exponent = '0'] = decimalText.exec(text) ?? [];
  const power = scale + Number(exponent) - after.length;
  const digits = before + after;
  const shifted = power >= 0 ? digits + '0'.repeat(power) : digits.slice(0, power);
  return text.startsWith('-') ? -BigInt(shifted || '0') : BigInt(shifted || '0');
}

function kindOfTime(value: string): Kind {
  const [whole, zone] = moment.exec(value) ?? [];
  if (whole === undefined) return day.test(value) && !Number.isNaN(Date.parse(value)) ? 'date' : 'varchar';
  if (Number.isNaN(Date.parse(value))) return 'varchar';
  return zone === undefined ? 'timestamp' : 'timestamptz';
}

const families: Kind[][] = [
  ['bigint', 'hugeint', 'decimal'],
  ['bigint', 'double', 'decimal'],
  ['date', 'timestamp', 'timestamptz'],
];

/** Returns the kind that holds the values of both: the wider one of a family, otherwise text. */
export function commonKind(a: Kind, b: Kind): Kind {
  if (a === b || b === 'unknown') return a;
  if (a === 'unknown') return b;
  // A decimal holds both large integers and fractions exactly.
  if ([a, b].includes('hugeint') && [a, b].includes('double')) return 'decimal';
  const family = families.find((kinds) => kinds.includes(a) && kinds.includes(b));
  return family ? (family[Math.max(family.indexOf(a), family.indexOf(b))] ?? 'varchar') : 'varchar';
}
