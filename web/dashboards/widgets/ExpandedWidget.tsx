import { Dialog } from '../../ui/Dialog.tsx';
import type { WidgetRun } from '../runs/WidgetRuns.ts';
import type { ShownVisualization } from '../shownWidget.ts';
import styles from './Widget.module.css';
import { WidgetResult } from './WidgetResult.tsx';

interface ExpandedWidgetProps {
  title: string;
  run: WidgetRun;
  visualization: ShownVisualization;
  onClose: () => void;
}

/** D9: 95 % of the window. */
export function ExpandedWidget({ title, run, visualization, onClose }: ExpandedWidgetProps) {
  return (
    <Dialog title={title} width="95%" okText="Close" hasCancel={false} closesOnMask onClose={onClose}>
      <div className={styles.expanded}>
        <WidgetResult run={run} visualization={visualization} onRetry={() => {}} />
      </div>
    </Dialog>
  );
}
