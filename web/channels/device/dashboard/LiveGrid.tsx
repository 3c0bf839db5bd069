import type { DeviceWidget } from '@telltale/domain/channels/data-contract.ts';
import { grid } from '@telltale/domain/dashboards/grid.ts';
import type { ReactNode } from 'react';
import GridLayout, { type Layout, useContainerWidth, verticalCompactor } from 'react-grid-layout';
import { useCan } from '../../../api/session.ts';
import styles from './Dashboard.module.css';
import { keyOf } from './gridLayout.ts';

const gridConfig = {
  cols: grid.columns,
  rowHeight: grid.rowPitch - grid.gap,
  margin: [grid.gap, grid.gap] as [number, number],
  containerPadding: [0, 0] as [number, number],
};
/** Below this the tiles stand in one column. */
const narrowWidth = grid.singleColumnBelow - 60;
const leastRows = 2;

interface LiveGridProps {
  widgets: readonly DeviceWidget[];
  tileOf: (widget: DeviceWidget) => ReactNode;
  /** Somebody has moved or resized a tile. */
  onPlace: (widgets: DeviceWidget[]) => void;
}

export function LiveGrid({ widgets, tileOf, onPlace }: LiveGridProps) {
  const canArrange = useCan()('manage_channel');
  const { width, containerRef, mounted } = useContainerWidth({ measureBeforeMount: true });
  const isNarrow = width < narrowWidth;
  const place = (next: Layout) => {
    const byKey = new Map(next.map((item) => [item.i, item]));
    const placed = widgets.map((widget): DeviceWidget => {
      const item = byKey.get(keyOf(widget));
      return item ? { ...widget, col: item.x, row: item.y, sizeX: item.w, sizeY: item.h } : widget;
    });
    if (JSON.stringify(placed) !== JSON.stringify(widgets)) onPlace(placed);
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
          layout={widgets.map(({ attribute, col, row, sizeX, sizeY }) => ({
            i: keyOf({ attribute }),
            x: col,
            y: row,
            w: sizeX,
            h: sizeY,
            minH: leastRows,
          }))}
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
