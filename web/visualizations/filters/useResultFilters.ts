import { useCallback, useMemo, useState } from 'react';
import { type ResultSource, type ResultTable, resultTable } from '../resultTable.ts';
import {
  type FilterChoice,
  type FilterChoices,
  filteredTable,
  nextChoices,
  noChoices,
  type ResultFilter,
  resultFilters,
} from './resultFilters.ts';

/** The filters of one result, shared by all its pictures, and the filtered table. */
export interface ResultFilters {
  filters: readonly ResultFilter[];
  table: ResultTable;
  choose: (name: string, choice: FilterChoice) => void;
}

interface ResultFiltersOptions {
  /** visualizations 2.3: on query pages a choice survives a refresh, in widgets it does not. */
  isKept?: boolean;
  /** The dashboard's choices by column name; they win when they change and after a refresh. Must stay the same object until then. */
  imposed?: FilterChoices;
}

export function useResultFilters(data: ResultSource, { isKept = true, imposed = noChoices }: ResultFiltersOptions = {}): ResultFilters {
  const [state, setState] = useState({ data, imposed, choices: imposed });
  let { choices } = state;
  if (state.data !== data || state.imposed !== imposed) {
    choices = nextChoices(state, data, imposed, isKept);
    setState({ data, imposed, choices });
  }
  const table = resultTable(data);
  const filters = useMemo(() => resultFilters(table, choices, imposed), [table, choices, imposed]);
  const filtered = useMemo(() => filteredTable(table, filters), [table, filters]);
  const choose = useCallback(
    (name: string, choice: FilterChoice) => setState((before) => ({ ...before, choices: new Map([...before.choices, [name, choice]]) })),
    [],
  );
  return useMemo(() => ({ filters, table: filtered, choose }), [filters, filtered, choose]);
}
