import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { cellReader, plainText } from '../../cellValue.ts';
import type { ResultTable } from '../../resultTable.ts';
import { part, type Sliced } from '../../table/view/sliced.ts';
import { type AxisType, type DataOptions, seriesOptionsOf } from '../chartOptions.ts';
import { type SeriesType, seriesTypes } from '../chartTypes.ts';
import { type Mapping, mappingOf, missingColumns } from '../columnMapping.ts';
import { PointList, type Points, sortedByX, summed } from './points.ts';
import { type Scale, scaleOf, sortedPlaces } from './scale.ts';
import { cleanNumber, isMissing, scaleTypeOf } from './values.ts';

/** One series as the result has it: not yet stacked, independent of which others are visible. */
export interface BaseSeries extends Points {
  /** The name in the options. */
  key: string;
  /** The displayed name. */
  name: string;
  /** Where its values come from. */
  column: string;
  type: SeriesType;
  axis: 0 | 1;
  color: string | undefined;
}

export interface ChartBase {
  x: Scale;
  y: [left: Scale, right: Scale];
  series: BaseSeries[];
  mapping: Mapping;
  rows: readonly ResultRow[];
  /** Notes for the reader about points that are not drawn. */
  notes: string[];
}

/** More series could not be told apart. */
export const mostSeries = 500;
const rowsAtOnce = 2048;
const mostSampled = 1000;

/** visualizations 5.2 and 5.3, in slices. */
export function* chartBase(table: ResultTable, options: DataOptions): Sliced<ChartBase> {
  const mapping = mappingOf(options, table.columns);
  const x = scaleOf(xTypeOf(table, options, mapping));
  const axes = yScales(table, options, mapping);
  const read = yield* part(readSeries(table, options, mapping, x, axes), 0, 0.7);
  const places = options.sortX && x.type === 'category' ? yield* part(sortedPlaces(x.categories), 0.7, 0.7) : null;
  if (places) reorder(x, places);
  const series: BaseSeries[] = [];
  for (const [at, { list, ...one }] of read.series.entries()) {
    const from = 0.7 + (0.3 * at) / read.series.length;
    yield from;
    let points = list.points();
    if (places) for (let place = 0; place < points.x.length; place += 1) points.x[place] = places[points.x[place] ?? 0] ?? 0;
    if (options.sortX) points = yield* part(sortedByX(points), from, from);
    if (isSummed(one.type)) points = yield* part(summed(points), from, from);
    series.push({ ...one, ...points });
  }
  return { x, y: axes, series, mapping, rows: table.rows, notes: [...read.notes, ...absentNotes(table, options, mapping)] };
}

const isSummed = (type: SeriesType): boolean => type === 'line' || type === 'column' || type === 'area';

function xTypeOf({ columns, rows }: ResultTable, options: DataOptions, { x }: Mapping) {
  if (options.globalSeriesType === 'pie') return 'category';
  const asked = options.xAxis.type;
  if (asked === '-' && options.globalSeriesType === 'box') return 'category';
  if (x === undefined) return asked === 'category' ? 'category' : 'value';
  return scaleTypeOf(asked, columns.find(({ name }) => name === x)?.type ?? null, sampleOf(rows, x));
}

function sampleOf(rows: readonly ResultRow[], name: string): unknown[] {
  const read = cellReader(name);
  const step = Math.max(1, Math.floor(rows.length / mostSampled));
  const sample: unknown[] = [];
  for (let at = 0; at < rows.length; at += step) {
    const row = rows[at];
    if (row !== undefined) sample.push(read(row));
  }
  return sample;
}

/** visualizations 5.3: only markers may have a text as y; a chart of nothing but texts gets a category axis. */
function yScales(table: ResultTable, options: DataOptions, { y }: Mapping): [Scale, Scale] {
  const isMarked = options.globalSeriesType === 'scatter' || options.globalSeriesType === 'bubble';
  const typeOf = (asked: AxisType) => {
    if (!isMarked) return asked === 'category' || asked === '-' ? 'value' : scaleTypeOf(asked, null, []);
    const [first] = y;
    if (asked !== 'linear' || first === undefined) return scaleTypeOf(asked, null, []);
    const type = table.columns.find(({ name }) => name === first)?.type ?? null;
    const found = scaleTypeOf('-', type, sampleOf(table.rows, first));
    return found === 'category' || found === 'time' ? found : 'value';
  };
  return [scaleOf(typeOf(options.yAxis[0]?.type ?? 'linear')), scaleOf(typeOf(options.yAxis[1]?.type ?? 'linear'))];
}

function reorder(scale: Scale, places: Uint32Array): void {
  const before = [...scale.categories];
  for (const [at, category] of before.entries()) scale.categories[places[at] ?? at] = category;
}

interface ReadSeries extends Omit<BaseSeries, keyof Points> {
  list: PointList;
}

