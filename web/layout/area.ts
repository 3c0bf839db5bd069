import { useLocation } from 'react-router';
import { fetchAhead } from '../ui/fetchAhead.ts';
import { usePages } from './Pages.tsx';
import { type Area, findPage, type PageRoute } from './pageRoute.ts';

/** Screens 1.3: the active entry of the navigation follows the family of the page, not the prefix of its address. */
export function useArea(): Area | undefined {
  return findPage(usePages(), useLocation().pathname)?.area;
}

/** Loads the page's code when the pointer is on its link; a failure shows when the user goes there. */
export function preloadOf(pages: readonly PageRoute[], path: string): void {
  const page = findPage(pages, path);
  if (page) void fetchAhead(page.preload);
}
