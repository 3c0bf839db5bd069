import type { AttributeDisplay, Threshold } from '@telltale/domain/channels/attribute-display.ts';
import type { TimeMark } from '../ChartMarks.tsx';
import type { ArrangedSeries, ChartModel } from '../model/arrange.ts';
import type { View } from './view.ts';

/** Lines and bands beside the data: thresholds of the attributes that are seen, and what is marked at a time. */
export function markSeries(model: ChartModel, view: View, displayOf: (column: string) => AttributeDisplay | undefined): object[] {
  if (view.options.swappedAxes) return [];
  const thresholds = ([0, 1] as const).flatMap((axis) => thresholdSeries(model, view, axis, displayOf));
  const times = model.x.type === 'time' && view.marks.length > 0 ? [timeSeries(view)] : [];
  return [...thresholds, ...times];
}

const isPlain = ({ stack, percent, type }: ArrangedSeries): boolean => stack === null && percent === null && type !== 'box';
const silent = { type: 'line', data: [], silent: true, tooltip: { show: false }, symbol: 'none', animation: false };

function thresholdSeries(
  model: ChartModel,
  view: View,
  axis: 0 | 1,
  displayOf: (column: string) => AttributeDisplay | undefined,
): object[] {
  const seen = model.series.filter((one) => one.axis === axis && isPlain(one));
  if (seen.length === 0 || model.y[axis].type !== 'value') return [];
  const columns = [...new Set(seen.map(({ column }) => column))];
  const found = columns.flatMap((column) =>
    (displayOf(column)?.thresholds ?? []).map((one) => ({ ...one, unit: displayOf(column)?.unit })),
  );
  if (found.length === 0) return [];
  return [
    {
      ...silent,
      yAxisIndex: axis,
      markLine: {
        silent: true,
        symbol: 'none',
        data: found.map(({ value, state, unit }) => ({
          yAxis: value,
          lineStyle: { color: colorOf(view, state), type: [6, 4], width: 1.5 },
          label: {
            formatter: `${view.texts.number(value)}${unit ? ` ${unit}` : ''}`,
            position: 'insideEndTop',
            color: colorOf(view, state),
            fontSize: 11,
          },
        })),
      },
      markArea: {
        silent: true,
        data: found
          .filter(({ show }) => show === 'band')
          .map(({ value, side, state }) => {
            const [from, to] = side === 'above' ? [value, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, value];
            return [{ yAxis: from, itemStyle: { color: colorOf(view, state), opacity: 0.08 } }, { yAxis: to }];
          }),
      },
    },
  ];
}

const colorOf = ({ colors }: View, state: Threshold['state']): string => colors[state];

function timeSeries({ marks, colors }: View): object {
  const tone = (mark: TimeMark) => ({ note: colors.primary, danger: colors.danger, ok: colors.ok, muted: colors.muted })[mark.tone];
  return {
    ...silent,
    markLine: {
      silent: true,
      symbol: 'none',
      data: marks.map((mark) => ({
        xAxis: mark.at,
        lineStyle: { color: tone(mark), type: mark.tone === 'note' ? 'solid' : [3, 3], width: 1.5 },
        label: { show: false },
      })),
    },
    markArea: {
      silent: true,
      data: marks
        .filter(({ until }) => until !== null)
        .map((mark) => [{ xAxis: mark.at, itemStyle: { color: tone(mark), opacity: 0.1 } }, { xAxis: mark.until }]),
    },
  };
}