function* readSeries(table: ResultTable, options: DataOptions, mapping: Mapping, x: Scale, axes: [Scale, Scale]) {
  // A missing x column is no reason to draw everything at 0.
  const isLost = mapping.x === undefined && lostX(table, options);
  const rows = isLost ? [] : table.rows;
  const readX = mapping.x === undefined ? () => 0 : cellReader(mapping.x);
  const readGroup = mapping.series === undefined ? null : cellReader(mapping.series);
  const readError = mapping.yError === undefined ? null : cellReader(mapping.yError);
  const readSize = mapping.size === undefined ? null : cellReader(mapping.size);
  const yColumns = mapping.y.map((name, at) => ({ read: cellReader(name), column: name, name: seriesName(name, mapping.y.slice(0, at)) }));
  const found = new Map<string, ReadSeries>();
  const leftOut = new Set<string>();

  const seriesOf = (key: string, column: string): ReadSeries | undefined => {
    const known = found.get(key);
    if (known) return known;
    if (found.size >= mostSeries) {
      if (leftOut.size < 100_000) leftOut.add(key);
      return undefined;
    }
    const made = { ...describedSeries(key, options), column, list: new PointList(readError !== null, readSize !== null) };
    found.set(key, made);
    return made;
  };
  // Columns without a group are series even when no row has them.
  if (!readGroup) for (const { name, column } of yColumns) seriesOf(name, column);

  for (let at = 0; at < rows.length; at += 1) {
    if (at % rowsAtOnce === 0) yield at / rows.length;
    const row = rows[at];
    if (row === undefined) continue;
    const rawX = readX(row);
    const group = readGroup ? groupName(readGroup(row)) : '';
    for (const column of yColumns) {
      const value = column.read(row);
      if (value === undefined) continue;
      const key = !readGroup ? column.name : yColumns.length > 1 ? `${group} / ${column.name}` : group;
      const series = seriesOf(key, column.column);
      if (!series) continue;
      const place = x.placeOf(rawX);
      if (Number.isNaN(place)) continue;
      const y = yValue(value, series, axes[series.axis], options.missingValuesAsZero);
      if (Number.isNaN(y) && isDropped(series.type)) continue;
      series.list.add(place, y, at, readError ? cleanNumber(readError(row)) || 0 : 0, readSize ? cleanNumber(readSize(row)) : 0);
    }
  }
  const series = [...found.values()];
  const order = new Map(series.map(({ key }) => [key, seriesOptionsOf(options, key).zIndex ?? 0]));
  series.sort((a, b) => (order.get(a.key) ?? 0) - (order.get(b.key) ?? 0));
  const notes = leftOut.size > 0 ? [`Only the first ${mostSeries} of ${leftOut.size + mostSeries} series are drawn.`] : [];
  return { series, notes };
}

/** visualizations 5.2: the name before `::`. Two columns never share a name. */
function seriesName(column: string, before: readonly string[]): string {
  const short = column.split('::', 1)[0] || column;
  return before.some((other) => (other.split('::', 1)[0] || other) === short) ? column : short;
}

const groupName = (value: unknown): string => (value === null || value === undefined ? 'null' : plainText(value));

function describedSeries(key: string, options: DataOptions): Omit<BaseSeries, keyof Points | 'column'> {
  const { name, type, yAxis = 0, color } = seriesOptionsOf(options, key);
  const own = seriesTypes.find((one) => one === type);
  const whole = seriesTypes.find((one) => one === options.globalSeriesType);
  const seriesType = whole ? (own ?? whole) : 'column';
  return { key, name: name || key, type: seriesType, axis: axisFor(seriesType, yAxis, options), color };
}

/** visualizations 5.5 and 5.7: stacked bars and areas, and horizontal charts, have one axis. */
function axisFor(type: SeriesType, asked: 0 | 1, { series: { stacking }, swappedAxes }: DataOptions): 0 | 1 {
  if (swappedAxes || (stacking && type !== 'line')) return 0;
  return asked;
}

const isDropped = (type: SeriesType): boolean => type === 'bubble' || type === 'box' || type === 'scatter';

function yValue(value: unknown, { type }: ReadSeries, scale: Scale, isZero: boolean): number {
  const isMarker = type === 'scatter' || type === 'bubble';
  if (isMarker && scale.type === 'category' && !isMissing(value)) return scale.placeOf(value);
  const number = scale.type === 'category' ? cleanNumber(value) : scale.placeOf(value);
  return Number.isNaN(number) && isZero && type !== 'bubble' && scale.type !== 'time' ? 0 : number;
}

const lostX = (table: ResultTable, options: DataOptions): boolean =>
  missingColumns(options, table.columns).some((name) => options.columnMapping[name] === 'x');

function absentNotes(table: ResultTable, options: DataOptions, { y }: Mapping): string[] {
  const absent = missingColumns(options, table.columns);
  if (absent.length > 0) {
    return [`Not in the result: ${absent.slice(0, 5).join(', ')}${absent.length > 5 ? ` and ${absent.length - 5} more` : ''}.`];
  }
  if (y.length === 0) return ['Choose a column for the Y axis.'];
  return table.rows.length === 0 ? ['The result has no rows.'] : [];
}
