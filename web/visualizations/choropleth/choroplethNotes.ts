import { cellReader, plainText } from '../cellValue.ts';
import { countOf } from '../map/mapNotes.ts';
import { numericValue } from '../numericValue.ts';
import type { ResultTable } from '../resultTable.ts';
import { type ChoroplethModel, firstNumber } from './choroplethModel.ts';
import type { ChoroplethOptions } from './choroplethOptions.ts';
import { mapTypes } from './mapTypes.ts';

/** Notes on the map: why it shows less than the result has. */
export function choroplethNotes(
  { mapping, unknown }: ChoroplethModel,
  { rows, columns, isFiltered }: ResultTable,
  mapName: string,
): string[] {
  if (rows.length === 0) return [isFiltered ? 'No rows match the filters.' : 'Query returned no rows'];
  const chosen = [mapping.keyColumn, mapping.valueColumn].flatMap((name) => name ?? []);
  const missing = chosen.filter((name) => !columns.some((column) => column.name === name));
  if (missing.length > 0) return [`The result has no column ${missing.map((name) => `“${name.slice(0, 100)}”`).join(', ')}.`];
  if (mapping.keyColumn === null) return [`No column names shapes of ${mapName}.`];
  if (mapping.valueColumn === null) return ['No column holds numbers.'];
  if (unknown.rows === 0) return [];
  return [
    `${countOf(unknown.rows, 'row names', 'rows name')} no shape of ${mapName}: ${unknown.keys.join(', ')}${unknown.rows > unknown.keys.length ? '…' : ''}`,
  ];
}

/** A summary without the shapes, which may not be loaded yet. */
export function choroplethSummary({ rows, columns }: ResultTable, { mapType, keyColumn, valueColumn }: ChoroplethOptions): string {
  const map = mapTypes[mapType].name;
  const key = keyColumn ?? columns.find(({ type }) => type === 'string' || type === null)?.name;
  const value = valueColumn ?? firstNumber(columns, key ?? null);
  if (key === undefined || value === null) return `Map of ${map} without values.`;
  const [readKey, readValue] = [cellReader(key), cellReader(value)];
  let most: { key: string; value: number } | null = null;
  let least: { key: string; value: number } | null = null;
  let count = 0;
  for (const row of rows) {
    const number = numericValue(readValue(row));
    if (number === null) continue;
    count += 1;
    if (!most || number > most.value) most = { key: plainText(readKey(row)), value: number };
    if (!least || number < least.value) least = { key: plainText(readKey(row)), value: number };
  }
  const extremes =
    most && least ? `: most in ${most.key.slice(0, 60)} (${most.value}), least in ${least.key.slice(0, 60)} (${least.value})` : '';
  return `Map of ${map} by ${value.slice(0, 60)}, ${countOf(count, 'value', 'values')}${extremes}.`;
}
