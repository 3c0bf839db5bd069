import { useState } from 'react';
import { arrangeItems } from './arrayList.ts';
import type { ListState } from './listState.ts';
import type { ListItems } from './useList.ts';

/** A loaded list that users sort and page; its state stays in memory. */
export function useSortedItems<T>(all: readonly T[], order: string, pageSize: number): ListItems<T> {
  const [state, setState] = useState<ListState>({ q: '', page: 1, page_size: pageSize, order, tags: [] });
  const change = (changes: Partial<ListState>) => setState((before) => ({ ...before, ...changes }));
  return {
    ...arrangeItems(all, state),
    pageSize: state.page_size,
    order: state.order,
    q: state.q,
    tags: state.tags,
    isFirstLoad: false,
    isRefreshing: false,
    error: null,
    setPage: (page) => change({ page }),
    setPageSize: (page_size) => change({ page_size }),
    setOrder: (next) => change({ order: next, page: 1 }),
    setSearch: (q) => change({ q, page: 1 }),
    toggleTag: () => {},
    clearTags: () => {},
    reload: () => Promise.resolve(),
  };
}
