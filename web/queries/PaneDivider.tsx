import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import styles from './PaneDivider.module.css';

interface PaneDividerProps {
  /** The name of the pane that it resizes. */
  label: string;
  orientation: 'vertical' | 'horizontal';
  size: number;
  min: number;
  max: number;
  onSize: (size: number) => void;
  /** Restores the default size. */
  onReset: () => void;
}

const step = 16;

/** A line that can be dragged, or moved with the arrow keys; a double click restores the default size. */
export function PaneDivider({ label, orientation, size, min, max, onSize, onReset }: PaneDividerProps) {
  const [grip, setGrip] = useState<number | null>(null);
  const isVertical = orientation === 'vertical';
  const at = (event: PointerEvent) => (isVertical ? event.clientX : event.clientY);
  const resize = (next: number) => onSize(Math.round(Math.min(max, Math.max(min, next))));

  const onKeyDown = (event: KeyboardEvent) => {
    const [less, more] = isVertical ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key === less) resize(size - step);
    else if (event.key === more) resize(size + step);
    else if (event.key === 'Home') resize(min);
    else if (event.key === 'End') resize(max);
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey) onReset();
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves has a value, which a rule does not
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      className={`${styles.divider} ${isVertical ? styles.vertical : styles.horizontal}`}
      data-dragged={grip === null ? undefined : ''}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setGrip(at(event) - size);
      }}
      onPointerMove={(event) => grip !== null && resize(at(event) - grip)}
      onPointerUp={() => setGrip(null)}
      onPointerCancel={() => setGrip(null)}
    />
  );
}
