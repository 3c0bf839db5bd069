import type { ColumnType, ResultRow } from '@telltale/domain/results/contract.ts';
import { dateFormatter } from '@telltale/domain/visualizations/date-format.ts';
import { instantOf } from '@telltale/domain/visualizations/instant.ts';
import { cellReader, plainText } from '../cellValue.ts';
import type { DisplaySettings } from '../displaySettings.ts';
import { isDeepEqual } from '../isDeepEqual.ts';
import type { ResultTable } from '../resultTable.ts';
import { filterKindOf, filterLabel } from './columnName.ts';

/** Chosen values, or all, including those of later refreshes. */
export type FilterChoice = 'all' | readonly unknown[];
/** Choices by column name. A column without one has its initial choice. */
export type FilterChoices = ReadonlyMap<string, FilterChoice>;
export const noChoices: FilterChoices = new Map();

interface ChoicesOf {
  /** The result that the choices belong to. */
  data: unknown;
  /** The choices of the dashboard. */
  imposed: FilterChoices;
  choices: FilterChoices;
}

/**
 * visualizations 2.3: a refresh resets the choices of a widget and keeps those of a query page; then those win that the dashboard has
 * changed. A choice that the widget has changed itself stays until then.
 */
export function nextChoices(before: ChoicesOf, data: unknown, imposed: FilterChoices, isKept: boolean): FilterChoices {
  const isReset = before.data !== data && !isKept;
  if (!isReset && before.imposed === imposed) return before.choices;
  if (isReset) return new Map(imposed);
  const names = new Set([...before.imposed.keys(), ...imposed.keys()]);
  const isOwn = (name: string) => before.choices.get(name) !== before.imposed.get(name);
  const pushed = [...names].filter((name) => !isOwn(name) || !isDeepEqual(before.imposed.get(name), imposed.get(name)));
  const next = new Map(before.choices);
  for (const name of pushed) {
    const choice = imposed.get(name);
    if (choice === undefined) next.delete(name);
    else next.set(name, choice);
  }
  return next;
}

/** visualizations 2.3: one control above the picture. */
export interface ResultFilter {
  /** The column name with its suffix. */
  name: string;
  label: string;
  type: ColumnType;
  isMultiple: boolean;
  /** Distinct values, in order of first appearance. */
  values: readonly unknown[];
  /** The chosen ones of `values`. */
  current: readonly unknown[];
}

interface FilterColumn extends Omit<ResultFilter, 'current'> {
  first: unknown;
}

const known = new WeakMap<ResultTable, readonly FilterColumn[]>();

/** Distinct values are determined once per result. */
function filterColumns(table: ResultTable): readonly FilterColumn[] {
  const found = known.get(table);
  if (found) return found;
  const columns = table.columns.flatMap(({ name, type }): FilterColumn[] => {
    const kind = filterKindOf(name);
    if (!kind) return [];
    const [first] = table.rows;
    return [
      {
        name,
        type,
        label: filterLabel(name),
        isMultiple: kind === 'multi-filter',
        values: distinct(table.rows, name, type),
        first: first && cellReader(name)(first),
      },
    ];
  });
  known.set(table, columns);
  return columns;
}

/** `imposed` are those of the choices that the dashboard has made: they stay even where they match nothing. */
export function resultFilters(table: ResultTable, choices: FilterChoices, imposed: FilterChoices = noChoices): ResultFilter[] {
  return filterColumns(table).map(({ first, ...filter }) => {
    const { values, isMultiple, type, name } = filter;
    const initial = isMultiple ? values : values.length > 0 ? [same(values, first, type)] : [];
    const choice = choices.get(name);
    if (choice === undefined || choice === 'all') return { ...filter, current: initial };
    const kept = values.filter(matcher(choice, type));
    const current = isMultiple ? kept : kept.slice(0, 1);
    // A multiple filter may be cleared; what the viewer chose and a refresh has removed is dropped.
    const isEmptyMeant = choice === imposed.get(name) || (isMultiple && choice.length === 0);
    return { ...filter, current: current.length === 0 && !isEmptyMeant ? initial : current };
  });
}

const same = (values: readonly unknown[], value: unknown, type: ColumnType) => values.find(matcher([value], type)) ?? null;

/** 2.3: a row passes when every filter matches one of its chosen values; an empty choice matches nothing. */
export function filteredTable(table: ResultTable, filters: readonly ResultFilter[]): ResultTable {
  const tests = filters
    .filter(({ current, values }) => current.length < values.length)
    .map(({ name, type, current }) => ({ read: cellReader(name), isChosen: matcher(current, type) }));
  if (tests.length === 0) return table;
  const rows = table.rows.filter((row) => tests.every(({ read, isChosen }) => isChosen(read(row))));
  return { ...table, rows, isFiltered: true };
}

const isTemporal = (type: ColumnType) => type === 'date' || type === 'datetime';
const secondOf = (value: unknown): number | undefined => {
  const instant = instantOf(value);
  return instant === undefined ? undefined : Math.floor(instant / 1000);
};

/** Compares by value or by text, so `1` equals `"1"`; moments by their second. Numbers are compared without converting them to text. */
function matcher(chosen: readonly unknown[], type: ColumnType): (value: unknown) => boolean {
  const accepted = new Set<unknown>();
  const seconds = new Set<number>();
  for (const value of chosen) {
    if (value === null || value === undefined) {
      accepted.add(null).add(undefined);
      continue;
    }
    const text = plainText(value);
    accepted.add(text);
    if (text.trim() !== '' && String(Number(text)) === text) accepted.add(Number(text));
    if (text === 'true' || text === 'false') accepted.add(text === 'true');
    const second = isTemporal(type) ? secondOf(value) : undefined;
    if (second !== undefined) seconds.add(second);
  }
  return (value) => {
    if (accepted.has(value)) return true;
    if (seconds.size > 0) {
      const second = secondOf(value);
      if (second !== undefined) return seconds.has(second);
    }
    return typeof value === 'object' && value !== null && accepted.has(plainText(value));
  };
}

function distinct(rows: readonly ResultRow[], name: string, type: ColumnType): unknown[] {
  const read = cellReader(name);
  const raw = new Set<unknown>();
  for (const row of rows) {
    const value = read(row);
    raw.add(typeof value === 'object' && value !== null ? plainText(value) : (value ?? null));
  }
  // Texts are equal only if they are identical.
  const values = [...raw];
  if (!isTemporal(type) && values.every((value) => typeof value === 'string' || value === null)) return values;
  const byText = new Map<unknown, unknown>();
  for (const value of values) {
    const key = value === null ? null : ((isTemporal(type) ? secondOf(value) : undefined) ?? plainText(value));
    if (!byText.has(key)) byText.set(key, value);
  }
  return [...byText.values()];
}

/** Dates in the organisation's formats, null as its null text. */
export function filterValueText(value: unknown, type: ColumnType, { dateFormat, dateTimeFormat, nullValue }: DisplaySettings): string {
  if (value === null || value === undefined) return nullValue;
  if (isTemporal(type)) return dateFormatter(type === 'date' ? dateFormat : dateTimeFormat)(value);
  return plainText(value);
}
