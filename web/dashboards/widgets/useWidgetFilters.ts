import type { QueryResult } from '@telltale/domain/results/contract.ts';
import { useMemo } from 'react';
import { type ResultFilters, useResultFilters } from '../../visualizations/filters/useResultFilters.ts';
import type { ResultSource } from '../../visualizations/resultTable.ts';
import { useBoard } from '../board.ts';

const noData: ResultSource = { columns: [], rows: [] };

/** Screens 9.4: the filters of a widget, the same in its place and expanded. */
export function useWidgetFilters(result: QueryResult | null): ResultFilters {
  const { imposed, hasOwnFilters } = useBoard();
  const filters = useResultFilters(result?.data ?? noData, { isKept: false, imposed });
  // Filters of the whole dashboard are not offered again in the widget.
  return useMemo(
    () => (hasOwnFilters ? filters : { ...filters, filters: filters.filters.filter(({ name }) => !imposed.has(name)) }),
    [filters, imposed, hasOwnFilters],
  );
}
