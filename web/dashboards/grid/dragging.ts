import { grid } from '@telltale/domain/dashboards/grid.ts';

export interface Drag {
  id: number;
  /** `size` when the corner was taken. */
  kind: 'place' | 'size';
  /** Column and row where the item was let go, or its width and height in them. */
  column: number;
  row: number;
}

export interface DragListener {
  /** Called for every new place or size while the pointer is down. */
  onChange: (drag: Drag) => void;
  /** Called when the pointer is let go; null when the drag was given up. */
  onEnd: (drag: Drag | null) => void;
}

/** A mouse takes a widget anywhere but at what it operates; a finger scrolls the page, so only the handle drags. */
const operated = 'input, textarea, select, a, button:not([data-move]), label, .ant-select, .ant-picker, [data-no-drag]';
const thresholdPx = 3;

interface Grip {
  id: number;
  kind: Drag['kind'];
  cell: HTMLElement;
  pointerId: number;
  /** Where the pointer was taken and where the cell stood then, in pixels of the grid. */
  from: { x: number; y: number };
  box: { left: number; top: number; width: number; height: number };
}

/**
 * Lets people drag and resize the cells (`[data-cell]`) of a grid with mouse, pen and finger. The taken cell follows the pointer by its
 * own style, so nothing is drawn anew on the way; Escape gives the drag up. Answers a function that ends it all.
 */
export function watchDragging(container: HTMLElement, { onChange, onEnd }: DragListener): () => void {
  let grip: Grip | null = null;
  let last: Drag | null = null;
  let pointer = { clientX: 0, clientY: 0 };

  const inGrid = ({ clientX, clientY }: typeof pointer) => {
    const { left, top } = container.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };

  const follow = () => {
    if (!grip) return;
    const at = inGrid(pointer);
    const by = { x: at.x - grip.from.x, y: at.y - grip.from.y };
    if (!last && Math.hypot(by.x, by.y) < thresholdPx) return;
    if (!last) {
      container.setPointerCapture(grip.pointerId);
      grip.cell.dataset.dragged = '';
    }
    const next = dragOf(grip, by, container);
    show(grip, by);
    if (last && last.column === next.column && last.row === next.row) return;
    last = next;
    onChange(next);
  };

  const end = (isDone: boolean) => {
    if (!grip) return;
    const { cell } = grip;
    const drag = last;
    grip = null;
    last = null;
    delete cell.dataset.dragged;
    cell.style.transform = cell.style.width = cell.style.height = '';
    if (drag) onEnd(isDone ? drag : null);
  };

  const start = (event: PointerEvent) => {
    const { target, button, pointerType, pointerId } = event;
    if (grip || button !== 0 || !(target instanceof Element)) return;
    const cell = target.closest<HTMLElement>('[data-cell]');
    if (!cell || !container.contains(cell)) return;
    const isCorner = target.closest('[data-resize]') !== null;
    const isHandle = target.closest('[data-move]') !== null;
    const isFree = pointerType === 'mouse' && target.closest(operated) === null;
    if (!isCorner && !isHandle && !isFree) return;
    pointer = event;
    const { left, top, width, height } = cell.getBoundingClientRect();
    const corner = inGrid({ clientX: left, clientY: top });
    const box = { left: corner.x, top: corner.y, width, height };
    grip = { id: Number(cell.dataset.cell), kind: isCorner ? 'size' : 'place', cell, pointerId, from: inGrid(event), box };
  };

  const ended = new AbortController();
  const { signal } = ended;
  container.addEventListener('pointerdown', start, { signal });
  container.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId !== grip?.pointerId) return;
      pointer = event;
      follow();
    },
    { signal },
  );
  const isOwn = ({ pointerId }: PointerEvent) => pointerId === grip?.pointerId;
  addEventListener('pointerup', (event) => isOwn(event) && end(true), { signal });
  addEventListener('pointercancel', (event) => isOwn(event) && end(false), { signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal });
  addEventListener('scroll', follow, { signal, capture: true, passive: true });
  document.addEventListener('selectstart', (event) => grip && event.preventDefault(), { signal });
  return () => {
    end(false);
    ended.abort();
  };
}

/** The place or size that is nearest to where the pointer is. */
function dragOf({ id, kind, box }: Grip, by: { x: number; y: number }, container: HTMLElement): Drag {
  const columnPitch = (container.clientWidth - paddingOf(container) + grid.gap) / grid.columns;
  const [x, y] =
    kind === 'size'
      ? [box.width + grid.gap, box.height + grid.gap]
      : [box.left - paddingOf(container) / 2, box.top - paddingOf(container) / 2];
  return { id, kind, column: Math.round((x + by.x) / columnPitch), row: Math.round((y + by.y) / grid.rowPitch) };
}

const paddingOf = (container: HTMLElement) => 2 * Number.parseFloat(getComputedStyle(container).paddingLeft || '0');

function show({ kind, cell, box }: Grip, by: { x: number; y: number }): void {
  if (kind === 'place') {
    cell.style.transform = `translate(${by.x}px, ${by.y}px)`;
    return;
  }
  cell.style.width = `${Math.max(40, box.width + by.x)}px`;
  cell.style.height = `${Math.max(20, box.height + by.y)}px`;
}
