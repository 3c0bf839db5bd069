import { type ComponentType, lazy } from 'react';
import { fetchAhead } from './fetchAhead.ts';

/** A rarely needed part that must not fail then (offline, signed out): its code is fetched while the browser is idle. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  let loading: Promise<{ default: ComponentType<P> }> | null = null;
  const preload = () => {
    loading ??= load().then((Part) => ({ default: Part }));
    loading.catch(() => {
      loading = null;
    });
    return loading;
  };
  return { Part: lazy(preload), preloadWhenIdle: () => whenIdle(() => void fetchAhead(preload)) };
}

function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 2000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 5000 });
  return () => cancelIdleCallback(handle);
}
