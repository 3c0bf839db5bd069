import { useState } from 'react';
import type { ListState } from './listState.ts';

interface Listing {
  state: ListState;
  change: (changes: Partial<ListState>) => void;
}

/**
 * Screens 4: where the server ranks what it finds, a search drops the order, a click on a column brings one back, and clearing
 * the search restores the one before it.
 */
export function useRanking({ state, change }: Listing, { order: usual, ranksSearch = false }: { order: string; ranksSearch?: boolean }) {
  // Whoever comes by an address that names both wants both.
  const [asked, setAsked] = useState(state.q !== '' && state.order !== usual);
  const [before, setBefore] = useState(usual);
  const isRanked = ranksSearch && state.q !== '' && !asked;
  return {
    state: isRanked ? { ...state, order: '' } : state,
    change,
    setOrder: (order: string) => {
      setAsked(true);
      change({ order, page: 1 });
    },
    setSearch: (q: string) => {
      if (!ranksSearch || (state.q === '') === (q === '')) return change({ q, page: 1 });
      setAsked(false);
      if (q !== '') setBefore(state.order);
      change(q === '' ? { q, page: 1, order: before } : { q, page: 1 });
    },
  };
}
