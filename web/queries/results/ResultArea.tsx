import type { ColumnDisplay } from '@telltale/domain/channels/attribute-display.ts';
import type { QueryResult } from '@telltale/domain/results/contract.ts';
import type { ReactNode } from 'react';
import { lazy, Suspense } from 'react';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import type { StoredOptions } from '../../visualizations/define.ts';
import { defaultVisualization } from '../../visualizations/index.ts';
import { PictureSkeleton } from '../../visualizations/PictureSkeleton.tsx';
import type { QueryRun } from '../run/useQueryRun.ts';
import styles from './ResultArea.module.css';
import { useDrawnSettings } from './useDrawnSettings.ts';

const VisualizationRenderer = lazy(() =>
  import('../../visualizations/VisualizationRenderer.tsx').then((m) => ({ default: m.VisualizationRenderer })),
);

interface ResultAreaProps {
  run: QueryRun;
  visualization: { id: number | null; type: string; name: string; options: StoredOptions } | null;
  columnDisplay?: ColumnDisplay | undefined;
  /** Keeps what the viewer has sorted or hidden as the default; for those who may change the visualization. */
  onSaveView?: ((changes: StoredOptions) => Promise<unknown>) | undefined;
  /** What to say while there is no result. */
  empty: ReactNode;
}

/** The result, old ones dimmed while a new one is made and kept with their time when that fails (complaint 6). */
export function ResultArea({ run, visualization, columnDisplay, empty, onSaveView }: ResultAreaProps) {
  const settings = useDrawnSettings(columnDisplay);
  const { result, isRunning, status } = run;
  const shown = visualization ?? defaultVisualization;
  if (!result) return <div className={styles.area}>{isRunning ? <PictureSkeleton /> : empty}</div>;
  return (
    <div className={styles.area}>
      {status === 'failed' && (
        <p className={styles.old}>
          This is the last good result, from <TimeAgo date={result.retrieved_at} />.
        </p>
      )}
      <LogLines result={result} />
      <div className={`${styles.picture} ${isRunning ? styles.dimmed : ''}`}>
        <Suspense fallback={<PictureSkeleton />}>
          <VisualizationRenderer
            data={result.data}
            visualization={shown}
            settings={settings}
            onSaveView={shown.id === null ? undefined : onSaveView}
          />
        </Suspense>
      </div>
    </div>
  );
}

function LogLines({ result: { data } }: { result: QueryResult }) {
  if (!data.log || data.log.length === 0) return null;
  return (
    <details className={styles.log} open>
      <summary>Log Information:</summary>
      <pre>{data.log.join('\n')}</pre>
    </details>
  );
}
