import { fitLabels, middleCut } from '@telltale/domain/visualizations/axis-labels.ts';
import { dateFormatter } from '@telltale/domain/visualizations/date-format.ts';
import type { Separators } from '@telltale/domain/visualizations/number-format.ts';
import { momentTicks, numberTicks, type TickFormatter } from '@telltale/domain/visualizations/tick-format.ts';
import { titleOf } from '../chartOptions.ts';
import type { ArrangedSeries, ChartModel } from '../model/arrange.ts';
import { alignedAtZero, extentOf, joined, type Range } from '../model/ranges.ts';
import type { ScaleType } from '../model/values.ts';
import type { View } from './view.ts';
import { wholeRange } from './window.ts';

export interface AxisOption {
  type: ScaleType;
  min?: number | undefined;
  max?: number | undefined;
  [key: string]: unknown;
}

/** The drawn categories: those in view, fewer where there are more than pixels. */
export interface DrawnCategories {
  labels: string[];
  /** The index of a model's place among the drawn ones; undefined for one that is not drawn. */
  placeOf: (place: number) => number | undefined;
  /** The place of the model at this index. */
  at: (index: number) => number;
}

export function mainAxis(model: ChartModel, view: View, categories: DrawnCategories | null): AxisOption {
  const { options, zoom, colors } = view;
  const { xAxis, reverseX } = options;
  const isAges = model.x.type === 'time' && areAges(zoom.x ?? wholeRange(model));
  const type = isAges ? 'value' : model.x.type;
  const formatter = ticksOf(model.x.type, xAxis.tickFormat, view.separators) ?? (isAges ? yearTicks : undefined);
  const [min, max] = type === 'category' ? [] : (zoom.x ?? []);
  return {
    ...named(titleOf(xAxis)),
    type,
    inverse: reverseX === true,
    ...(type === 'category' ? { data: categories?.labels ?? [] } : { min, max }),
    ...(type === 'value' && model.series.some((one) => one.type === 'bubble') && { boundaryGap: bubbleRoom }),
    ...(type === 'value' && { scale: true, splitLine: { show: false }, axisLine: { show: true, lineStyle: { color: colors.edge } } }),
    axisLabel: {
      show: xAxis.labels.enabled,
      hideOverlap: true,
      ...(type === 'category'
        ? categoryLabels(categories?.labels ?? [], view)
        : { formatter: formatter ?? (type === 'time' ? momentLabels : undefined) }),
      // The ends of a window are seldom round.
      ...(zoom.x && type !== 'category' && { showMinLabel: false, showMaxLabel: false }),
    },
    axisTick: { show: type === 'category' ? false : xAxis.labels.enabled },
  };
}

/** Told apart: shortened in the middle, tilted where that is not enough; on their side as much as is not missed. */
export function categoryLabels(labels: readonly string[], { options, width, height }: Pick<View, 'options' | 'width' | 'height'>): object {
  if (options.swappedAxes) return { formatter: cutter(Math.max(8, Math.floor(Math.min(160, width * 0.3) / 6.6))) };
  const { most, tilt } = fitLabels(labels, width * 0.9, height);
  return { formatter: cutter(most), ...(tilt > 0 && { rotate: tilt }) };
}

export const cutter = (most: number) => (label: string) => middleCut(label, most);

