import type { EChartsCoreOption } from 'echarts/core';
import { type TooltipLine, tooltipBox } from '../../echarts/tooltipBox.ts';
import type { ArrangedSeries, ChartModel } from '../model/arrange.ts';
import type { Box } from '../model/box.ts';
import { nearest } from '../model/reduce.ts';
import { mentions, pointText } from '../model/texts.ts';
import { mainAxis, valueAxes } from './axes.ts';
import { boxDrawings, errorDrawings } from './custom.ts';
import { markSeries } from './marks.ts';
import { colorOf, dashOf, factsOf, type SeriesDrawing, seriesDrawings } from './seriesOptions.ts';
import type { View } from './view.ts';
import { type Drawn, drawnPoints } from './window.ts';

/** A picture, with the meaning of its places. */
export interface XyPicture {
  option: EChartsCoreOption;
  /** Part of the option; where it floats depends on the page. */
  tooltip: object;
  drawn: Drawn;
  drawings: SeriesDrawing[];
  /** The points at, or near, this place of the x axis, in ECharts coordinates. */
  pointsAt: (place: number) => { series: ArrangedSeries; at: number }[];
}

/** A longer tooltip would cover the plot of a phone. */
const mostLines = (width: number) => (width < 480 ? 8 : 25);

export function xyPicture(model: ChartModel, view: View): XyPicture {
  const { options } = view;
  const isSwapped = options.swappedAxes === true;
  const drawn = drawnPoints(model, view);
  const drawings = seriesDrawings(model, drawn, view);
  const boxes = boxDrawings(drawn, view);
  const main = mainAxis(model, view, drawn.categories);
  const values = valueAxes(model, view);
  const isShared = model.series.some(({ type }) => type === 'line' || type === 'column' || type === 'area');
  const pointsAt = (place: number) => nearPoints(model, drawn, view, place);
  const tooltip = {
    trigger: isShared ? 'axis' : 'item',
    axisPointer: { type: 'line', snap: true },
    formatter: isShared
      ? (params: Hovered[]) => sharedTooltip(model, view, pointsAt(hoveredPlace(params, drawings, isSwapped)))
      : ({ seriesIndex = 0, dataIndex = 0 }: { seriesIndex?: number; dataIndex?: number }) =>
          itemTooltip(model, view, drawings[seriesIndex], boxes[seriesIndex - drawings.length], dataIndex),
  };
  const option = {
    useUTC: true,
    aria: { enabled: view.hasPatterns, label: { enabled: false }, decal: { show: view.hasPatterns } },
    grid: { left: 4, right: 12, top: 20, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    tooltip,
    xAxis: isSwapped ? values : main,
    yAxis: isSwapped ? main : values,
    series: [
      ...[...drawings, ...boxes, ...errorDrawings(drawn, view)].map(({ option: one }) => one),
      ...drawings.flatMap(({ base }) => base ?? []),
      ...markSeries(model, view, view.displayOf),
    ],
  };
  return { option, tooltip, drawn, drawings, pointsAt };
}

interface Hovered {
  seriesIndex?: number;
  dataIndex?: number;
}

/** Errors and boxes can be hovered as well; the points know their places. */
function hoveredPlace(params: readonly Hovered[], drawings: readonly SeriesDrawing[], isSwapped: boolean): number {
  for (const { seriesIndex = -1, dataIndex = -1 } of params) {
    const point = drawings[seriesIndex]?.point(dataIndex);
    if (point) return point[isSwapped ? 1 : 0];
  }
  return Number.NaN;
}

const reachPx = 24;

function nearPoints(model: ChartModel, { categories }: Drawn, view: View, place: number) {
  const wanted = categories ? categories.at(place) : place;
  const reach = categories ? 0 : (reachPx * spanOf(model, view)) / Math.max(1, view.width);
  return model.series.flatMap((series) => {
    const at = view.options.sortX ? nearest(series.x, wanted) : series.x.indexOf(wanted);
    return at >= 0 && Math.abs((series.x[at] ?? 0) - wanted) <= reach ? [{ series, at }] : [];
  });
}

function spanOf(model: ChartModel, { zoom }: View): number {
  if (zoom.x) return zoom.x[1] - zoom.x[0];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { x } of model.series) {
    low = Math.min(low, x[0] ?? low, x.at(-1) ?? low);
    high = Math.max(high, x[0] ?? high, x.at(-1) ?? high);
  }
  return Math.max(0, high - low);
}

/** visualizations 5.9: x on top and the name before the text, unless the template contains them. */
function sharedTooltip(model: ChartModel, view: View, points: readonly { series: ArrangedSeries; at: number }[]): HTMLElement {
  const { textFormat } = view.options;
  const readingAt = ({ series, at }: { series: ArrangedSeries; at: number }) => series.value[at] ?? Number.NaN;
  const seen = points.filter((point) => !Number.isNaN(readingAt(point))).sort((a, b) => readingAt(b) - readingAt(a));
  const [first] = seen;
  const title = first && !mentions(textFormat, '@@x') ? factsOf(model, view, first.series, first.at).x : '';
  const lines = seen.slice(0, mostLines(view.width)).map(({ series, at }) => lineOf(model, view, series, at));
  return tooltipBox(title, lines, seen.length - lines.length);
}

function lineOf(model: ChartModel, view: View, series: ArrangedSeries, at: number): TooltipLine {
  const { textFormat } = view.options;
  return {
    color: colorOf(series, view),
    ...(series.type === 'line' && { dash: dashOf(series.place, view) }),
    name: mentions(textFormat, '@@name') ? undefined : series.name,
    value: hoverText(model, view, series, at),
  };
}

/** A template prints its values as the chart's own format says; without one they are rounded and carry their unit. */
export function hoverText(model: ChartModel, view: View, series: ArrangedSeries, at: number): string {
  const facts = factsOf(model, view, series, at);
  const { textFormat } = view.options;
  const isFigure = textFormat.trim() === '' && model.y[series.axis].type === 'value';
  return pointText(textFormat, isFigure ? { ...facts, y: view.figure(series, series.value[at] ?? Number.NaN) } : facts);
}

function itemTooltip(
  model: ChartModel,
  view: View,
  drawing: SeriesDrawing | undefined,
  boxes: { boxes?: Box[]; name: string } | undefined,
  dataIndex: number,
): HTMLElement {
  const box = boxes?.boxes?.[dataIndex];
  if (box) return boxTooltip(model, view, boxes?.name ?? '', box);
  if (!drawing) return tooltipBox('', []);
  const at = drawing.at[dataIndex] ?? 0;
  return sharedTooltip(model, view, [{ series: drawing.series, at }]);
}

function boxTooltip(model: ChartModel, { texts, isMomentX }: View, name: string, box: Box): HTMLElement {
  const parts: [string, number][] = [
    ['Upper whisker', box.high],
    ['Upper quartile', box.q3],
    ['Median', box.median],
    ['Lower quartile', box.q1],
    ['Lower whisker', box.low],
  ];
  const lines = parts.map(([part, value]) => ({ name: part, value: texts.number(value) }));
  const place = texts.place(box.x, model.x, isMomentX);
  return tooltipBox(`${name} · ${place}`, [...lines, { name: 'Values', value: texts.number(box.all.length) }]);
}
