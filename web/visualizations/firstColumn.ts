import type { ColumnType, ResultColumn } from '@telltale/domain/results/contract.ts';

const numberTypes: readonly ColumnType[] = ['integer', 'float'];
const momentTypes: readonly ColumnType[] = ['date', 'datetime'];
export const isNumeric = ({ type }: ResultColumn): boolean => numberTypes.includes(type);
export const isMoment = ({ type }: ResultColumn): boolean => momentTypes.includes(type);

/** The wanted name, where the result has it; else the first column that fits and is not taken (complaint 35). */
export function firstColumn(
  columns: readonly ResultColumn[],
  wanted: { name?: string; fits?: (column: ResultColumn) => boolean; not?: readonly (string | null)[] },
): string | null {
  const { name, fits = () => true, not = [] } = wanted;
  if (name !== undefined && columns.some((column) => column.name === name)) return name;
  return columns.find((column) => fits(column) && !not.includes(column.name))?.name ?? null;
}
