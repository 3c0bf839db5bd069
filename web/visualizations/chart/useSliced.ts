import { useEffect, useMemo, useRef, useState } from 'react';
import { finish, runSliced, type Sliced } from '../table/view/sliced.ts';

interface SlicedState<T> {
  /** The former value while a new one is computed. */
  value: T | null;
  /** The progress from 0 to 1; null when no work is under way. */
  progress: number | null;
}

const fewEnough = 20_000;

/** The result of work: at once for little work, else in slices that keep the page responsive. `make` must be stable. */
export function useSliced<T>(make: (() => Sliced<T>) | null, size: number): SlicedState<T> {
  const isQuick = size <= fewEnough;
  const quick = useMemo(() => (make && isQuick ? finish(make()) : null), [make, isQuick]);
  const [made, setMade] = useState<{ make: unknown; value: T } | null>(null);
  const [failure, setFailure] = useState<{ make: unknown; error: unknown } | null>(null);
  const [progress, setProgress] = useState(0);
  const last = useRef<T | null>(null);

  useEffect(() => {
    if (!make || isQuick) return;
    const work = new AbortController();
    setProgress(0);
    runSliced(make(), { signal: work.signal, onProgress: setProgress }).then(
      (value) => {
        if (value !== undefined && !work.signal.aborted) setMade({ make, value });
      },
      (error: unknown) => setFailure({ make, error }),
    );
    return () => work.abort();
  }, [make, isQuick]);

  const ready = quick ?? (made && made.make === make ? made.value : null);
  useEffect(() => {
    if (ready !== null) last.current = ready;
  }, [ready]);
  // The boundary around the picture shows the error.
  if (failure && failure.make === make) throw failure.error;
  if (ready !== null) return { value: ready, progress: null };
  return { value: last.current, progress: make ? progress : 0 };
}
