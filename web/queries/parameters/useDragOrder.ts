import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

interface Drag {
  from: number;
  to: number;
}

/** Items in wrapping rows: one is dragged to another's place by its handle, or moved with the arrow keys. */
export function useDragOrder(count: number, onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);

  const start = (event: PointerEvent<HTMLElement>, from: number) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    let to = from;
    const over = ({ clientX, clientY }: globalThis.PointerEvent) => {
      to = nearest(list.current, clientX, clientY) ?? from;
      setDrag({ from, to });
    };
    const end = (isDropped: boolean) => {
      handle.removeEventListener('pointermove', over);
      handle.removeEventListener('pointerup', drop);
      handle.removeEventListener('pointercancel', cancel);
      setDrag(null);
      if (isDropped && to !== from) onMove(from, to);
    };
    const drop = () => end(true);
    const cancel = () => end(false);
    handle.addEventListener('pointermove', over);
    handle.addEventListener('pointerup', drop);
    handle.addEventListener('pointercancel', cancel);
  };

  const handleProps = (at: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => start(event, at),
    onKeyDown: (event: KeyboardEvent) => {
      const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      if (to >= 0 && to < count) onMove(at, to);
    },
  });
  const stateOf = (at: number): 'dragged' | 'before' | 'after' | undefined => {
    if (!drag) return undefined;
    if (at === drag.from) return 'dragged';
    return at === drag.to ? (drag.to < drag.from ? 'before' : 'after') : undefined;
  };
  return { list, handleProps, stateOf };
}

/** The marked child whose middle is closest. */
function nearest(list: HTMLElement | null, x: number, y: number): number | null {
  const distances = [...(list?.querySelectorAll(':scope > [data-sortable]') ?? [])].map((child) => {
    const { left, width, top, height } = child.getBoundingClientRect();
    return Math.hypot(x - (left + width / 2), y - (top + height / 2));
  });
  return distances.length === 0 ? null : distances.indexOf(Math.min(...distances));
}
