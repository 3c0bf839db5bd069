import { textOn } from '../../echarts/chartColors.ts';
import { automaticColor } from '../colors.ts';
import type { ChartModel } from '../model/arrange.ts';
import { type ArrangedSeries, noRow } from '../model/arrange.ts';
import type { Scale } from '../model/scale.ts';
import { type PointFacts, plainPlace, pointText } from '../model/texts.ts';
import type { DrawnCategories } from './axes.ts';
import type { Look, View } from './view.ts';
import { cellOf, type Drawn, type DrawnSeries, mostMarkers } from './window.ts';

/** Symbols that distinguish series without colours. */
const symbols = ['circle', 'diamond', 'triangle', 'rect'] as const;
export type MarkerSymbol = (typeof symbols)[number];
/** Strokes and gaps in pixels. */
const dashes: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4]];
const mostLabels = 1000;

export const colorOf = ({ color, place }: Pick<ArrangedSeries, 'color' | 'place'>, { options, colors, count }: Look): string =>
  color ?? automaticColor(options.color_scheme, place, count, colors.series);

/** A palette that begins again, or eyes that ask for more than colours. Empty is a whole line. */
export const dashOf = (place: number, { hasPatterns, colors }: Pick<Look, 'hasPatterns' | 'colors'>): readonly number[] =>
  dashes[(hasPatterns ? place : Math.floor(place / colors.series.length)) % dashes.length] ?? [];

/** Bars whose colour was used before are hatched. */
function hatchOf(place: number, view: View): object {
  const isRepeated = !view.hasPatterns && place >= view.colors.series.length;
  if (!isRepeated) return {};
  const rotation = (Math.floor(place / view.colors.series.length) % 2 ? -1 : 1) * (Math.PI / 4);
  return { decal: { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 4], rotation, color: view.colors.paper } };
}

export const symbolOf = (place: number): MarkerSymbol => symbols[place % symbols.length] ?? 'circle';

/** The coordinates of a point in ECharts. */
export type Placed = (series: ArrangedSeries, at: number) => [x: number, y: number] | null;

export function placer(categories: DrawnCategories | null): Placed {
  return ({ x, y }, at) => {
    const place = x[at] ?? 0;
    const across = categories ? categories.placeOf(place) : place;
    return across === undefined ? null : [across, y[at] ?? Number.NaN];
  };
}

type Item = (number | null)[] | { value: (number | null)[]; symbolSize: number };
/** Few points as items, many as a flat array. */
type Data = Item[] | Float64Array;

/** The drawn points of a series. */
class Points {
  readonly at: number[] = [];
  readonly #flat: number[] = [];

  add(at: number, across: number, up: number): void {
    this.at.push(at);
    this.#flat.push(across, up);
  }

