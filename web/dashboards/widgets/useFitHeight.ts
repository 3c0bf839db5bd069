import { type RefObject, useEffect, useRef } from 'react';

/** Complaint 29: how high the content is, told by the browser when that changes. A skeleton says nothing about what comes. */
export function useFitHeight(element: RefObject<HTMLElement | null>, isFitted: boolean, onHeight: (height: number) => void): void {
  const latest = useRef(onHeight);
  latest.current = onHeight;
  useEffect(() => {
    const { current } = element;
    if (!current || !isFitted) return;
    const border = 2;
    const measure = () => {
      if (current.querySelector('[role="status"]')) return;
      // Its parts, not itself: it is at least as high as the cell.
      const height = [...current.children].reduce((sum, part) => sum + part.getBoundingClientRect().height, border);
      latest.current(Math.ceil(height));
    };
    const observer = new ResizeObserver(measure);
    for (const part of current.children) observer.observe(part);
    const parts = new MutationObserver(() => {
      for (const part of current.children) observer.observe(part);
    });
    parts.observe(current, { childList: true });
    return () => {
      observer.disconnect();
      parts.disconnect();
    };
  }, [element, isFitted]);
}
