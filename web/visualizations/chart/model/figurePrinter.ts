import type { SeriesFigures } from '@telltale/domain/visualizations/figures.ts';
import { numberFormatter } from '@telltale/domain/visualizations/number-format.ts';
import { type DisplaySettings, displayReader, separatorsOf } from '../../displaySettings.ts';
import type { ChartOptions } from '../chartOptions.ts';
import type { BaseSeries } from './base.ts';

/** What `numberFormat` is until somebody chooses another. */
const usualNumberFormat = '0,0[.]00000';

/** Values as people read them: with the decimals that the attribute or the span of the series asks for, and its unit. A chosen format wins. */
export function figurePrinter(
  { numberFormat }: Pick<ChartOptions, 'numberFormat'>,
  settings: DisplaySettings,
  figures: ReadonlyMap<string, SeriesFigures>,
): (series: Pick<BaseSeries, 'key' | 'column'>, value: number, hasUnit?: boolean) => string {
  const separators = separatorsOf(settings);
  const displayOf = displayReader(settings);
  return ({ key, column }, value, hasUnit = true) => {
    if (Number.isNaN(value)) return '';
    const display = displayOf(column);
    const decimals = display?.decimals ?? figures.get(key)?.decimals ?? 2;
    const isUsual = numberFormat === usualNumberFormat && Math.abs(value) < 1e15;
    const format = isUsual ? `0,0${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}` : numberFormat;
    const text = numberFormatter(format, separators)(value);
    return hasUnit && display?.unit ? `${text} ${display.unit}` : text;
  };
}
