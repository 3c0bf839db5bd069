import { type MappedWidget, widgetValues } from '@telltale/domain/dashboards/parameter-mapping.ts';
import { normalizeValue } from '@telltale/domain/parameters/values.ts';
import type { QueryResult } from '@telltale/domain/results/contract.ts';
import { type RefObject, useEffect, useSyncExternalStore } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import type { Values } from '../../queries/parameters/parameterValues.ts';
import { viewerTimeZone } from '../../queries/parameters/viewerClock.ts';
import { loadResult, resultOf } from '../../queries/run/resultOf.ts';
import { savedValuesToSend } from '../../queries/run/runRequest.ts';
import { useBoard } from '../board.ts';
import { type ShownQuery, storedResultOf } from '../shownWidget.ts';
import type { WidgetRun, WidgetRuns } from './WidgetRuns.ts';

interface WidgetRunOptions {
  id: number;
  query: ShownQuery;
  mapped: MappedWidget;
  /** Values of the widget's own parameters. */
  own: Values;
  /** Resolves when the code of its kind is loaded. */
  untilDrawable: () => Promise<void>;
}

/** Screens 9.4: a stored answer is shown at first; other values request a fresh one. */
export function useWidgetRun({ id, query, mapped, own, untilDrawable }: WidgetRunOptions): { run: WidgetRun; values: Values } {
  const { runs, values: dashboardValues } = useBoard();
  const { parameters, apply_auto_limit } = query.options;
  const given = widgetValues(mapped, new Map(Object.entries(dashboardValues)), new Map(Object.entries(own)));
  const values: Values = Object.fromEntries(
    parameters.map((parameter) => [parameter.name, normalizeValue(parameter, given[parameter.name])]),
  );

  const ask = async (maxAge: number, signal: AbortSignal): Promise<QueryResult> => {
    const latest = storedResultOf(query);
    if (maxAge === -1 && latest) {
      // The result may have been cleaned up since the dashboard was read.
      const stored = await loadResult(latest, signal).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      });
      if (stored) return stored;
    }
    const sent = savedValuesToSend(parameters, values, viewerTimeZone());
    return resultOf({ kind: 'saved', id: query.id, ...sent, max_age: maxAge, apply_auto_limit: apply_auto_limit ?? false }, signal);
  };
  const { stale_seconds: staleSeconds } = query;
  useEffect(() => runs.want(id, { key: `${query.id} ${JSON.stringify(values)}`, ask, untilDrawable, staleSeconds }));
  return { run: useRunOf(runs, id), values };
}

const useRunOf = (runs: WidgetRuns, id: number): WidgetRun => useSyncExternalStore(runs.subscribe, () => runs.runOf(id));

/** Tells the runs whether a widget is on the screen, or within one screen of it. */
export function useNearness(id: number, element: RefObject<HTMLElement | null>): void {
  const { runs } = useBoard();
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const state = { isVisible: false, isNear: false };
    const tell = () => runs.setNearness(id, state.isVisible ? 'visible' : state.isNear ? 'near' : 'far');
    const watch = (key: keyof typeof state, rootMargin: string) => {
      const observer = new IntersectionObserver(
        (entries) => {
          state[key] = entries.at(-1)?.isIntersecting ?? false;
          tell();
        },
        { rootMargin },
      );
      observer.observe(current);
      return observer;
    };
    const observers = [watch('isVisible', '0px'), watch('isNear', '100% 0px')];
    return () => {
      for (const observer of observers) observer.disconnect();
    };
  }, [id, element, runs]);
}
