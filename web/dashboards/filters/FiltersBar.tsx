import { lazy, Suspense, useSyncExternalStore } from 'react';
import { useSession } from '../../api/session.ts';
import type { WidgetRuns } from '../runs/WidgetRuns.ts';
import styles from './FiltersBar.module.css';
import type { useDashboardFilters } from './useDashboardFilters.ts';

const Filters = lazy(() => import('../../visualizations/filters/Filters.tsx'));

interface FiltersBarProps {
  state: ReturnType<typeof useDashboardFilters>;
  /** The dashboard has filters of its own. */
  isWanted: boolean;
  runs: WidgetRuns;
}

/** D2: one bar for all widgets. Its place is reserved until the results tell which filters there are. */
export function FiltersBar({ state: { filters, choose }, isWanted, runs }: FiltersBarProps) {
  const { client_config } = useSession();
  const { isBusy, oldest } = useSyncExternalStore(runs.subscribe, runs.summary);
  const isExpected = isWanted && (isBusy || oldest === null);
  if (filters.length === 0) return isExpected ? <div className={`${styles.bar} ${styles.place}`} /> : null;
  return (
    <div className={styles.bar}>
      <Suspense fallback={<div className={styles.place} />}>
        <Filters filters={filters} settings={client_config} onChoose={choose} />
      </Suspense>
    </div>
  );
}
