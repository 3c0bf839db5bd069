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

/** The choices of a viewer and of the dashboard. They are kept apart from the filters, because reading a broken result may throw. */
export interface ChosenFilters {
  choices: FilterChoices;
  imposed: FilterChoices;
  choose: ResultFilters['choose'];
}

export const useResultFilters = (data: ResultSource, options?: ResultFiltersOptions): ResultFilters =>
  useChosenResult(data, useFilterChoices(data, options));

export function useFilterChoices(data: unknown, { isKept = true, imposed = noChoices }: ResultFiltersOptions = {}): ChosenFilters {
  const [state, setState] = useState({ data, imposed, choices: imposed });
  let { choices } = state;
  if (state.data !== data || state.imposed !== imposed) {
    choices = nextChoices(state, data, imposed, isKept);
    setState({ data, imposed, choices });
  }
  const choose = useCallback(
    (name: string, choice: FilterChoice) => setState((before) => ({ ...before, choices: new Map([...before.choices, [name, choice]]) })),
    [],
  );
  return useMemo(() => ({ choices, imposed, choose }), [choices, imposed, choose]);
}

export function useChosenResult(data: ResultSource, { choices, imposed, choose }: ChosenFilters): ResultFilters {
  const table = resultTable(data);
  const filters = useMemo(() => resultFilters(table, choices, imposed), [table, choices, imposed]);
  const filtered = useMemo(() => filteredTable(table, filters), [table, filters]);
  return useMemo(() => ({ filters, table: filtered, choose }), [filters, filtered, choose]);
}
