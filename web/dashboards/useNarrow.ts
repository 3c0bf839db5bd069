import { grid } from '@telltale/domain/dashboards/grid.ts';
import { useSyncExternalStore } from 'react';

const query = matchMedia(`(max-width: ${grid.singleColumnBelow}px)`);
const subscribe = (listener: () => void) => {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

/** Screens 9.3: there the grid is a single column. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query.matches);
