import type { LiveOptions } from '@telltale/domain/dashboards/options.ts';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { liveType } from '../../grid/widgetPosition.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { PictureSkeleton } from '../../visualizations/PictureSkeleton.tsx';
import { useBoard } from '../board.ts';
import { type ShownWidget, titleOfWidget } from '../shownWidget.ts';
import { ExpandButton } from './ExpandButton.tsx';
import styles from './Widget.module.css';
import { WidgetFrame } from './WidgetFrame.tsx';
import { WidgetHeading } from './WidgetHeading.tsx';

const VisualizationRenderer = lazy(() =>
  import('../../visualizations/VisualizationRenderer.tsx').then((m) => ({ default: m.VisualizationRenderer })),
);

const noRows = { columns: [], rows: [] };

/** D2: live reports of devices. There is no query, so nothing to refresh or to download (visualizations 18). */
export function LiveWidget({ widget, live }: { widget: ShownWidget; live: LiveOptions }) {
  const { actions, isEditing } = useBoard();
  const [isExpanded, setExpanded] = useState(false);
  const title = titleOfWidget(widget);
  return (
    <WidgetFrame
      widget={widget}
      heading={<WidgetHeading title="Live uplinks" description={null} />}
      state={!isEditing && <ExpandButton title={title} onClick={() => setExpanded(true)} />}
      menu={actions ? [{ key: 'edit', label: 'Edit', onClick: () => actions.editLive(widget) }] : []}
    >
      <div className={styles.body} data-no-drag="">
        <LivePicture live={live} />
      </div>
      {isExpanded && (
        <Dialog title={title} width="95%" okText="Close" hasCancel={false} closesOnMask onClose={() => setExpanded(false)}>
          <div className={styles.expanded}>
            <LivePicture live={live} />
          </div>
        </Dialog>
      )}
    </WidgetFrame>
  );
}

function LivePicture({ live }: { live: LiveOptions }) {
  const { client_config } = useSession();
  const visualization = useMemo(() => ({ type: liveType, name: 'Live uplinks', options: live }), [live]);
  return (
    <Suspense fallback={<PictureSkeleton />}>
      <VisualizationRenderer data={noRows} visualization={visualization} settings={client_config} context="widget" />
    </Suspense>
  );
}
