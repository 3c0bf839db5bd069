import { cellReader } from '../../cellValue.ts';
import type { ResultTable } from '../../resultTable.ts';
import type { Sliced } from '../../table/view/sliced.ts';
import type { ChartOptions } from '../chartOptions.ts';
import { mappingOf, missingColumns } from '../columnMapping.ts';
import { type Scale, scaleOf, sortedPlaces } from './scale.ts';
import { cleanNumber } from './values.ts';

export interface HeatmapModel {
  /** Unique values, in the order in which they are drawn, from the left and from the bottom. */
  x: unknown[];
  y: unknown[];
  /** Row by row of y; cells without a row are 0. */
  values: Float64Array;
  /** The row of the result that gave a cell its value. */
  rows: Uint32Array;
  min: number;
  max: number;
  notes: string[];
}

export type HeatmapOptions = Pick<ChartOptions, 'columnMapping' | 'sortX' | 'sortY' | 'reverseX' | 'reverseY'>;

const mostCells = 250_000;
const rowsAtOnce = 2048;
export const noRow = 0xffffffff;

/** visualizations 5.11: the first row of a cell counts. */
export function* heatmapModel(table: ResultTable, options: HeatmapOptions): Sliced<HeatmapModel> {
  const mapping = mappingOf(options, table.columns);
  const [yColumn] = mapping.y;
  const readX = mapping.x === undefined ? () => 0 : cellReader(mapping.x);
  const readY = yColumn === undefined ? () => 0 : cellReader(yColumn);
  const readZ = mapping.zVal === undefined ? null : cellReader(mapping.zVal);
  const [x, y] = [scaleOf('category'), scaleOf('category')];
  const cells: { x: number; y: number; z: number; row: number }[] = [];
  const taken = new Set<number>();
  const notes: string[] = [];
  for (let at = 0; at < table.rows.length; at += 1) {
    if (at % rowsAtOnce === 0) yield at / table.rows.length;
    const row = table.rows[at];
    if (row === undefined) continue;
    const [placeX, placeY] = [x.placeOf(readX(row)), y.placeOf(readY(row))];
    if (x.categories.length * y.categories.length > mostCells) {
      notes.push(`Only the first ${at.toLocaleString('en')} rows are drawn: there are too many cells.`);
      break;
    }
    // Both are below the number of cells, so the key is exact.
    const key = placeX * mostCells + placeY;
    if (taken.has(key)) continue;
    taken.add(key);
    cells.push({ x: placeX, y: placeY, z: readZ ? cleanNumber(readZ(row)) : 0, row: at });
  }
  const across = yield* orderOf(x, options.sortX, options.reverseX === true);
  const up = yield* orderOf(y, options.sortY === true, options.reverseY === true);
  const values = new Float64Array(across.places.length * up.places.length);
  const rows = new Uint32Array(values.length).fill(noRow);
  for (const cell of cells) {
    const place = (up.places[cell.y] ?? 0) * across.places.length + (across.places[cell.x] ?? 0);
    values[place] = Number.isNaN(cell.z) ? 0 : cell.z;
    rows[place] = cell.row;
  }
  const absent = missingColumns(options, table.columns);
  if (absent.length > 0) notes.push(`Not in the result: ${absent.slice(0, 5).join(', ')}.`);
  else if (!readZ) notes.push('Choose a Color Column.');
  return { x: across.values, y: up.values, values, rows, ...extentOf(values), notes };
}

/** Sorts, then reverses. */
function* orderOf({ categories }: Scale, isSorted: boolean, isReversed: boolean): Sliced<{ values: unknown[]; places: Uint32Array }> {
  const last = categories.length - 1;
  const sorted = isSorted ? yield* sortedPlaces(categories) : Uint32Array.from(categories, (_, at) => at);
  const places = isReversed ? sorted.map((place) => last - place) : sorted;
  const values: unknown[] = new Array(categories.length).fill(null);
  for (const [at, category] of categories.entries()) values[places[at] ?? at] = category;
  return { values, places };
}

function extentOf(values: Float64Array): { min: number; max: number } {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? { min, max } : { min: 0, max: 0 };
}