/** Left, and right where a series uses it. */
export function valueAxes(model: ChartModel, view: View): AxisOption[] {
  const { options, zoom } = view;
  const isRightUsed = model.series.some(({ axis }) => axis === 1);
  const ranges = alignedRanges(model, view);
  return ([0, 1] as const).slice(0, isRightUsed ? 2 : 1).map((at) => {
    const stored = options.yAxis[at];
    const scale = model.y[at];
    const own = model.series.filter(({ axis }) => axis === at);
    const isAges = scale.type === 'time' && areAges(extentOfAll(own));
    const type = isAges ? 'value' : scale.type;
    const isPercent = own.some(({ percent }) => percent !== null);
    const ticks = ticksOf(scale.type, stored?.tickFormat, view.separators) ?? (isAges ? yearTicks : undefined);
    const formatter = ticks && isPercent && !stored?.tickFormat ? (value: number) => `${ticks(value)}%` : ticks;
    const range = zoom.y[at] ?? ranges?.[at];
    return {
      ...named(stored ? titleOf(stored) : ''),
      type,
      // Axes of bars and areas include zero; those of lines need not.
      scale: !own.some(({ type: one }) => one === 'column' || one === 'area'),
      ...(own.some(({ type: one }) => one === 'bubble') && { boundaryGap: bubbleRoom }),
      min: range?.[0] ?? bound(stored?.rangeMin, type),
      max: range?.[1] ?? bound(stored?.rangeMax, type),
      ...(at === 1 && { position: 'right' }),
      splitLine: { show: at === 0, ...(range && { showMinLine: false, showMaxLine: false }) },
      ...(type === 'category' && { data: scale.categories.map((category) => view.texts.raw(category, false)) }),
      axisLabel: { hideOverlap: true, ...(formatter && { formatter }), ...(range && { showMinLabel: false, showMaxLabel: false }) },
    };
  });
}

/** Room at the ends, because a bubble is larger than its point. */
const bubbleRoom = ['8%', '8%'];

const named = (name: string) => (name === '' ? {} : { name, nameLocation: 'middle' as const, nameGap: 28 });

const bound = (value: number | null | undefined, type: ScaleType): number | undefined =>
  value === null || value === undefined || (type === 'log' && value <= 0) ? undefined : value;

function alignedRanges(model: ChartModel, { options }: View): [Range, Range] | null {
  const hasBoth = ([0, 1] as const).every((at) => model.series.some(({ axis }) => axis === at));
  if (!options.alignYAxesAtZero || !hasBoth || options.swappedAxes) return null;
  const [left, right] = ([0, 1] as const).map((at): Range => {
    const extent = extentOfAll(model.series.filter(({ axis }) => axis === at)) ?? [0, 1];
    const stored = options.yAxis[at];
    const margin = (extent[1] - extent[0]) * 0.05;
    return [
      stored?.rangeMin ?? (extent[0] < 0 ? extent[0] - margin : extent[0]),
      stored?.rangeMax ?? (extent[1] > 0 ? extent[1] + margin : extent[1]),
    ];
  });
  return left && right ? alignedAtZero(left, right) : null;
}

const extentOfAll = (series: readonly ArrangedSeries[]): Range | undefined =>
  series.reduce<Range | undefined>((all, { top }) => joined(all, extentOf(top)), undefined);

const yearMs = 31_556_952_000;
const yearTicks: TickFormatter = dateFormatter('YYYY');
/** The chart steps through moments year by year, and gives up on thousands of years. */
const areAges = (range: Range | null | undefined): boolean => range !== null && range !== undefined && range[1] - range[0] > 1000 * yearMs;

/** Labels of a day include the month. */
const momentLabels = {
  year: '{yyyy}',
  month: '{MMM}',
  day: '{MMM} {d}',
  hour: '{HH}:{mm}',
  minute: '{HH}:{mm}',
  second: '{HH}:{mm}:{ss}',
  millisecond: '{HH}:{mm}:{ss}.{SSS}',
};

/** visualizations 2.6; without a format the chart prints moments itself, and numbers have the organisation's separators. */
function ticksOf(type: ScaleType, format: string | undefined, separators: Separators): TickFormatter | undefined {
  if (type === 'category') return undefined;
  if (type === 'time') return format ? momentTicks(format) : undefined;
  return (format ? numberTicks(format, separators) : undefined) ?? plainTicks(separators);
}

function plainTicks(separators: Separators): TickFormatter {
  const whole = numberTicks(',', separators) ?? String;
  return (value) => {
    const size = Math.abs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-6)) return value.toExponential();
    if (size >= 1e9) return `${whole(value / 1e9)}B`;
    return size >= 1e6 ? `${whole(value / 1e6)}M` : whole(value);
  };
}
