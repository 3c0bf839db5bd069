import { useSyncExternalStore } from 'react';

/** Users whose system asks for more contrast get patterns and dashes beside the colours. */
const asked = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-contrast: more), (forced-colors: active)');

function listen(listener: () => void): () => void {
  asked?.addEventListener('change', listener);
  return () => asked?.removeEventListener('change', listener);
}

export const useHasPatterns = (): boolean => useSyncExternalStore(listen, () => asked?.matches ?? false);
