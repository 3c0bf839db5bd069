import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { filterKindOf } from '../../filters/columnName.ts';
import { type ChartOptions, withEntry } from '../chartOptions.ts';
import type { ChartType } from '../chartTypes.ts';
import { mappingOf } from '../columnMapping.ts';
import { firstMapping, isNumber } from '../firstMapping.ts';

/** visualizations 5.4: a new type applies to every series; labels and the horizontal chart are reset. */
export function changedType(options: ChartOptions, type: ChartType, columns: readonly ResultColumn[]): Partial<ChartOptions> {
  const seriesOptions = Object.keys(options.seriesOptions).reduce((all, key) => withEntry(all, key, { type }), options.seriesOptions);
  return {
    globalSeriesType: type,
    showDataLabels: type === 'pie',
    swappedAxes: false,
    seriesOptions,
    columnMapping: mappingFor(options, type, columns),
  };
}

/** Complaint 35: a type that needs another column gets one, so that the picture is not empty. */
function mappingFor(options: ChartOptions, type: ChartType, columns: readonly ResultColumn[]): Record<string, unknown> {
  const { columnMapping } = options;
  const role = type === 'heatmap' ? 'zVal' : type === 'bubble' ? 'size' : undefined;
  if (!role || mappingOf(options, columns)[role] !== undefined) return columnMapping;
  const isFree = (name: string) => !Object.hasOwn(columnMapping, name) || columnMapping[name] === 'unused';
  const suggested = Object.entries(firstMapping(columns, type)).flatMap(([name, value]) => (value === role ? name : []));
  const numbers = columns.filter((column) => isNumber(column) && !filterKindOf(column.name)).map(({ name }) => name);
  const found = [...suggested, ...numbers].find(isFree);
  return found === undefined ? columnMapping : { ...columnMapping, [found]: role };
}
