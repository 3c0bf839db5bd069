import { type RefObject, useEffect, useRef } from 'react';

/** Whether a skeleton stands in a widget. */
export const isLoading = (widget: HTMLElement): boolean => widget.querySelector('[role="status"], [data-loading]') !== null;

/** Complaint 29: observes the height of the content. The height of a skeleton is not reported. */
export function useFitHeight(element: RefObject<HTMLElement | null>, isFitted: boolean, onHeight: (height: number) => void): void {
  const latest = useRef(onHeight);
  latest.current = onHeight;
  useEffect(() => {
    const { current } = element;
    if (!current || !isFitted) return;
    const border = 2;
    let wasLoading = true;
    const measure = () => {
      wasLoading = isLoading(current);
      if (wasLoading) return;
      // Measures the children: the element itself is at least as high as the cell.
      const height = [...current.children].reduce((sum, part) => sum + part.getBoundingClientRect().height, border);
      latest.current(Math.ceil(height));
    };
    const observer = new ResizeObserver(measure);
    for (const part of current.children) observer.observe(part);
    const parts = new MutationObserver(() => {
      for (const part of current.children) observer.observe(part);
      // Content of the same size as its skeleton changes no size.
      if (wasLoading) measure();
    });
    parts.observe(current, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      parts.disconnect();
    };
  }, [element, isFitted]);
}
