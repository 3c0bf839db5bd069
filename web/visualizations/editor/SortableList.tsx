import HolderOutlined from '@ant-design/icons/HolderOutlined';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import styles from './SortableList.module.css';

interface SortableListProps<T> {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  nameOf: (item: T) => string;
  /** Draws an item with its drag handle. */
  children: (item: T, handle: ReactNode) => ReactNode;
  onMove: (from: number, to: number) => void;
}

/** Items are dragged by their handle, or moved with the arrow keys while the handle has the focus. */
export function SortableList<T>({ label, items, keyOf, nameOf, children, onMove }: SortableListProps<T>) {
  const list = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const [said, say] = useState('');

  const move = (from: number, to: number) => {
    const item = items[from];
    if (item === undefined || to < 0 || to >= items.length || from === to) return;
    onMove(from, to);
    say(`${nameOf(item)} is now ${to + 1} of ${items.length}.`);
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(at, to);
  };
  const startDrag = (event: PointerEvent<HTMLButtonElement>, from: number) => {
    if (event.button !== 0 || !list.current) return;
    event.preventDefault();
    event.currentTarget.focus();
    followPointer(list.current, event.currentTarget, event.pointerId, {
      onOver: (to) => setDrag({ from, to }),
      onDrop: (to) => {
        setDrag(null);
        if (to !== null) move(from, to);
      },
    });
  };

  return (
    <>
      <ul ref={list} className={styles.list} aria-label={label}>
        {items.map((item, at) => (
          <li key={keyOf(item)} className={stateOf(drag, at)}>
            {children(
              item,
              <button
                type="button"
                className={styles.handle}
                aria-label={`Move ${nameOf(item)}`}
                title="Drag, or use the arrow keys"
                onPointerDown={(event) => startDrag(event, at)}
                onKeyDown={(event) => onKeyDown(event, at)}
              >
                <HolderOutlined aria-hidden />
              </button>,
            )}
          </li>
        ))}
      </ul>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}

function stateOf(drag: { from: number; to: number } | null, at: number): string | undefined {
  if (!drag) return undefined;
  if (at === drag.from) return styles.dragged;
  if (at !== drag.to) return undefined;
  return drag.to < drag.from ? styles.before : styles.after;
}

interface Following {
  onOver: (to: number) => void;
  onDrop: (to: number | null) => void;
}

/** Items stay in place until the drop, so the pointer stays on the handle. */
function followPointer(list: HTMLElement, handle: HTMLElement, pointerId: number, { onOver, onDrop }: Following): void {
  let to: number | null = null;
  const onMove = ({ clientY }: globalThis.PointerEvent) => {
    const items = [...list.children];
    const found = items.findIndex((item) => clientY < item.getBoundingClientRect().bottom);
    to = found < 0 ? items.length - 1 : found;
    items[to]?.scrollIntoView({ block: 'nearest' });
    onOver(to);
  };
  const end = (result: () => number | null) => {
    handle.removeEventListener('pointermove', onMove);
    handle.removeEventListener('pointerup', onUp);
    handle.removeEventListener('pointercancel', onCancel);
    onDrop(result());
  };
  const onUp = () => end(() => to);
  const onCancel = () => end(() => null);
  handle.setPointerCapture(pointerId);
  handle.addEventListener('pointermove', onMove);
  handle.addEventListener('pointerup', onUp);
  handle.addEventListener('pointercancel', onCancel);
}
