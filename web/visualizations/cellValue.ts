import type { ResultRow } from '@telltale/domain/results/contract.ts';

/** Reads one column of a row. A column may be called `constructor`: only own keys of a row count. */
export function cellReader(name: string): (row: ResultRow) => unknown {
  return name in Object.prototype ? (row) => (Object.hasOwn(row, name) ? row[name] : undefined) : (row) => row[name];
}

/** visualizations 2.1: a nested value becomes its JSON text. Null has no text. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return String(value);
  }
}
