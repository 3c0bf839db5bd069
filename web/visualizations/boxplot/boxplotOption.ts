import { numberFormatter } from '@telltale/domain/visualizations/number-format.ts';
import type { EChartsCoreOption } from 'echarts/core';
import { type DisplaySettings, separatorsOf } from '../displaySettings.ts';
import type { ChartColors } from '../echarts/chartColors.ts';
import { tooltipBox } from '../echarts/tooltipBox.ts';
import type { Box, BoxplotModel } from './boxplotModel.ts';
import type { BoxplotOptions } from './boxplotOptions.ts';

/** More boxes have no room for figures. */
const mostLabelled = 8;
const longestName = 30;
const short = (name: string) => (name.length > longestName ? `${name.slice(0, longestName)}…` : name);
const parts = ['Upper whisker', 'Third quartile', 'Median', 'First quartile', 'Lower whisker'];

export function boxplotOption(
  { boxes, range }: BoxplotModel,
  { xAxisLabel, yAxisLabel }: BoxplotOptions,
  { muted, series, ink, surface }: ChartColors,
  settings: DisplaySettings,
): EChartsCoreOption {
  const format = numberFormatter('0,0[.]00', separatorsOf(settings));
  const [color = '#1971C2'] = series;
  const hasFigures = boxes.length <= mostLabelled;
  const figures = boxes.flatMap(({ five }, at) => five.map((value, part) => ({ value: [at, value], isMedian: part === 2, part })));
  return {
    grid: { left: yAxisLabel ? 30 : 8, right: 16, top: 16, bottom: xAxisLabel ? 32 : 8, containLabel: true },
    tooltip: {
      trigger: 'item',
      formatter: ({ seriesType, dataIndex, value }: Pointed) => words(boxes, seriesType, dataIndex, value, format),
    },
    xAxis: {
      type: 'category',
      data: boxes.map(({ name }) => short(name)),
      ...(xAxisLabel && { name: xAxisLabel, nameLocation: 'middle', nameGap: 28 }),
    },
    yAxis: {
      type: 'value',
      ...(range && { min: range[0], max: range[1] }),
      ...(yAxisLabel && { name: yAxisLabel, nameLocation: 'middle', nameGap: 44 }),
      axisLabel: { formatter: (value: number) => format(value), showMinLabel: false, showMaxLabel: false },
    },
    series: [
      {
        type: 'boxplot',
        boxWidth: [8, 64],
        itemStyle: { color: surface, borderColor: color, borderWidth: 1.5 },
        data: boxes.map(({ five }) => five),
      },
      {
        type: 'scatter',
        symbolSize: 6,
        itemStyle: { color: 'transparent', borderColor: color, borderWidth: 1.5 },
        large: false,
        data: boxes.flatMap(({ outliers }, at) => outliers.map((value) => [at, value])),
      },
      {
        // Figures beside the box, as labels of invisible marks.
        type: 'scatter',
        silent: true,
        symbolSize: 0,
        data: hasFigures ? figures.map(({ value, part }) => ({ value, label: { position: part % 2 === 0 ? 'right' : 'left' } })) : [],
        label: {
          show: true,
          distance: 38,
          fontSize: 12,
          color: muted,
          formatter: ({ value }: { value: [number, number] }) => format(value[1]),
        },
        labelLayout: { hideOverlap: true },
        emphasis: { label: { color: ink } },
      },
    ],
  };
}

interface Pointed {
  seriesType: string;
  dataIndex: number;
  value: unknown;
}

function words(boxes: readonly Box[], seriesType: string, at: number, value: unknown, format: (value: unknown) => string): HTMLElement {
  if (seriesType === 'boxplot') {
    const box = boxes[at];
    const lines = [...(box?.five ?? [])].reverse().map((number, part) => ({ name: parts[part] ?? '', value: format(number) }));
    return tooltipBox(box?.name ?? '', [...lines, { name: 'Values', value: format(box?.count ?? 0) }]);
  }
  const [place, number] = Array.isArray(value) ? value : [];
  return tooltipBox(boxes[Number(place)]?.name ?? '', [{ name: 'Outlier', value: format(number) }]);
}
