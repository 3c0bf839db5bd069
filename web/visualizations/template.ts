import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { plainText } from './cellValue.ts';

/** The value for a name; undefined keeps the placeholder. */
export type Lookup = (name: string) => unknown;

/** visualizations 2.7, and names with spaces as they are or as `{{ [my column] }}` (complaint 36). Escapes nothing. */
export function fillTemplate(template: string, lookup: Lookup): string {
  if (!template.includes('{{')) return template;
  return template.replace(/\{\{([^{}]+)\}\}/g, (placeholder, inner: string) => {
    const name = inner.trim();
    const found = lookup(name);
    const value = found === undefined && /^\[.*\]$/.test(name) ? lookup(name.slice(1, -1)) : found;
    return value === undefined ? placeholder : plainText(value);
  });
}

/** All columns of the row, and `@` for the current value. */
export function rowLookup(row: ResultRow, own: unknown): Lookup {
  return (name) => {
    if (name === '@') return own === undefined ? null : own;
    return Object.hasOwn(row, name) ? row[name] : undefined;
  };
}
