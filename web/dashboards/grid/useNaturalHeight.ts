import { type RefObject, useEffect } from 'react';
import { isLoading } from '../widgets/useFitHeight.ts';
import { keepHeights } from './keptHeights.ts';

/** Keeps how high a widget of a single column is without a least height. It gets that height at the next visit: now others would move. */
export function useNaturalHeight(cell: RefObject<HTMLElement | null>, id: number, isWanted: boolean): void {
  useEffect(() => {
    const { current } = cell;
    if (!current || !isWanted) return;
    let frame = 0;
    let kept = 0;
    const measure = () => {
      const widget = current.firstElementChild;
      if (!(widget instanceof HTMLElement) || widget.ariaBusy === 'true' || isLoading(current)) return;
      const { minHeight } = current.style;
      current.style.minHeight = '0';
      const height = Math.ceil(current.getBoundingClientRect().height);
      current.style.minHeight = minHeight;
      if (height === kept) return;
      kept = height;
      keepHeights(new Map([[id, height]]), 'column');
    };
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    });
    observer.observe(current, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [cell, id, isWanted]);
}
