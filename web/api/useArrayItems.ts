import { pageInRange } from '@telltale/domain/lists/paging.ts';
import { useState } from 'react';
import type { ListItems } from './useList.ts';

const nothing = () => {};

/** A loaded list, page by page and in its own order. */
export function useArrayItems<T>(all: readonly T[], pageSize: number): ListItems<T> {
  const [asked, setPage] = useState(1);
  const page = pageInRange(asked, pageSize, all.length);
  return {
    items: all.slice((page - 1) * pageSize, page * pageSize),
    total: all.length,
    page,
    pageSize,
    order: '',
    q: '',
    tags: [],
    isFirstLoad: false,
    isRefreshing: false,
    error: null,
    setPage,
    setPageSize: nothing,
    setOrder: nothing,
    setSearch: nothing,
    toggleTag: nothing,
    clearTags: nothing,
    reload: () => Promise.resolve(),
  };
}
