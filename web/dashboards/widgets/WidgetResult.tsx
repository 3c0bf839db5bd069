import type { QueryResult } from '@telltale/domain/results/contract.ts';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useSession } from '../../api/session.ts';
import { useResultFilters } from '../../visualizations/filters/useResultFilters.ts';
import { PictureSkeleton } from '../../visualizations/PictureSkeleton.tsx';
import { RenderBoundary } from '../../visualizations/RenderBoundary.tsx';
import { VisualizationRenderer } from '../../visualizations/VisualizationRenderer.tsx';
import { useBoard } from '../board.ts';
import type { WidgetRun } from '../runs/WidgetRuns.ts';
import type { ShownVisualization } from '../shownWidget.ts';
import styles from './Widget.module.css';

interface WidgetResultProps {
  run: WidgetRun;
  visualization: ShownVisualization;
  onRetry: () => void;
}

/** The picture; above it what went wrong. The last good result stays until there is a newer one. */
export function WidgetResult({ run, visualization, onRetry }: WidgetResultProps) {
  const { result, status, fault } = run;
  return (
    <div className={styles.body} data-no-drag="">
      {status === 'failed' && (
        <div className={styles.failure} role="alert">
          <p>
            <strong>Error running query:</strong> {fault}
          </p>
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
      {result ? (
        // Its frame stays, and with it the way to refresh or to remove it.
        <RenderBoundary resetOn={[result, visualization]}>
          <Picture result={result} visualization={visualization} />
        </RenderBoundary>
      ) : (
        status !== 'failed' && <PictureSkeleton />
      )}
    </div>
  );
}

function Picture({ result, visualization }: { result: QueryResult; visualization: ShownVisualization }) {
  const { imposed, hasOwnFilters } = useBoard();
  const { client_config } = useSession();
  const filters = useResultFilters(result.data, { isKept: false, imposed });
  // What is chosen for the whole dashboard is not offered once more.
  const shown = useMemo(
    () => (hasOwnFilters ? filters : { ...filters, filters: filters.filters.filter(({ name }) => !imposed.has(name)) }),
    [filters, imposed, hasOwnFilters],
  );
  return (
    <VisualizationRenderer data={result.data} filters={shown} visualization={visualization} settings={client_config} context="widget" />
  );
}
