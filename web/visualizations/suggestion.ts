import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import type { Draft } from './draft.ts';
import { findVisualization } from './index.ts';

const isMoment = ({ type }: ResultColumn) => type === 'datetime' || type === 'date';
const isNumber = ({ type }: ResultColumn) => type === 'integer' || type === 'float';
const isText = ({ type }: ResultColumn) => type === 'string' || type === null;
const isLatitude = ({ name }: ResultColumn) => /^(lat|latitude)$/i.test(name);
const isLongitude = ({ name }: ResultColumn) => /^(lng|lon|long|longitude)$/i.test(name);
const mostBars = 60;

export interface Suggestion extends Draft {
  /** In words. */
  title: string;
}

/** The one picture that most likely tells what a result says; null where a table does. */
export function suggestedPicture({ columns, rows }: { columns: readonly ResultColumn[]; rows: { length: number } }): Suggestion | null {
  const make = (type: string, title: string, options: Record<string, unknown> = {}): Suggestion => {
    const kind = findVisualization(type);
    return { type, title, name: kind?.name ?? type, options: { ...kind?.firstOptions(columns), ...options } };
  };
  const measured = columns.filter((column) => isNumber(column) && !isLatitude(column) && !isLongitude(column));
  if (rows.length === 0) return null;
  if (columns.some(isLatitude) && columns.some(isLongitude)) return make('MAP', 'Map');
  if (measured.length === 0) return null;
  if (rows.length === 1) return make('COUNTER', 'Counter');
  if (columns.some(isMoment)) return make('CHART', 'Line chart', { globalSeriesType: 'line' });
  if (columns.some(isText) && rows.length <= mostBars) return make('CHART', 'Bar chart', { globalSeriesType: 'column' });
  return measured.length > 1 ? make('CHART', 'Scatter plot', { globalSeriesType: 'scatter' }) : null;
}
