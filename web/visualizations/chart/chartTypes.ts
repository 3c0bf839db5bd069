/** visualizations 5.4: the values of `globalSeriesType`, and the options of each. */
export const chartTypes = ['line', 'column', 'area', 'pie', 'scatter', 'bubble', 'heatmap', 'box', 'custom'] as const;
export type ChartType = (typeof chartTypes)[number];

/** The types of a series in a mixed chart. */
export const seriesTypes = ['line', 'column', 'area', 'scatter', 'bubble', 'box'] as const;
export type SeriesType = (typeof seriesTypes)[number];
/** The types that a series can be changed to. */
export const offeredSeriesTypes = ['line', 'column', 'area', 'scatter'] as const;

export const chartTypeNames: Readonly<Record<ChartType, string>> = {
  line: 'Line',
  column: 'Bar',
  area: 'Area',
  pie: 'Pie',
  scatter: 'Scatter',
  bubble: 'Bubble',
  heatmap: 'Heatmap',
  box: 'Box',
  custom: 'Custom',
};

const oneOf =
  (...types: ChartType[]) =>
  (type: ChartType): boolean =>
    types.includes(type);

/** visualizations 5.16. */
export const hasAxes = (type: ChartType): boolean => !oneOf('pie', 'custom')(type);
export const canSwap = oneOf('column', 'line', 'box');
export const canStack = oneOf('line', 'area', 'column');
export const canNormalize = canStack;
export const hasSeriesTypes = oneOf('line', 'column', 'area', 'scatter', 'bubble', 'box');
export const hasGroups = (type: ChartType): boolean => !oneOf('heatmap', 'custom')(type);
export const hasErrors = (type: ChartType): boolean => !oneOf('custom', 'bubble', 'heatmap')(type);
export const hasMissingValues = hasErrors;
export const hasLineShape = oneOf('line', 'area');
export const hasDataLabels = oneOf('line', 'area', 'column', 'scatter', 'pie', 'heatmap');
