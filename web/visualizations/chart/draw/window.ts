import type { ArrangedSeries, ChartModel } from '../model/arrange.ts';
import { extentOf, joined, type Range } from '../model/ranges.ts';
import { lowerBound, peaks, thinned } from '../model/reduce.ts';
import type { DrawnCategories } from './axes.ts';
import type { View } from './view.ts';

/** The drawn points of a series. */
export interface DrawnSeries {
  series: ArrangedSeries;
  kept: Uint32Array;
}

export interface Drawn {
  series: DrawnSeries[];
  categories: DrawnCategories | null;
}

/** The number of markers that one series may always have, and the limit of all together. */
const fewMarkers = 5000;
export const mostMarkers = 50_000;

/** The visible points of a million in this window, peaks included; zooming in computes more detail. */
export function drawnPoints(model: ChartModel, view: View): Drawn {
  const { x: range } = view.zoom;
  const isCategory = model.x.type === 'category';
  const sides = new Map<'bars' | 'lines', Uint32Array>();
  const series = model.series.map((one): DrawnSeries => {
    if (one.type === 'box') return { series: one, kept: allOf(one.x) };
    const shared = one.stack ? sides.get(one.stack) : undefined;
    if (shared) return { series: one, kept: shared };
    const kept = keptOf(one, model, view, range);
    if (one.stack) sides.set(one.stack, kept);
    return { series: one, kept };
  });
  return { series, categories: isCategory ? drawnCategories(model, series, view) : null };
}

function keptOf(series: ArrangedSeries, model: ChartModel, view: View, range: Range | null): Uint32Array {
  const pixels = Math.max(50, Math.ceil(view.options.swappedAxes ? view.height : view.width));
  if (series.type === 'scatter' || series.type === 'bubble') return markersOf(series, view, range, mostMarkers / model.series.length);
  const [from, to] = range && view.options.sortX ? placesIn(series.x, range) : [0, series.x.length];
  // Adjacent bars need a minimum width.
  const detail = series.type === 'column' ? Math.max(20, Math.floor(pixels / 4)) : pixels;
  return peaks(series.x, series.stack ? totalOf(series, model) : series.y, from, to, detail);
}

/** The places in the range and one more on either side, so that lines go on to the edge. */
function placesIn(x: Float64Array, [low, high]: Range): [number, number] {
  return [Math.max(0, lowerBound(x, low) - 1), Math.min(x.length, lowerBound(x, high) + 2)];
}

/** The outline of a stack: the top of its last member, or of the one below where that has a gap. */
function totalOf({ stack }: ArrangedSeries, model: ChartModel): Float64Array {
  const members = model.series.filter((one) => one.stack === stack).reverse();
  const [last, ...others] = members.map(({ top }) => top);
  if (!last?.some(Number.isNaN)) return last ?? new Float64Array();
  return last.map((top, at) => (Number.isNaN(top) ? (others.find((other) => !Number.isNaN(other[at] ?? Number.NaN))?.[at] ?? top) : top));
}

function allOf({ length }: Float64Array): Uint32Array {
  const all = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) all[at] = at;
  return all;
}

function markersOf({ x, y }: ArrangedSeries, view: View, range: Range | null, most: number): Uint32Array {
  if (x.length <= fewMarkers && !range) return allOf(x);
  const across = range ?? extentOf(x) ?? [0, 1];
  const up = view.zoom.y[0] ?? extentOf(y) ?? [0, 1];
  const cell = cellOf(view, most);
  return thinned(x, y, { x: across, y: up }, { across: view.width / cell, up: view.height / cell });
}

/** The size of a cell: small enough that markers cover omitted points, large enough that there are not too many. */
export const cellOf = ({ width, height }: Pick<View, 'width' | 'height'>, most: number): number =>
  Math.max(2, Math.sqrt((width * height) / Math.max(100, most)));

function drawnCategories(model: ChartModel, series: readonly DrawnSeries[], view: View): DrawnCategories {
  const { categories } = model.x;
  const [low, high] = view.zoom.x ?? [0, categories.length - 1];
  const first = Math.max(0, Math.round(low));
  const last = Math.min(categories.length - 1, Math.round(high));
  const labelOf = (place: number) => view.texts.raw(categories[place], view.isMomentX);
  const most = 2 * Math.max(200, Math.ceil(view.width));
  if (last - first < most) {
    return {
      labels: Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => labelOf(first + at)),
      placeOf: (place) => (place >= first && place <= last ? place - first : undefined),
      at: (index) => first + index,
    };
  }
  const shown = new Set<number>();
  for (const {
    series: { x },
    kept,
  } of series)
    for (const at of kept) shown.add(x[at] ?? 0);
  const places = [...shown].filter((place) => place >= first && place <= last).sort((a, b) => a - b);
  const index = new Map(places.map((place, at) => [place, at]));
  return { labels: places.map(labelOf), placeOf: (place) => index.get(place), at: (at) => places[at] ?? first };
}

/** The range of all x values; the end of zooming out. */
export function wholeRange(model: ChartModel): Range | null {
  if (model.x.type === 'category') return model.x.categories.length > 0 ? [0, model.x.categories.length - 1] : null;
  return model.series.reduce<Range | undefined>((all, { x }) => joined(all, extentOf(x)), undefined) ?? null;
}
