import { useSyncExternalStore } from 'react';
import { momentText } from '../../ui/momentText.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { timeAgo } from '../../ui/timeAgo.ts';
import { useNow } from '../../ui/useNow.ts';
import type { WidgetRuns } from '../runs/WidgetRuns.ts';
import styles from './DashboardHeader.module.css';

/** Complaint 27: the age of the oldest result, and the number of failures. */
export function RunsSummary({ runs }: { runs: WidgetRuns }) {
  const { oldest, failures } = useSyncExternalStore(runs.subscribe, runs.summary);
  if (!oldest && failures === 0) return null;
  return (
    <span className={styles.summary}>
      {oldest && <DataAge oldest={oldest} />}
      {failures > 0 && (
        <span className={styles.failures}>
          {failures} {failures === 1 ? 'widget' : 'widgets'} failed
        </span>
      )}
    </span>
  );
}

function DataAge({ oldest }: { oldest: string }) {
  const now = useNow();
  const at = new Date(oldest);
  const age = timeAgo(at, now);
  const isOld = age.endsWith(' ago');
  return (
    <Tooltip title={momentText(at)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard (screens 1.4) */}
      <time dateTime={at.toISOString()} tabIndex={0}>
        <span className={styles.words}>{isOld ? 'Data up to ' : 'Data from '}</span>
        {isOld ? `${age.slice(0, -' ago'.length)} old` : 'just now'}
      </time>
    </Tooltip>
  );
}
