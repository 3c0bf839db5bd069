import { Dialog } from '../../ui/Dialog.tsx';
import type { ChosenFilters } from '../../visualizations/filters/useResultFilters.ts';
import type { WidgetRun } from '../runs/WidgetRuns.ts';
import type { ShownVisualization } from '../shownWidget.ts';
import styles from './Widget.module.css';
import { WidgetResult } from './WidgetResult.tsx';

interface ExpandedWidgetProps {
  title: string;
  run: WidgetRun;
  visualization: ShownVisualization;
  chosen: ChosenFilters;
  onClose: () => void;
}

/** D9: 95 % of the window. */
export function ExpandedWidget({ title, run, visualization, chosen, onClose }: ExpandedWidgetProps) {
  return (
    <Dialog title={title} width="95%" okText="Close" hasCancel={false} closesOnMask onClose={onClose}>
      <div className={styles.expanded}>
        <WidgetResult run={run} visualization={visualization} chosen={chosen} onRetry={() => {}} />
      </div>
    </Dialog>
  );
}
