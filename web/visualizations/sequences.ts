import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { cellReader, plainText } from './cellValue.ts';
import { isNumeric } from './firstColumn.ts';
import { numericValue } from './numericValue.ts';

/** visualizations 13, 14: paths of stages with a size, as SANKEY and SUNBURST_SEQUENCE read them. */
const mostStages = 5;

/** `value`, or the last column of numbers if there is none of that name (complaint 35). */
export const valueColumn = (columns: readonly ResultColumn[]): string | null =>
  columns.find(({ name }) => name === 'value')?.name ?? columns.findLast(isNumeric)?.name ?? null;

/** The other columns, by name; a filter column is no stage. */
export const stageColumns = (columns: readonly ResultColumn[], value: string | null): string[] =>
  columns
    .map(({ name }) => name)
    .filter((name) => name !== value)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    .slice(0, mostStages);

/** A whole number that is not negative; any other value counts as 0. */
export function amount(value: unknown): number {
  const number = numericValue(value);
  return number === null || number < 0 || number > Number.MAX_SAFE_INTEGER ? 0 : Math.trunc(number);
}

const longestName = 200;

/** The text of a stage; undefined where there is none. */
export function stageReader(column: string): (row: ResultRow) => string | undefined {
  const read = cellReader(column);
  return (row) => {
    const text = plainText(read(row));
    return text === '' ? undefined : text.slice(0, longestName);
  };
}

/** Colours in order of appearance of the names. */
export function colorsByName(palette: readonly string[]): (name: string) => string {
  const places = new Map<string, number>();
  return (name) => {
    const place = places.get(name) ?? places.size;
    places.set(name, place);
    return palette[place % palette.length] ?? '#868e96';
  };
}
