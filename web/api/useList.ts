import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput, Endpoint, ReplyOf } from '@telltale/domain/endpoint.ts';
import type { Page } from '@telltale/domain/lists/contract.ts';
import { pageInRange } from '@telltale/domain/lists/paging.ts';
import { useEffect } from 'react';
import { ApiError } from './ApiError.ts';
import { arrangeItems } from './arrayList.ts';
import { call } from './call.ts';
import { type ListState, toggledTags } from './listState.ts';
import { queryKey } from './queryKey.ts';
import { type ListStateOptions, useListState } from './useListState.ts';
import { useRanking } from './useRanking.ts';

/** The type of a list endpoint's items, whether it answers an array or a page. */
export type ItemOf<E extends Endpoint> =
  ReplyOf<E> extends infer R ? (R extends readonly (infer T)[] ? T : R extends { results: (infer T)[] } ? T : never) : never;

export interface ListOptions<E extends Endpoint> extends ListStateOptions {
  params?: CallInput<E>['params'];
  /** Fixed filters beside the state of the list. */
  query?: CallInput<E>['query'];
  /** For whole lists: the text to search in; by default all texts of the item. */
  textOf?: (item: ItemOf<E>) => string;
  /** For whole lists: where an item has the value of an order that the API calls otherwise. */
  orderPaths?: Readonly<Record<string, string>>;
  enabled?: boolean;
  /** The interval for lists that change by themselves: they are loaded again silently. */
  refetchMs?: number;
  /** Screens 4: while searching the best match comes first, unless the user chooses an order. */
  ranksSearch?: boolean;
}

export interface ListItems<T> {
  items: T[];
  total: number;
  page: number;
  pageSize: number;
  order: string;
  q: string;
  tags: readonly string[];
  /** There is nothing to show yet: draw skeleton rows. */
  isFirstLoad: boolean;
  /** The rows are stale: dim them. */
  isRefreshing: boolean;
  error: ApiError | null;
  setPage: (page: number) => void;
  setPageSize: (pageSize: number) => void;
  setOrder: (order: string) => void;
  /** Applies at once; a search box waits 200 ms before it calls this. */
  setSearch: (q: string) => void;
  toggleTag: (tag: string, isSet?: boolean) => void;
  clearTags: () => void;
  reload: () => Promise<unknown>;
}

/** One hook for every list: pages come from the server, whole arrays are searched, sorted and paged here. */
export function useList<E extends Endpoint>(endpoint: E, options: ListOptions<E>): ListItems<ItemOf<E>> {
  const { state, setOrder, setSearch, change } = useRanking(useListState(options), options);
  const client = useQueryClient();
  const isPaged = endpoint.reply.type === 'object';
  const inputFor = (page: number) => ({
    params: options.params as object | undefined,
    query: { ...(options.query as object | undefined), ...(isPaged ? queryOf({ ...state, page }) : {}) },
  });

  const read = useQuery<Page<ItemOf<E>> | ItemOf<E>[], ApiError>({
    queryKey: queryKey(endpoint, inputFor(state.page)),
    queryFn: ({ signal }) => {
      const get = (page: number) => call(endpoint as Endpoint, inputFor(page) as never, { signal }) as Promise<Page<ItemOf<E>>>;
      return isPaged ? readInRange(get, state) : get(1);
    },
    // Answers belong to their request, so a late one cannot replace a newer one; until it comes the old rows stay.
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
    ...(options.refetchMs !== undefined && { refetchInterval: options.refetchMs }),
  });

  const shown = Array.isArray(read.data)
    ? arrangeItems(read.data, state, options)
    : { items: read.data?.results ?? [], total: read.data?.count ?? 0, page: read.data?.page ?? state.page };

  const isOutOfRange = read.isSuccess && !read.isPlaceholderData && shown.page !== state.page;
  useEffect(() => {
    if (!isOutOfRange) return;
    if (isPaged) client.setQueryData(queryKey(endpoint, inputFor(shown.page)), read.data);
    change({ page: shown.page });
  });

  return {
    ...shown,
    pageSize: state.page_size,
    order: state.order,
    q: state.q,
    tags: state.tags,
    isFirstLoad: read.isPending,
    isRefreshing: read.isFetching && !read.isPending && (options.refetchMs === undefined || read.isPlaceholderData),
    error: read.error,
    setPage: (page) => change({ page }),
    setPageSize: (page_size) => change({ page_size, page: pageInRange(state.page, page_size, shown.total) }),
    setOrder,
    setSearch,
    toggleTag: (tag, isSet = false) => change({ tags: toggledTags(state.tags, tag, isSet), page: 1 }),
    clearTags: () => change({ tags: [], page: 1 }),
    reload: () => read.refetch(),
  };
}

function queryOf({ page, page_size, order, q, tags }: ListState) {
  return { page, page_size, ...(order && { order }), ...(q && { q }), ...(tags.length > 0 && { tags }) };
}

/** Q5: the server refuses a page that does not exist; the first page tells which is the last. */
async function readInRange<T>(get: (page: number) => Promise<Page<T>>, { page, page_size }: ListState): Promise<Page<T>> {
  try {
    return await get(page);
  } catch (error) {
    if (page === 1 || !(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) throw error;
    const first = await get(1);
    const last = pageInRange(page, page_size, first.count);
    return last === 1 ? first : get(last);
  }
}
