import type { ResultData } from '@telltale/domain/results/contract.ts';
import {
  type FilterChoice,
  type FilterChoices,
  noChoices,
  type ResultFilter,
  resultFilters,
} from '../../visualizations/filters/resultFilters.ts';
import { resultTable } from '../../visualizations/resultTable.ts';

/** One control for each filter column of any widget, with the values of all of them. */
export function combinedFilters(results: readonly Pick<ResultData, 'columns' | 'rows'>[], choices: FilterChoices): ResultFilter[] {
  const found = new Map<string, ResultFilter[]>();
  for (const data of results) {
    for (const filter of resultFilters(resultTable(data), noChoices)) {
      found.set(filter.name, [...(found.get(filter.name) ?? []), filter]);
    }
  }
  return [...found].flatMap(([name, filters]) => {
    const [first] = filters;
    if (!first) return [];
    const rows = filters.flatMap(({ values }) => values.map((value) => ({ [name]: value })));
    return resultFilters({ columns: [{ name, type: first.type }], rows, isFiltered: false }, choices, choices);
  });
}

/** visualizations 2.3: the dashboard's own filters, or those that its address names. */
export function offeredFilters(
  results: readonly Pick<ResultData, 'columns' | 'rows'>[],
  choices: FilterChoices,
  named: ReadonlySet<string> | 'all',
): ResultFilter[] {
  if (named !== 'all' && named.size === 0) return [];
  const filters = combinedFilters(results, choices);
  return named === 'all' ? filters : filters.filter(({ name }) => named.has(name));
}

/** The choices for every widget: all filters where the dashboard has them, else those of the address. */
export function imposedChoices(filters: readonly ResultFilter[], chosen: FilterChoices, isEnabled: boolean): FilterChoices {
  if (!isEnabled) return chosen;
  return new Map(
    filters.map(({ name, current, values, isMultiple }) => [name, isMultiple && current.length === values.length ? 'all' : current]),
  );
}

const reserved = /^(edit|reorder|fullscreen|refresh|hide_filter|api_key|p_.*)$/;
/** The value in an address for "nothing chosen". */
const nothing = '[]';

/** Screens 1.7: `column=value`, several times for several values. An empty one is an empty text or no value. */
export function choicesIn(address: URLSearchParams): FilterChoices {
  const names = [...new Set(address.keys())].filter((name) => !reserved.test(name));
  return new Map(
    names.map((name): [string, FilterChoice] => {
      const values = address.getAll(name);
      if (values.length === 1 && values[0] === nothing) return [name, []];
      return [name, values.flatMap((value) => (value === '' ? ['', null] : [value]))];
    }),
  );
}

export function addressWithChoice(address: URLSearchParams, name: string, choice: FilterChoice): URLSearchParams {
  const next = new URLSearchParams(address);
  next.delete(name);
  if (choice === 'all') return next;
  if (choice.length === 0) next.set(name, nothing);
  for (const value of choice) next.append(name, value === null || value === undefined ? '' : String(value));
  return next;
}
