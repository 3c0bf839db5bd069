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
      latest.current(Math.ceil(current.getBoundingClientRect().height) + border);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, isFitted]);
}