  point(index: number): [across: number, up: number] {
    return [this.#flat[index * 2] ?? Number.NaN, this.#flat[index * 2 + 1] ?? Number.NaN];
  }

  isGap(index: number): boolean {
    const [across, up] = this.point(index);
    return Number.isNaN(across) || Number.isNaN(up);
  }

  /** Points between two gaps: they have no line and need a mark. */
  lonely(): Set<number> {
    const found = new Set<number>();
    for (let index = 0; index < this.at.length; index += 1) {
      if (!this.isGap(index) && this.isGap(index - 1) && this.isGap(index + 1)) found.add(index);
    }
    return found;
  }

  data(lonely: ReadonlySet<number>, isFlat: boolean): Data {
    if (isFlat) return Float64Array.from(this.#flat);
    return this.at.map((_, index) => {
      const value = this.point(index).map((part) => (Number.isNaN(part) ? null : part));
      return lonely.has(index) ? { value, symbolSize: 6 } : value;
    });
  }
}

function pointsOf({ series, kept }: DrawnSeries, placed: Placed, isSwapped: boolean, isLog: boolean): Points {
  const points = new Points();
  for (const at of kept) {
    const point = placed(series, at);
    if (!point) continue;
    const [x, y] = point;
    const value = isLog && y <= 0 ? Number.NaN : y;
    if (isSwapped) points.add(at, value, x);
    else points.add(at, x, value);
  }
  return points;
}

export interface SeriesDrawing {
  option: Record<string, unknown>;
  /** The unseen line that a line above a gap stands on. */
  base?: Record<string, unknown>;
  series: ArrangedSeries;
  /** The index of the point in the series for each item. */
  at: readonly number[];
  /** The coordinates of an item on the two axes. */
  point: (index: number) => [across: number, up: number];
}

const manyPoints = 1000;

/** The lines of one stack so far: their sum at each item, and whether one of them has a gap. */
interface Below {
  sums: number[];
  hasGap: boolean;
}

/** Line, column, area, scatter and bubble; boxes and errors are custom drawings elsewhere. */
export function seriesDrawings(model: ChartModel, drawn: Drawn, view: View): SeriesDrawing[] {
  const { options } = view;
  const isSwapped = options.swappedAxes === true;
  const placed = placer(drawn.categories);
  const stacks = new Map<string, Below>();
  return drawn.series.flatMap((one): SeriesDrawing[] => {
    const { series } = one;
    if (series.type === 'box') return [];
    const points = pointsOf(one, placed, isSwapped, model.y[series.axis].type === 'log');
    const { at } = points;
    const lonely = series.type === 'line' || series.type === 'area' ? points.lonely() : new Set<number>();
    const isFlat = at.length > manyPoints && lonely.size === 0 && series.stack === null && !drawn.categories;
    const color = colorOf(series, view);
    const isBar = series.type === 'column';
    const hasLabels = options.showDataLabels && at.length <= mostLabels;
    const isInside = isBar && (series.stack !== null || (!isSwapped && hasRoom(model, view, one, drawn)));
    const stack = series.stack && `${series.stack} ${series.axis}`;
    const below = stack && series.stack === 'lines' ? stacks.get(stack) : undefined;
    if (stack && series.stack === 'lines') stacks.set(stack, withPoints(below, points, isSwapped));
    const option = {
      ...looks[series.type]({ view, series, at, color, hasLonely: lonely.size > 0 }),
      name: series.name,
      data: points.data(lonely, isFlat),
      ...(isSwapped ? { xAxisIndex: series.axis } : { yAxisIndex: series.axis }),
      ...(stack && { stack, stackStrategy: series.stack === 'bars' ? 'samesign' : 'all' }),
      itemStyle: {
        color,
        ...(isBar && hatchOf(series.place, view)),
        ...(series.type === 'bubble' && { opacity: 0.65 }),
        ...(series.type === 'scatter' && { opacity: 0.85 }),
      },
      emphasis: { focus: 'none', scale: false },
      cursor: options.enableLink ? 'pointer' : 'default',
      label: {
        show: hasLabels,
        padding: [0, 3],
        position: isInside ? 'inside' : isBar ? 'outside' : 'top',
        color: isInside ? textOn(color) : view.colors.ink,
        // A label larger than its bar stays readable.
        ...(isInside && { textBorderColor: color, textBorderWidth: 3 }),
        formatter: ({ dataIndex }: { dataIndex: number }) => labelOf(model, view, series, at[dataIndex] ?? 0),
      },
      labelLayout: { hideOverlap: true },
    };
    const drawing: SeriesDrawing = { option, series, at, point: (index: number) => points.point(index) };
    return [below?.hasGap ? onBase(drawing, below.sums, isSwapped) : drawing];
  });
}

function withPoints(below: Below | undefined, points: Points, isSwapped: boolean): Below {
  const values = points.at.map((_, index) => points.point(index)[isSwapped ? 0 : 1]);
  return {
    sums: values.map((value, index) => (below?.sums[index] ?? 0) + (value || 0)),
    hasGap: below?.hasGap || values.some(Number.isNaN),
  };
}

/**
 * visualizations 5.5: a gap does not reset the running total, but ECharts adds what is next below, be it a gap. So a line above a gap has a
 * stack of its own, on an unseen line through the running total.
 */
function onBase(drawing: SeriesDrawing, sums: readonly number[], isSwapped: boolean): SeriesDrawing {
  const { series, at, option, point } = drawing;
  const { type, step, smooth, smoothMonotone, xAxisIndex, yAxisIndex } = option;
  const stack = `${option.stack} ${series.key}`;
  const base = {
    ...{ type, step, smooth, smoothMonotone, xAxisIndex, yAxisIndex, stack },
    data: at.map((_, index) => (isSwapped ? [sums[index], point(index)[1]] : [point(index)[0], sums[index]])),
    silent: true,
    showSymbol: false,
    lineStyle: { width: 0 },
    tooltip: { show: false },
  };
  // Bases come after all drawings, whose indices are their places.
  return { ...drawing, option: { ...option, stack, stackOrder: 'seriesDesc' }, base };
}

const labelOf = (model: ChartModel, view: View, series: ArrangedSeries, at: number): string =>
  Number.isNaN(series.value[at] ?? Number.NaN) ? '' : pointText(view.options.textFormat, factsOf(model, view, series, at));

const letterPx = 7;

/** Whether the longest of its labels fits into a bar of this series. */
function hasRoom(model: ChartModel, view: View, { series, kept }: DrawnSeries, { series: all, categories }: Drawn): boolean {
  const bars = all.filter(({ series: other }) => other.type === 'column').length;
  const room = (view.width * 0.7) / Math.max(1, categories?.labels.length ?? kept.length) / Math.max(1, bars);
  return [...kept.subarray(0, 100)].every((at) => labelOf(model, view, series, at).length * letterPx <= room);
}

interface Drawing {
  view: View;
  series: ArrangedSeries;
  at: readonly number[];
  color: string;
  hasLonely: boolean;
}

const steps = { linear: false, spline: false, hv: 'end', vh: 'start' } as const;

const dashType = (dash: readonly number[]) => (dash.length === 0 ? 'solid' : [...dash]);

function line({ view, series, at, hasLonely }: Drawing) {
  const { lineShape } = view.options;
  return {
    type: 'line',
    step: steps[lineShape],
    smooth: lineShape === 'spline' ? 0.4 : false,
    ...(lineShape === 'spline' && { smoothMonotone: view.options.swappedAxes ? 'y' : 'x' }),
    lineStyle: {
      width: at.length > view.width ? 1.25 : 2,
      type: dashType(dashOf(series.place, view)),
    },
    showSymbol: hasLonely || (view.options.showDataLabels && at.length <= mostLabels),
    symbolSize: hasLonely ? 0 : 5,
    symbol: symbolOf(series.place),
    connectNulls: false,
  };
}

const looks: Readonly<Record<Exclude<ArrangedSeries['type'], 'box'>, (drawing: Drawing) => Record<string, unknown>>> = {
  line,
  area: (drawing) => ({ ...line(drawing), areaStyle: { color: drawing.color, opacity: drawing.series.stack ? 0.55 : 0.22 } }),
  column: ({ at }) => ({ type: 'bar', barMaxWidth: 96, ...(at.length > 2000 && { progressive: 1000 }) }),
  scatter: ({ view, series, at }) => ({
    type: 'scatter',
    symbol: symbolOf(series.place),
    symbolSize: at.length > 5000 ? Math.max(4, Math.ceil(cellOf(view, mostMarkers / view.count))) : at.length > 1000 ? 5 : 8,
    ...(at.length > 5000 && { large: true, largeThreshold: 5000, symbol: 'circle' }),
  }),
  bubble: ({ view, series, at }) => ({
    type: 'scatter',
    symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) => bubbleSize(series.size?.[at[dataIndex] ?? 0] ?? 0, view.options),
  }),
};

const [smallest, largest] = [3, 300];

/** visualizations 5.4: the size column times the coefficient is the diameter, or the area. */
function bubbleSize(size: number, { coefficient, sizemode }: Pick<View['options'], 'coefficient' | 'sizemode'>): number {
  const scaled = Math.abs(size * coefficient);
  const diameter = sizemode === 'area' ? 2 * Math.sqrt(scaled / Math.PI) : scaled;
  return Math.min(largest, Math.max(smallest, diameter || 0));
}

const isMarker = ({ type }: ArrangedSeries): boolean => type === 'scatter' || type === 'bubble';
const isPlaced = (series: ArrangedSeries, scale: Scale): boolean => isMarker(series) || scale.type === 'time';

/** visualizations 5.14: what an address gets of a point. */
export function linkPointOf(model: ChartModel, series: ArrangedSeries, at: number): { x: string; y: string } {
  const [scale, value] = [model.y[series.axis], series.value[at] ?? Number.NaN];
  return {
    x: plainPlace(series.x[at] ?? Number.NaN, model.x),
    y: plainPlace(value, isPlaced(series, scale) ? scale : { type: 'value', categories: [] }),
  };
}

export function factsOf(model: ChartModel, view: View, series: ArrangedSeries, at: number): PointFacts {
  const { texts, isMomentX, options } = view;
  const scale = model.y[series.axis];
  const row = series.row[at] ?? noRow;
  return {
    name: series.name,
    x: texts.place(series.x[at] ?? 0, model.x, isMomentX),
    y: isPlaced(series, scale) ? texts.place(series.value[at] ?? 0, scale, false) : texts.number(series.value[at]),
    percent: series.percent ? texts.percent(series.percent[at]) : undefined,
    error: series.error && options.error_y.visible && options.series.error_y.visible ? texts.number(series.error[at]) : undefined,
    size: series.size && series.type === 'bubble' ? texts.number(series.size[at]) : undefined,
    row: row === noRow ? undefined : model.rows[row],
  };
}
