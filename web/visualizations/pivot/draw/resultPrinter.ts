import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { dateFormatter } from '@telltale/domain/visualizations/date-format.ts';
import { numberFormatter } from '@telltale/domain/visualizations/number-format.ts';
import { type DisplaySettings, separatorsOf } from '../../displaySettings.ts';
import { isMoment } from '../../firstColumn.ts';
import { type AggregatorName, aggregatorOf } from '../data/aggregators.ts';

const formats = { whole: '0,0', decimal: '0,0.00', percent: '0.0%' } as const;

export type PrintResult = (value: number | string | null) => string;

/** Prints figures in the aggregator's format, and dates of the first and last in the organisation's; other values are empty. */
export function resultPrinter(name: AggregatorName, input: ResultColumn | undefined, settings: DisplaySettings): PrintResult {
  const { prints, reads } = aggregatorOf(name);
  const print = numberFormatter(formats[prints], separatorsOf(settings));
  const date = reads === 'text' && input && isMoment(input) ? dateFormatter(settings.dateTimeFormat) : null;
  return (value) => {
    if (value === null) return '';
    if (typeof value === 'string') return date ? date(value) : value;
    return Number.isFinite(value) ? print(prints === 'percent' ? value * 100 : value) : '';
  };
}
