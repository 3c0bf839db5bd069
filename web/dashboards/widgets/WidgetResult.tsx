import type { QueryResult } from '@telltale/domain/results/contract.ts';
import { Button } from 'antd';
import { useDrawnSettings } from '../../queries/results/useDrawnSettings.ts';
import { type ChosenFilters, useChosenResult } from '../../visualizations/filters/useResultFilters.ts';
import { PictureSkeleton } from '../../visualizations/PictureSkeleton.tsx';
import { RenderBoundary } from '../../visualizations/RenderBoundary.tsx';
import { VisualizationRenderer } from '../../visualizations/VisualizationRenderer.tsx';
import type { WidgetRun } from '../runs/WidgetRuns.ts';
import type { ShownVisualization } from '../shownWidget.ts';
import styles from './Widget.module.css';

interface WidgetResultProps {
  run: WidgetRun;
  visualization: ShownVisualization;
  chosen: ChosenFilters;
  onRetry: () => void;
}

/** The picture, with an error above it. The last good result stays until there is a newer one. */
export function WidgetResult({ run, visualization, chosen, onRetry }: WidgetResultProps) {
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
        // The frame stays, so that the widget can be refreshed or removed.
        <RenderBoundary resetOn={[result, visualization]}>
          <Picture result={result} visualization={visualization} chosen={chosen} />
        </RenderBoundary>
      ) : (
        status !== 'failed' && <PictureSkeleton />
      )}
    </div>
  );
}

interface PictureProps extends Pick<WidgetResultProps, 'visualization' | 'chosen'> {
  result: QueryResult;
}

function Picture({ result, visualization, chosen }: PictureProps) {
  const settings = useDrawnSettings(visualization.query.column_display);
  const filters = useChosenResult(result.data, chosen);
  return <VisualizationRenderer data={result.data} filters={filters} visualization={visualization} settings={settings} context="widget" />;
}
