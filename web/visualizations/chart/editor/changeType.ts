import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { type ChartOptions, withEntry } from '../chartOptions.ts';
import type { ChartType } from '../chartTypes.ts';
import { mappingOf } from '../columnMapping.ts';
import { firstMapping } from '../firstMapping.ts';

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
  const { size, zVal } = mappingOf(options, columns);
  const first = firstMapping(columns, type);
  if (type === 'heatmap' && zVal === undefined) return first;
  if (type !== 'bubble' || size !== undefined) return columnMapping;
  const isFree = (name: string) => !Object.hasOwn(columnMapping, name) || columnMapping[name] === 'unused';
  const found = Object.entries(first).find(([name, role]) => role === 'size' && isFree(name));
  return found ? { ...columnMapping, [found[0]]: 'size' } : columnMapping;
}
