import { useState } from 'react';
import type { ListState } from './listState.ts';

interface Listing {
  state: ListState;
  change: (changes: Partial<ListState>) => void;
}

/**
 * Screens 4: where the server ranks matches, a search drops the order, a click on a column sets one, and clearing the search restores the
 * former one.
 */
export function useRanking({ state, change }: Listing, { order: usual, ranksSearch = false }: { order: string; ranksSearch?: boolean }) {
  // An address with both a search and an order keeps both.
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
