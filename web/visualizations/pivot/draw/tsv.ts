import type { DrawingProps } from './drawing.ts';

const plain = (text: string): string => text.replace(/[\t\r\n]+/g, ' ');

/**
 * Tab-separated values: the headings, then a line for each group of rows. Figures are unformatted, so that other programs can read them.
 */
export function tsvOf({
  data,
  rowAttributes,
  colAttributes,
  measure,
}: Pick<DrawingProps, 'data' | 'rowAttributes' | 'colAttributes' | 'measure'>): string {
  const { rowKeys, colKeys, result } = data;
  const heads = colKeys.length > 0 ? colKeys.map((key) => key.join('-')) : [measure];
  const cells = (row: number | undefined) => (colKeys.length > 0 ? colKeys.map((_, col) => result(row, col)) : [result(row, undefined)]);
  const lines = rowKeys.length > 0 ? rowKeys.map((key, row) => [...key, ...cells(row)]) : [cells(undefined)];
  const head = rowAttributes.length > 0 || colAttributes.length > 0 ? [...rowAttributes, ...heads] : heads;
  return [head, ...lines].map((line) => line.map((value) => plain(value === null ? '' : String(value))).join('\t')).join('\n');
}
