import type { FullPosition } from '@telltale/domain/dashboards/grid.ts';
import { useEffect, useMemo, useState } from 'react';
import GridLayout, { type Layout, type LayoutItem, useContainerWidth, verticalCompactor } from 'react-grid-layout';
import { type ShownWidget, titleOfWidget } from '../shownWidget.ts';
import { WidgetView } from '../widgets/WidgetView.tsx';
import styles from './Grid.module.css';
import { inReadingOrder, type Positions } from './layout.ts';
import { gridConfig, nudged, placeText } from './moves.ts';
import { type Nudge, NudgeContext } from './nudge.ts';

interface EditGridProps {
  widgets: readonly ShownWidget[];
  positions: Positions;
  onMove: (positions: Positions, id: number) => void;
}

/** Where a finger scrolls the page, only the handle drags; a mouse takes a widget anywhere but at what it operates. */
const isTouch = matchMedia('(pointer: coarse)').matches;
const cancel = 'input, textarea, select, a, button:not([data-move]), label, .ant-select, .ant-picker, [data-no-drag]';
const dragConfig = { enabled: true, cancel, threshold: 3, ...(isTouch && { handle: '[data-move]' }) };
const resizeConfig = { enabled: true, handles: ['se' as const] };

/** D2: widgets are dragged and resized with mouse, finger and arrow keys. */
export default function EditGrid({ widgets, positions, onMove }: EditGridProps) {
  const { width, containerRef, mounted } = useContainerWidth({ measureBeforeMount: true });
  const byId = useMemo(() => new Map(widgets.map((widget) => [widget.id, widget])), [widgets]);
  const layout = useMemo(() => inReadingOrder(positions).map(([id, position]) => itemOf(id, position)), [positions]);
  const [said, say] = useState('');
  const isStill = useStillness();

  const commit = (next: Layout, id: number, isResized: boolean) => {
    const changed = new Map(
      next.flatMap((item): [number, FullPosition][] => {
        const before = positions.get(Number(item.i));
        return before ? [[Number(item.i), positionFrom(item, before, isResized && Number(item.i) === id)]] : [];
      }),
    );
    onMove(changed, id);
  };
  const nudge: Nudge = (id, step) => {
    const item = layout.find(({ i }) => Number(i) === id);
    const before = positions.get(id);
    const widget = byId.get(id);
    if (!item || !before || !widget) return;
    const next = nudged(layout, item, step);
    commit(next, id, Boolean(step.w || step.h));
    const now = next.find(({ i }) => Number(i) === id);
    if (now) say(placeText(titleOfWidget(widget), now));
  };

  return (
    <NudgeContext value={nudge}>
      <div ref={containerRef} className={`${styles.edit} ${styles.lines} ${isStill ? 'is-still' : ''}`}>
        {mounted && (
          <GridLayout
            width={width}
            layout={layout}
            gridConfig={gridConfig}
            dragConfig={dragConfig}
            resizeConfig={resizeConfig}
            compactor={verticalCompactor}
            onDragStop={(next, _, item) => item && commit(next, Number(item.i), false)}
            onResizeStop={(next, _, item) => item && commit(next, Number(item.i), true)}
          >
            {layout.flatMap(({ i }) => {
              const widget = byId.get(Number(i));
              return widget ? [<div key={i}>{<WidgetView widget={widget} />}</div>] : [];
            })}
          </GridLayout>
        )}
      </div>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </NudgeContext>
  );
}

/** D9: nothing moves in when the grid appears. */
function useStillness(): boolean {
  const [isStill, setStill] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setStill(false), 50);
    return () => clearTimeout(timer);
  }, []);
  return isStill;
}

const itemOf = (id: number, { col, row, sizeX, sizeY, minSizeX, maxSizeX, minSizeY, maxSizeY }: FullPosition): LayoutItem => ({
  i: String(id),
  x: col,
  y: row,
  w: sizeX,
  h: sizeY,
  minW: minSizeX,
  maxW: maxSizeX,
  minH: minSizeY,
  maxH: maxSizeY,
});

/** D4: who resizes a widget by hand no longer wants it to fit its content. */
const positionFrom = ({ x, y, w, h }: LayoutItem, before: FullPosition, isResized: boolean): FullPosition => ({
  ...before,
  col: x,
  row: y,
  sizeX: w,
  sizeY: h,
  autoHeight: before.autoHeight && !isResized,
});
