import type { FullPosition } from '@telltale/domain/dashboards/grid.ts';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Layout, LayoutItem } from 'react-grid-layout';
import { movedTo, nudged, placeText, resizedTo } from '../../grid/moves.ts';
import type { Nudge } from '../../grid/nudge.ts';
import { type ShownWidget, titleOfWidget } from '../shownWidget.ts';
import { type Drag, watchDragging } from './dragging.ts';
import styles from './Grid.module.css';
import { areaOf, inReadingOrder, type Positions } from './layout.ts';

interface EditLayerProps {
  /** The element that holds the cells. */
  container: RefObject<HTMLElement | null>;
  widgets: readonly ShownWidget[];
  positions: Positions;
  onMove: (positions: Positions, id: number) => void;
  /** Where everything would stand; null when nothing is being dragged. */
  onPreview: (preview: { positions: Positions; id: number } | null) => void;
  /** Hands out what the arrow keys do, and null when editing has ended. */
  onNudge: (nudge: (() => Nudge) | null) => void;
}

/** D2: widgets are dragged and resized with mouse, finger and arrow keys. It draws where the dragged one would stand. */
export default function EditLayer({ container, widgets, positions, onMove, onPreview, onNudge }: EditLayerProps) {
  const layout = useMemo(() => inReadingOrder(positions).map(([id, position]) => itemOf(id, position)), [positions]);
  const [target, setTarget] = useState<FullPosition | null>(null);
  const [said, say] = useState('');

  const positionsOf = (next: Layout, resized: number | null): Map<number, FullPosition> =>
    new Map(
      next.flatMap((item): [number, FullPosition][] => {
        const before = positions.get(Number(item.i));
        return before ? [[Number(item.i), positionFrom(item, before, Number(item.i) === resized)]] : [];
      }),
    );
  const findItem = (id: number) => layout.find(({ i }) => Number(i) === id);
  const dropped = ({ id, kind, column, row }: Drag): Map<number, FullPosition> | null => {
    const item = findItem(id);
    if (!item) return null;
    return kind === 'size' ? positionsOf(resizedTo(layout, item, column, row), id) : positionsOf(movedTo(layout, item, column, row), null);
  };
  const preview = (drag: Drag) => {
    const next = dropped(drag);
    if (next) onPreview({ positions: next, id: drag.id });
    setTarget(next?.get(drag.id) ?? null);
  };
  const end = (drag: Drag | null) => {
    const next = drag && dropped(drag);
    onPreview(null);
    setTarget(null);
    if (drag && next) onMove(next, drag.id);
  };
  const nudge: Nudge = (id, step) => {
    const item = findItem(id);
    const widget = widgets.find((one) => one.id === id);
    if (!item || !widget) return;
    const next = nudged(layout, item, step);
    onMove(positionsOf(next, step.w || step.h ? id : null), id);
    const now = next.find(({ i }) => Number(i) === id);
    if (now) say(placeText(titleOfWidget(widget), now));
  };

  const latest = useRef({ preview, end, nudge });
  latest.current = { preview, end, nudge };
  useEffect(() => {
    if (!container.current) return;
    return watchDragging(container.current, {
      onChange: (drag) => latest.current.preview(drag),
      onEnd: (drag) => latest.current.end(drag),
    });
  }, [container]);
  useEffect(() => {
    onNudge(() => (id, step) => latest.current.nudge(id, step));
    return () => onNudge(null);
  }, [onNudge]);
  return (
    <>
      {target && <div className={styles.target} style={areaOf(target)} />}
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  );
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
