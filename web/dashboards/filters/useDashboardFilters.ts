import type { ResultData } from '@telltale/domain/results/contract.ts';
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { FilterChoice } from '../../visualizations/filters/resultFilters.ts';
import { useStable } from '../../visualizations/useStable.ts';
import type { WidgetRuns } from '../runs/WidgetRuns.ts';
import { searchText } from '../useUrlFlags.ts';
import { addressWithChoice, choicesIn, imposedChoices, offeredFilters } from './dashboardFilters.ts';

/** The choices are kept in the address, so that a link shows what its sender saw. */
export function useDashboardFilters(runs: WidgetRuns, ids: readonly number[], isEnabled: boolean) {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const results = useResults(runs, ids);
  const chosen = useMemo(() => choicesIn(new URLSearchParams(search)), [search]);
  // A control that the address brought stays when everything is chosen in it, which takes its name out of the address.
  const [arrived] = useState(chosen);
  const named = useMemo(() => (isEnabled ? 'all' : new Set([...arrived.keys(), ...chosen.keys()])), [arrived, chosen, isEnabled]);
  const filters = useMemo(() => offeredFilters(results, chosen, named), [results, chosen, named]);
  const entries = useStable(useMemo(() => [...imposedChoices(filters, chosen, isEnabled)], [filters, chosen, isEnabled]));
  const imposed = useMemo(() => new Map(entries), [entries]);
  const choose = useCallback(
    (name: string, choice: FilterChoice) => {
      const text = searchText(addressWithChoice(new URLSearchParams(search), name, choice));
      navigate({ search: text && `?${text}`, hash }, { replace: true, preventScrollReset: true });
    },
    [search, hash, navigate],
  );
  return { filters, imposed, choose };
}

/** The results that the widgets show now; the same array until one changes. */
function useResults(runs: WidgetRuns, ids: readonly number[]): readonly ResultData[] {
  const kept = useRef<readonly ResultData[]>([]);
  return useSyncExternalStore(runs.subscribe, () => {
    const next = ids.flatMap((id) => runs.runOf(id).result?.data ?? []);
    const isSame = next.length === kept.current.length && next.every((data, at) => data === kept.current[at]);
    if (!isSame) kept.current = next;
    return kept.current;
  });
}
