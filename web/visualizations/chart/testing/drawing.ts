import type { ColumnType, ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { commonSettings, type DisplaySettings, separatorsOf } from '../../displaySettings.ts';
import { chartColors } from '../../echarts/chartColors.ts';
import { resultTable } from '../../resultTable.ts';
import { finish } from '../../table/view/sliced.ts';
import { type ChartOptions, chartOptions } from '../chartOptions.ts';
import { heatmapOption } from '../draw/heatmapOption.ts';
import { pieOption } from '../draw/pieOption.ts';
import { allOfIt, type View } from '../draw/view.ts';
import { xyPicture } from '../draw/xyOption.ts';
import { arrange } from '../model/arrange.ts';
import { chartBase } from '../model/base.ts';
import { heatmapModel } from '../model/heatmap.ts';
import { pieModel, sliceNames } from '../model/pie.ts';
import { isMomentColumn, textsOf } from '../model/texts.ts';

export const columnsOf = (types: Record<string, ColumnType>): ResultColumn[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));

export const tableOf = (types: Record<string, ColumnType>, rows: ResultRow[]) => resultTable({ columns: columnsOf(types), rows });
type Table = ReturnType<typeof tableOf>;

export const optionsOf = (table: Table, stored: Record<string, unknown>, settings: DisplaySettings = commonSettings): ChartOptions =>
  chartOptions({ columns: table.columns, settings }).parse(stored);

export function modelOf(table: Table, stored: Record<string, unknown>, hidden: string[] = []) {
  const options = optionsOf(table, stored);
  return finish(arrange(finish(chartBase(table, options)), options, new Set(hidden)));
}

export function viewOf(options: ChartOptions, table: Table, count: number, x: string | undefined, changes: Partial<View> = {}): View {
  return {
    options,
    colors: chartColors('light'),
    count,
    texts: textsOf(options, commonSettings),
    separators: separatorsOf(commonSettings),
    isMomentX: isMomentColumn(table.columns, x),
    hasPatterns: false,
    displayOf: () => undefined,
    marks: [],
    figure: (_, value) => String(value),
    zoom: allOfIt,
    width: 800,
    height: 400,
    ...changes,
  };
}

/** The option for the chart library, for any type of chart. */
export function drawnOf(table: Table, stored: Record<string, unknown>, changes: Partial<View> = {}): object {
  const options = optionsOf(table, stored);
  const base = finish(chartBase(table, options));
  const { x, y, zVal } = base.mapping;
  const view = viewOf(options, table, base.series.length, x, changes);
  if (options.globalSeriesType === 'heatmap') {
    const names = { x: x ?? '', y: y[0] ?? '', z: zVal ?? '', isMomentY: false };
    return heatmapOption(finish(heatmapModel(table, options)), table.rows, names, view);
  }
  if (options.globalSeriesType === 'pie') {
    const model = pieModel(base, options, new Set(), sliceNames(view.texts, view.isMomentX));
    return pieOption(model, base, { ...view, count: model.names.length });
  }
  return xyPicture(finish(arrange(base, options, new Set())), view).option;
}

/** The option as text, with functions replaced by their results; tooltips are elements and need a page. */
export const textOf = (drawn: object): string =>
  JSON.stringify(drawn, (key, value: unknown) => {
    if (key === 'tooltip') return undefined;
    return typeof value === 'function' ? answerOf(value as (...given: unknown[]) => unknown) : value;
  });

function answerOf(asked: (...given: unknown[]) => unknown): string {
  const questions = [[{ dataIndex: 0 }], [[], { dataIndex: 0 }], [1234.5]];
  return questions.map((given) => answerTo(asked, given)).join(' | ');
}

function answerTo(asked: (...given: unknown[]) => unknown, given: unknown[]): string {
  try {
    return JSON.stringify(asked(...given)) ?? '';
  } catch {
    // The function needs other arguments.
    return '';
  }
}
