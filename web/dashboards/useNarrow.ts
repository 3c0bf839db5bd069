import { grid } from '@telltale/domain/dashboards/grid.ts';
import { useMatches } from '../ui/useMatches.ts';

/** Screens 9.3: on narrow screens the grid is a single column. */
export const useNarrow = (): boolean => useMatches(`(max-width: ${grid.singleColumnBelow}px)`);
