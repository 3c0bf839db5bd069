import type { EChartsCoreOption } from 'echarts/core';
import { textOn } from '../../echarts/chartColors.ts';
import { tooltipBox } from '../../echarts/tooltipBox.ts';
import { titleOf } from '../chartOptions.ts';
import { colorAlong, heatColors } from '../colors.ts';
import { type HeatmapModel, noRow } from '../model/heatmap.ts';
import { type PointFacts, pointText } from '../model/texts.ts';
import { categoryLabels, cutter } from './axes.ts';
import type { View } from './view.ts';

export interface HeatmapNames {
  x: string;
  y: string;
  z: string;
  isMomentY: boolean;
}

const mostLabels = 1500;

/** visualizations 5.11. */
export function heatmapOption(
  model: HeatmapModel,
  rows: readonly Record<string, unknown>[],
  names: HeatmapNames,
  view: View,
): EChartsCoreOption {
  const { options, colors, texts, isMomentX } = view;
  const ramp = heatColors(options.colorScheme, options.heatMinColor, options.heatMaxColor);
  const across = model.x.length;
  const data = Array.from(model.values, (value, at): [number, number, number] => [at % across, Math.floor(at / across), value]);
  const facts = (at: number): PointFacts => {
    const row = model.rows[at] ?? noRow;
    return {
      name: names.z,
      x: texts.raw(model.x[at % across], isMomentX),
      y: texts.raw(model.y[Math.floor(at / across)], names.isMomentY),
      row: row === noRow ? undefined : rows[row],
    };
  };
  const textOf = (at: number): string =>
    options.textFormat.trim() === '' ? texts.number(model.values[at]) : pointText(options.textFormat, facts(at));
  const hasScheme = options.colorScheme !== undefined && options.colorScheme !== '';
  const hasLabels = options.showDataLabels && data.length <= mostLabels && doFit(model, view, textOf);
  const span = model.max - model.min || 1;
  const axis = (categories: readonly unknown[], isMoment: boolean, title: string) => ({
    type: 'category',
    data: categories.map((category) => texts.raw(category, isMoment)),
    splitArea: { show: false },
    axisTick: { show: false },
    axisLabel: { show: true, hideOverlap: true, formatter: cutter(Math.max(8, Math.floor(Math.min(140, view.width * 0.3) / 6.6))) },
    ...(title !== '' && { name: title, nameLocation: 'middle', nameGap: 28 }),
  });
  const xAxis = axis(model.x, isMomentX, titleOf(options.xAxis));
  const left = options.yAxis[0];
  return {
    aria: { enabled: false },
    grid: { left: 4, right: options.legend.enabled ? 72 : 12, top: 20, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    tooltip: {
      trigger: 'item',
      formatter: ({ dataIndex = 0 }: { dataIndex?: number }) => {
        const { x, y } = facts(dataIndex);
        return tooltipBox('', [
          { name: names.x, value: x },
          { name: names.y, value: y },
          { name: names.z, value: textOf(dataIndex), color: colorAlong(ramp, ((model.values[dataIndex] ?? 0) - model.min) / span) },
        ]);
      },
    },
    visualMap: {
      show: options.legend.enabled,
      type: 'continuous',
      min: model.min,
      max: model.min === model.max ? model.min + 1 : model.max,
      calculable: true,
      orient: 'vertical',
      right: 0,
      top: 'middle',
      itemWidth: 12,
      itemHeight: Math.max(60, Math.min(200, view.height - 120)),
      inRange: { color: [...ramp] },
      formatter: (value: unknown) => texts.number(typeof value === 'number' ? Number(value.toPrecision(6)) : value),
    },
    xAxis: {
      ...xAxis,
      axisLabel: {
        show: options.xAxis.labels.enabled,
        hideOverlap: true,
        ...categoryLabels(xAxis.data, { options: { ...options, swappedAxes: false }, width: view.width - besidePx, height: view.height }),
      },
    },
    yAxis: axis(model.y, names.isMomentY, left ? titleOf(left) : ''),
    series: [
      {
        type: 'heatmap',
        data:
          hasScheme && hasLabels
            ? data.map((value) => ({ value, label: { color: textOn(colorAlong(ramp, (value[2] - model.min) / span)) } }))
            : data,
        itemStyle: { borderColor: colors.paper, borderWidth: across * model.y.length > 5000 ? 0 : 1 },
        label: {
          show: hasLabels,
          color: hasScheme ? undefined : '#333333',
          formatter: ({ dataIndex }: { dataIndex: number }) => textOf(dataIndex),
        },
        labelLayout: { hideOverlap: true },
        emphasis: { itemStyle: { borderColor: colors.ink, borderWidth: 2 } },
        progressive: 4000,
        progressiveThreshold: 8000,
      },
    ],
  };
}

const [letterPx, linePx] = [7, 16];
/** The room for labels on the left and the colour scale on the right. */
const besidePx = 170;

/** Whether labels fit: overlapping ones are hidden, and hovering still shows the values. */
function doFit({ x, y, values }: HeatmapModel, { width, height }: View, textOf: (at: number) => string): boolean {
  const [across, up] = [(width - besidePx) / Math.max(1, x.length), (height - 40) / Math.max(1, y.length)];
  return up >= linePx && Array.from(values.keys()).every((at) => textOf(at).length * letterPx <= across);
}
