import type { PivotData } from '../data/pivotData.ts';
import type { RendererName } from '../pivotOptions.ts';

/** The heat of a cell from 0 to 1; undefined for no colour. */
export type Heat = (row: number | undefined, col: number | undefined) => number | undefined;

const none: Heat = () => undefined;

/** visualizations 12: relative to all cells, those of its column, or those of its row. */
export function heatOf(
  data: PivotData,
  rows: readonly (number | undefined)[],
  cols: readonly (number | undefined)[],
  name: RendererName,
): Heat {
  if (!name.endsWith('Heatmap')) return none;
  const ranges = new Map<number | undefined, { min: number; max: number }>();
  const groupOf = (row: number | undefined, col: number | undefined) =>
    name === 'Table Heatmap' ? undefined : name === 'Table Col Heatmap' ? (col ?? -1) : (row ?? -1);
  for (const row of rows) {
    for (const col of cols) {
      const value = data.result(row, col);
      if (typeof value !== 'number' || !Number.isFinite(value)) continue;
      const range = ranges.get(groupOf(row, col));
      if (!range) ranges.set(groupOf(row, col), { min: value, max: value });
      else {
        range.min = Math.min(range.min, value);
        range.max = Math.max(range.max, value);
      }
    }
  }
  return (row, col) => {
    const value = data.result(row, col);
    const range = ranges.get(groupOf(row, col));
    if (typeof value !== 'number' || !Number.isFinite(value) || !range) return undefined;
    return range.max === range.min ? 0.5 : (value - range.min) / (range.max - range.min);
  };
}
