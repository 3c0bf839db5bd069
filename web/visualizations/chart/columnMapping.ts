import type { ChartOptions } from './chartOptions.ts';

export const roles = ['x', 'y', 'series', 'yError', 'size', 'zVal', 'unused'] as const;
export type Role = (typeof roles)[number];

/** visualizations 5.2: these older values act as `series`. */
const seriesRoles = ['series', 'multiFilter', 'multi-filter'];

export interface Mapping {
  x: string | undefined;
  y: string[];
  series: string | undefined;
  yError: string | undefined;
  size: string | undefined;
  zVal: string | undefined;
}

/** The mapping by column; the y columns are in the order of the query, so that the result decides and not the history of clicks. */
export function mappingOf({ columnMapping }: Pick<ChartOptions, 'columnMapping'>, columns: readonly { name: string }[]): Mapping {
  const named = (role: (value: unknown) => boolean) =>
    columns.filter(({ name }) => Object.hasOwn(columnMapping, name) && role(columnMapping[name])).map(({ name }) => name);
  const last = (role: Role) => named((value) => value === role).at(-1);
  return {
    x: last('x'),
    y: named((value) => value === 'y'),
    series: named((value) => typeof value === 'string' && seriesRoles.includes(value)).at(-1),
    yError: last('yError'),
    size: last('size'),
    zVal: last('zVal'),
  };
}

/** Columns that are mapped but not in the result. */
export function missingColumns({ columnMapping }: Pick<ChartOptions, 'columnMapping'>, columns: readonly { name: string }[]): string[] {
  const known = new Set(columns.map(({ name }) => name));
  return Object.entries(columnMapping).flatMap(([name, role]) => (role !== 'unused' && !known.has(name) ? [name] : []));
}

/** visualizations 5.16: a column has one role; assigning a role removes it from other columns. */
export function withRole(mapping: Record<string, unknown>, role: Role, names: readonly string[]): Record<string, unknown> {
  const isOld = (value: unknown) => value === role || (role === 'series' && seriesRoles.includes(String(value)));
  const kept = Object.entries(mapping).map(([name, value]): [string, unknown] => [name, isOld(value) ? 'unused' : value]);
  return fromEntries([...kept, ...names.map((name): [string, unknown] => [name, role])]);
}

/** Unlike an assignment, this treats `__proto__` as an ordinary name. */
const fromEntries = (entries: [string, unknown][]): Record<string, unknown> => Object.fromEntries(entries);
