import { type RefObject, useLayoutEffect, useState } from 'react';

/** The factor, in steps of a hundredth, by which content of natural size just fits into its place. */
export function useFit(place: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, changedBy: unknown): number {
  const [scale, setScale] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content has another size
  useLayoutEffect(() => {
    const [outer, inner] = [place.current, content.current];
    if (!outer || !inner) return;
    const fit = () => {
      const { clientWidth: width, clientHeight: height } = outer;
      const factor = Math.min(width / Math.max(1, inner.offsetWidth), height / Math.max(1, inner.offsetHeight));
      setScale(Math.max(0.01, Math.floor(factor * 100) / 100));
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(outer);
    // The font may load after the text.
    observer.observe(inner);
    return () => observer.disconnect();
  }, [place, content, changedBy]);
  return scale;
}
