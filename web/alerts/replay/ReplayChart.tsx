import { useMemo } from 'react';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { figureText } from '../../ui/figureText.ts';
import { TimeChart } from '../../ui/TimeChart.tsx';
import type { AlertDraft } from '../draft.ts';
import styles from './ReplayChart.module.css';
import { figureOf, replaySentence, replaySeries } from './replayPicture.ts';
import { replayDays, useReplay } from './useReplay.ts';

interface ReplayChartProps {
  draft: AlertDraft;
  /** The state of a saved alert and the time of its change: a new one means that there is more to draw. */
  moment?: string;
}

/** The watched value over time with the threshold across it, and when the alert would have fired. */
export function ReplayChart({ draft, moment = '' }: ReplayChartProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useReplay(draft, moment);
  const series = useMemo(() => (data ? replaySeries(data) : []), [data]);
  const marks = useMemo(() => [...new Set(data?.triggered.map(({ at }) => Date.parse(at)))], [data]);
  const threshold = data ? figureOf(data.threshold) : null;
  const until = Date.now();
  const oldest = Math.min(...series.map(({ points }) => points[0]?.at ?? until), ...marks, until - 3_600_000);
  const from = Math.max(oldest, until - replayDays * 86_400_000);
  return (
    <section className={styles.replay} aria-label={`Last ${replayDays} days`} aria-busy={isFetching}>
      <header className={styles.head}>
        <h2>{`Last ${replayDays} days`}</h2>
        {data && (
          <p className={styles.key} aria-hidden>
            {threshold !== null && <span className={styles.threshold}>{`threshold ${figureText(threshold)}`}</span>}
            {marks.length > 0 && <span className={styles.mark}>triggered</span>}
          </p>
        )}
      </header>
      {error && !isFetching ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <div className={isPlaceholderData ? styles.stale : undefined}>
          <TimeChart
            series={series}
            from={from}
            until={until}
            threshold={threshold ?? undefined}
            marks={marks}
            label={data ? replaySentence(data, replayDays) : ''}
            empty={emptyText(data !== undefined, isFetching, (data?.series.length ?? 0) > 0)}
          />
          <p className={styles.sentence} role="status">
            {data && replaySentence(data, replayDays)}
          </p>
        </div>
      )}
    </section>
  );
}

function emptyText(isRead: boolean, isFetching: boolean, hasValues: boolean): string {
  if (!isRead) return isFetching ? 'Loading…' : 'The watched value appears here once you have chosen it.';
  return hasValues ? 'The watched values are no figures, so they cannot be drawn.' : 'Nothing was stored in this time.';
}
