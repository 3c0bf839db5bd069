import type { EChartsCoreOption } from 'echarts/core';
import { tooltipBox } from '../../echarts/tooltipBox.ts';
import type { Key, PivotData } from '../data/pivotData.ts';
import type { DrawingProps } from './drawing.ts';

/** More series could not be told apart, and more names do not fit under an axis. */
const mostSeries = 30;
const mostCategories = 500;
const mostPies = 12;

const nameOf = (key: Key): string => key.join(', ');

export interface ChartGrid {
  series: { name: string; values: (number | null)[] }[];
  categories: string[];
  /** Groups that are not drawn. */
  left: { series: number; categories: number };
}

/**
 * Groups of rows are the series and groups of columns lie along the axis; for bars, dots and pies it is the other way round, as users
 * expect. If only one of them is chosen, it lies along the axis.
 */
export function chartGrid(data: PivotData, isTurned: boolean, measure: string): ChartGrid {
  const [hasRows, hasCols] = [data.rowKeys.length > 0, data.colKeys.length > 0];
  const areRowsSeries = hasRows && hasCols ? !isTurned : !hasRows;
  const at = (series: number | undefined, category: number | undefined) =>
    areRowsSeries ? data.result(series, category) : data.result(category, series);
  const seriesKeys = areRowsSeries ? data.rowKeys : data.colKeys;
  const categoryKeys = areRowsSeries ? data.colKeys : data.rowKeys;
  const places = seriesKeys.length > 0 ? seriesKeys.slice(0, mostSeries).map((_, place) => place) : [undefined];
  const along = categoryKeys.length > 0 ? categoryKeys.slice(0, mostCategories).map((_, place) => place) : [undefined];
  const figure = (value: number | string | null) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
  return {
    series: places.map((series) => ({
      name: series === undefined ? measure : nameOf(seriesKeys[series] ?? []),
      values: along.map((category) => figure(at(series, category))),
    })),
    categories: along.map((category) => (category === undefined ? measure : nameOf(categoryKeys[category] ?? []))),
    left: { series: Math.max(0, seriesKeys.length - mostSeries), categories: Math.max(0, categoryKeys.length - mostCategories) },
  };
}

const isTurned = (name: DrawingProps['rendererName']): boolean => /Bar|Dot|Pie/.test(name);

type Chart = Pick<DrawingProps, 'data' | 'rendererName' | 'measure' | 'print'>;

export function chartOption({ data, rendererName, measure, print }: Chart): { option: EChartsCoreOption; left: ChartGrid['left'] } {
  const grid = chartGrid(data, isTurned(rendererName), measure);
  if (rendererName === 'Multiple Pie Chart') return { option: pies(grid, print), left: grid.left };
  if (rendererName === 'Scatter Chart') return { option: scatter(data, print), left: grid.left };
  return { option: lines(grid, rendererName, measure, print), left: grid.left };
}

const legend = (isShown: boolean) => ({ show: isShown, type: 'scroll', bottom: 0, icon: 'roundRect', itemWidth: 12, itemHeight: 12 });

