import { useSyncExternalStore } from 'react';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import type { WidgetRuns } from '../runs/WidgetRuns.ts';
import styles from './DashboardHeader.module.css';

/** Complaint 27: how old the oldest result is, and how much of it failed. */
export function RunsSummary({ runs }: { runs: WidgetRuns }) {
  const { oldest, failures } = useSyncExternalStore(runs.subscribe, runs.summary);
  if (!oldest && failures === 0) return null;
  return (
    <span className={styles.summary}>
      {oldest && (
        <>
          Oldest result <TimeAgo date={oldest} />
        </>
      )}
      {failures > 0 && (
        <span className={styles.failures}>
          {failures} {failures === 1 ? 'widget' : 'widgets'} failed
        </span>
      )}
    </span>
  );
}
