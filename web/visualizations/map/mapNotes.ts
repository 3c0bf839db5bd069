import type { ResultTable } from '../resultTable.ts';
import type { MapModel } from './mapModel.ts';

const counted = new Intl.NumberFormat('en');
export const countOf = (count: number, one: string, many: string): string => `${counted.format(count)} ${count === 1 ? one : many}`;

/** Notes on the map: why it shows less than the result has. */
export function mapNotes({ missing, unplaced }: MapModel, { rows, isFiltered }: ResultTable): string[] {
  if (rows.length === 0) return [isFiltered ? 'No rows match the filters.' : 'Query returned no rows'];
  if (missing.length > 0) return [`The result has no column ${missing.map((name) => `“${name.slice(0, 100)}”`).join(', ')}.`];
  return unplaced > 0 ? [`${countOf(unplaced, 'row has', 'rows have')} no place on the map.`] : [];
}

const mostNames = 5;

export function mapSummary(model: MapModel, isGrouped: boolean): string {
  const { lat, groups, unplaced } = model;
  const names = groups.slice(0, mostNames).map(({ name, count }) => `${name.slice(0, 60)} (${counted.format(count)})`);
  const more = groups.length > mostNames ? ` and ${groups.length - mostNames} more` : '';
  const grouped = isGrouped && groups.length > 0 ? ` in ${countOf(groups.length, 'group', 'groups')}: ${names.join(', ')}${more}` : '';
  return `Map of ${countOf(lat.length, 'marker', 'markers')}${grouped}.${unplaced > 0 ? ` ${countOf(unplaced, 'row has', 'rows have')} no place on it.` : ''}`;
}
