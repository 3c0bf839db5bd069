import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { formatDate } from '@telltale/domain/visualizations/date-format.ts';
import { plainText } from '../cellValue.ts';
import type { DisplaySettings } from '../displaySettings.ts';

/** A value in the organisation's formats, with numbers in full: for popups, where columns have no formats of their own. */
export function valueText(row: ResultRow, { name, type }: ResultColumn, settings: DisplaySettings): string {
  const value = Object.hasOwn(row, name) ? row[name] : undefined;
  if (value === null) return settings.nullValue;
  if (typeof value === 'string' && (type === 'date' || type === 'datetime')) {
    return formatDate(value, type === 'date' ? settings.dateFormat : settings.dateTimeFormat);
  }
  if (typeof value === 'boolean') return settings.booleanValues?.[value ? 1 : 0] ?? String(value);
  return plainText(value);
}
