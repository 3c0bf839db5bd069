import { type RefObject, startTransition, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { nextFrame } from '../../api/nextFrame.ts';

/** Defers work, so that visible widgets come first. */
const whenIdle = (run: () => void) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(run, { timeout: 300 }) : setTimeout(run, 50);

/**
 * Whether an element is to be drawn: at once, with the next frame, or later, when it has been on the screen or within one screen of it. A
 * distant element costs nothing until the user scrolls near it, or prints the page.
 */
export function useNearScreen(element: RefObject<HTMLElement | null>, first: 'now' | 'next' | 'later'): boolean {
  const [isNear, setNear] = useState(first === 'now');
  useEffect(() => {
    if (first === 'next') void nextFrame().then(() => setNear(true));
  }, [first]);
  useEffect(() => {
    const { current } = element;
    if (isNear || !current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) whenIdle(() => startTransition(() => setNear(true)));
      },
      { rootMargin: '100% 0px' },
    );
    observer.observe(current);
    const onPrint = () => flushSync(() => setNear(true));
    addEventListener('beforeprint', onPrint);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', onPrint);
    };
  }, [element, isNear]);
  return isNear;
}
