import { useCallback, useMemo, useState } from 'react';
import { type ColumnWindow, columnWindow } from './columnWidths.ts';
import { mostDrawnColumns } from './sizes.ts';

const beside = 3;

/** The columns to draw; all of them where they are few. `look` gets the scroll position. */
export function useColumnWindow(widths: readonly number[], width: number): ColumnWindow & { look: (left: number) => void } {
  const isWide = widths.length > mostDrawnColumns;
  const [left, setLeft] = useState(0);
  const look = useCallback((next: number) => isWide && setLeft(next), [isWide]);
  const { first, end } = useMemo(
    () => (isWide ? columnWindow(widths, left, width || 1000, beside) : { first: 0, end: widths.length }),
    [isWide, widths, left, width],
  );
  return useMemo(() => ({ first, end, look }), [first, end, look]);
}