function lines({ series, categories }: ChartGrid, rendererName: string, measure: string, print: DrawingProps['print']): EChartsCoreOption {
  const isHorizontal = rendererName.includes('Bar');
  const isStacked = /Stacked|Area/.test(rendererName);
  const type = /Column|Bar/.test(rendererName) ? 'bar' : rendererName === 'Dot Chart' ? 'scatter' : 'line';
  const category = { type: 'category', data: categories, axisLabel: { width: 120, overflow: 'truncate' } };
  const value = {
    type: 'value',
    scale: /Line|Dot/.test(rendererName),
    name: isHorizontal ? '' : measure,
    nameTextStyle: { align: 'left' },
  };
  const hasLegend = series.length > 1;
  return {
    grid: { left: 8, right: 16, top: 32, bottom: hasLegend ? 32 : 8, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    legend: legend(hasLegend),
    xAxis: isHorizontal ? value : category,
    yAxis: isHorizontal ? { ...category, inverse: true } : value,
    tooltip: {
      trigger: type === 'scatter' ? 'item' : 'axis',
      axisPointer: { type: type === 'bar' ? 'shadow' : 'line' },
      formatter: (given: unknown) => hover(given, print),
    },
    series: series.map(({ name, values }) => ({
      type,
      name,
      data: values,
      barMaxWidth: 48,
      symbolSize: type === 'scatter' ? 10 : 6,
      showSymbol: categories.length < 50,
      ...(isStacked && { stack: 'all' }),
      ...(rendererName === 'Area Chart' && { areaStyle: { opacity: 0.35 } }),
    })),
  };
}

interface Hovered {
  seriesName?: string;
  name?: string;
  value?: unknown;
  color?: string;
}

function hover(given: unknown, print: DrawingProps['print']): HTMLElement {
  const items = (Array.isArray(given) ? given : [given]) as Hovered[];
  const shown = items.filter(({ value }) => typeof value === 'number');
  return tooltipBox(
    items[0]?.name ?? '',
    shown.slice(0, 15).map(({ seriesName, color, value }) => ({ name: seriesName, color, value: print(value as number) })),
    Math.max(0, shown.length - 15),
  );
}

/** A dot for each row and column, sized by its figure. */
function scatter(data: PivotData, print: DrawingProps['print']): EChartsCoreOption {
  const rows = data.rowKeys.slice(0, mostCategories);
  const cols = data.colKeys.slice(0, mostCategories);
  const points = (rows.length > 0 ? rows : [[]]).flatMap((_, row) =>
    (cols.length > 0 ? cols : [[]]).flatMap((_, col) => {
      const value = data.result(rows.length > 0 ? row : undefined, cols.length > 0 ? col : undefined);
      return typeof value === 'number' && Number.isFinite(value) ? [[col, row, value]] : [];
    }),
  );
  const largest = points.reduce((most, [, , value = 0]) => Math.max(most, Math.abs(value)), 0) || 1;
  const axis = { type: 'category', axisLabel: { width: 120, overflow: 'truncate' } };
  return {
    grid: { left: 8, right: 24, top: 16, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: { ...axis, data: cols.map(nameOf) },
    yAxis: { ...axis, data: rows.map(nameOf), inverse: true },
    tooltip: {
      formatter: (given: unknown) => {
        const { value } = given as { value: [number, number, number] };
        const names = [rows[value[1]], cols[value[0]]].flatMap((key) => (key ? [nameOf(key)] : []));
        return tooltipBox(names.join(' · '), [{ value: print(value[2]) }]);
      },
    },
    series: [{ type: 'scatter', data: points, symbolSize: ([, , value = 0]: number[]) => 6 + 26 * Math.sqrt(Math.abs(value) / largest) }],
  };
}

/** One pie for each series, up to three side by side, then in rows. */
function pies({ series, categories }: ChartGrid, print: DrawingProps['print']): EChartsCoreOption {
  const shown = series.slice(0, mostPies);
  const across = shown.length <= 3 ? shown.length : Math.ceil(Math.sqrt(shown.length));
  const [width, height] = [100 / across, 86 / Math.ceil(shown.length / across)];
  const place = (at: number) => ({ left: (at % across) * width, top: Math.floor(at / across) * height });
  return {
    legend: legend(categories.length > 1),
    tooltip: {
      formatter: (given: unknown) => {
        const { name = '', seriesName = '', value, color } = given as Hovered;
        return tooltipBox(seriesName, [{ name, color, value: typeof value === 'number' ? print(value) : '' }]);
      },
    },
    title: shown.map(({ name }, at) => ({
      text: name.slice(0, 40),
      left: `${place(at).left + width / 2}%`,
      top: `${place(at).top + 1}%`,
      textAlign: 'center',
    })),
    series: shown.map(({ name, values }, at) => ({
      type: 'pie',
      name,
      left: `${place(at).left}%`,
      top: `${place(at).top + 4}%`,
      width: `${width}%`,
      height: `${height - 4}%`,
      radius: '72%',
      label: { show: false },
      labelLine: { show: false },
      data: values.map((value, category) => ({ name: categories[category], value: value === null || value < 0 ? 0 : value })),
    })),
  };
}
