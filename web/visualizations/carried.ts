import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import type { StoredOptions } from './define.ts';

/** The columns that a visualization of any kind shows. */
interface Shown {
  /** Along x, or what things are called. */
  label?: string | undefined;
  value?: string | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Where each kind keeps which columns it shows. */
const readers: Readonly<Record<string, (options: StoredOptions) => Shown>> = {
  CHART: ({ columnMapping }) => {
    const named = (role: string) => Object.entries(record(columnMapping)).find(([, value]) => value === role)?.[0];
    return { label: named('x'), value: named('y') ?? named('zVal') };
  },
  COUNTER: ({ counterColName }) => ({ value: text(counterColName) }),
  FUNNEL: ({ stepCol, valueCol }) => ({ label: text(record(stepCol).colName), value: text(record(valueCol).colName) }),
};

const writers: Readonly<Record<string, (shown: Shown) => StoredOptions>> = {
  CHART: ({ label, value }) => (label && value ? { columnMapping: { [label]: 'x', [value]: 'y' } } : {}),
  COUNTER: ({ value }) => (value ? { counterColName: value } : {}),
  FUNNEL: ({ label, value }) => ({ ...(label && { stepCol: { colName: label } }), ...(value && { valueCol: { colName: value } }) }),
};

/** What of one kind's options fits another kind: the columns that it shows, as far as the result still has them. */
export function carriedOptions(from: string, options: StoredOptions, to: string, columns: readonly ResultColumn[]): StoredOptions {
  const read = Object.hasOwn(readers, from) ? readers[from] : undefined;
  const write = Object.hasOwn(writers, to) ? writers[to] : undefined;
  if (!read || !write) return {};
  const { label, value } = read(options);
  const known = (name: string | undefined) => (columns.some((column) => column.name === name) ? name : undefined);
  return write({ label: known(label), value: known(value) });
}
