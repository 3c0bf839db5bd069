import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { type DeviceWidget, deviceDataApi } from '@telltale/domain/channels/data-contract.ts';
import { grid } from '@telltale/domain/dashboards/grid.ts';
import { useMemo, useState } from 'react';
import GridLayout, { type Layout, useContainerWidth, verticalCompactor } from 'react-grid-layout';
import { useRead, useWrite } from '../../../api/query.ts';
import { useCan } from '../../../api/session.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FormSkeleton } from '../../../ui/FormSkeleton.tsx';
import { deviceAt } from '../../useChannels.ts';
import { useLastValues, useSparklines } from '../data/useDeviceData.ts';
import type { DeviceFeed } from '../useDeviceFeed.ts';
import styles from './Dashboard.module.css';
import { FeedTile } from './FeedTile.tsx';
import { arranged, keyOf } from './gridLayout.ts';
import { ValueTile } from './ValueTile.tsx';

const gridConfig = {
  cols: grid.columns,
  rowHeight: grid.rowPitch - grid.gap,
  margin: [grid.gap, grid.gap] as [number, number],
  containerPadding: [0, 0] as [number, number],
};

/** D2: a ready-made live grid: every value of the device, and its uplinks as they come. */
export default function DeviceDashboard({ device, feed }: { device: DeviceDetail; feed: DeviceFeed }) {
  const params = deviceAt(device);
  const { values, isPending } = useLastValues(device, feed);
  const pointsOf = useSparklines(device, feed);
  const layout = useRead(deviceDataApi.layout, { params });
  const save = useWrite(deviceDataApi.saveLayout, { refresh: [deviceDataApi.layout], failed: 'Widget cannot be updated' });
  const canArrange = useCan()('manage_channel');
  const [moved, setMoved] = useState<readonly DeviceWidget[] | null>(null);
  const { width, containerRef, mounted } = useContainerWidth({ measureBeforeMount: true });
  const saved = moved ?? layout.data?.widgets;
  const names = values.map(({ attribute }) => attribute).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only names decide where tiles stand, values change all the time
  const widgets = useMemo(() => arranged(saved ?? [], values), [saved, names]);

  if (layout.error && !layout.data) return <ErrorState error={layout.error} onRetry={layout.refetch} />;
  if (isPending || layout.isPending) return <FormSkeleton rows={4} />;
  if (values.length === 0) return <EmptyState>This device has not reported yet. Its values appear here as soon as it does.</EmptyState>;

  const isNarrow = width > 0 && width < grid.singleColumnBelow - 60;
  const place = (next: Layout) => {
    const byKey = new Map(next.map((item) => [item.i, item]));
    const placed = widgets.map((widget): DeviceWidget => {
      const item = byKey.get(keyOf(widget));
      return item ? { ...widget, col: item.x, row: item.y, sizeX: item.w, sizeY: item.h } : widget;
    });
    if (JSON.stringify(placed) === JSON.stringify(widgets)) return;
    setMoved(placed);
    // What could not be kept goes back to where it was.
    save.mutate({ params, body: { widgets: placed } }, { onError: () => setMoved(null) });
  };
  const tileOf = ({ attribute }: DeviceWidget) => {
    if (attribute === null) return <FeedTile device={device} />;
    const value = values.find((one) => one.attribute === attribute);
    return value && <ValueTile value={value} points={pointsOf(attribute)} />;
  };
  return (
    <div ref={containerRef} className={styles.grid}>
      {mounted && isNarrow && (
        <div className={styles.column}>
          {widgets.map((widget) => (
            <div key={keyOf(widget)} className={widget.attribute === null ? styles.tall : styles.cell}>
              {tileOf(widget)}
            </div>
          ))}
        </div>
      )}
      {mounted && !isNarrow && (
        <GridLayout
          width={width}
          layout={widgets.map((widget) => ({ i: keyOf(widget), x: widget.col, y: widget.row, w: widget.sizeX, h: widget.sizeY, minH: 2 }))}
          gridConfig={gridConfig}
          dragConfig={{ enabled: canArrange, handle: '[data-move]', threshold: 3 }}
          resizeConfig={{ enabled: canArrange, handles: ['se'] }}
          compactor={verticalCompactor}
          onDragStop={place}
          onResizeStop={place}
        >
          {widgets.map((widget) => (
            <div key={keyOf(widget)}>{tileOf(widget)}</div>
          ))}
        </GridLayout>
      )}
    </div>
  );
}
