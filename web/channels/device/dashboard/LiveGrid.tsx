import type { DeviceWidget } from '@telltale/domain/channels/data-contract.ts';
import { grid } from '@telltale/domain/dashboards/grid.ts';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import GridLayout, { type Layout, type LayoutItem, useContainerWidth, verticalCompactor } from 'react-grid-layout';
import { useCan } from '../../../api/session.ts';
import { gridConfig, nudged, placeText } from '../../../grid/moves.ts';
import { stepOf } from '../../../grid/nudge.ts';
import styles from './Dashboard.module.css';
import { keyOf, titleOf } from './gridLayout.ts';
import { type TileGrip, TileGripContext } from './TileGrip.tsx';

/** On narrower pages the tiles stand in one column. */
const narrowWidth = grid.singleColumnBelow - 60;
const leastRows = 2;

interface LiveGridProps {
  widgets: readonly DeviceWidget[];
  tileOf: (widget: DeviceWidget) => ReactNode;
  /** Called when a tile was moved or resized. */
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
  const [said, say] = useState('');
  const layout = widgets.map((widget) => itemOf(widget));
  const nudge: TileGrip = (title, event: KeyboardEvent) => {
    const step = stepOf(event);
    const item = layout[widgets.findIndex((widget) => titleOf(widget) === title)];
    if (!step || !item) return;
    event.preventDefault();
    const next = nudged(layout, item, step);
    place(next);
    const now = next.find(({ i }) => i === item.i);
    if (now) say(placeText(title, now));
  };
  return (
    <div ref={containerRef} className={styles.grid}>
      <span role="status" className="visually-hidden">
        {said}
      </span>
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
        <TileGripContext value={canArrange ? nudge : null}>
          <GridLayout
            width={width}
            layout={layout}
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
        </TileGripContext>
      )}
    </div>
  );
}

const itemOf = ({ attribute, col, row, sizeX, sizeY }: DeviceWidget): LayoutItem => ({
  i: keyOf({ attribute }),
  x: col,
  y: row,
  w: sizeX,
  h: sizeY,
  minH: leastRows,
});
