import { useInfiniteQuery } from '@tanstack/react-query';
import type { ByDevice } from '@telltale/domain/channels/contract.ts';
import { commandsApi, deliveriesApi } from '@telltale/domain/commands/contract.ts';
import type { Delivery, DeliveryState, Execution } from '@telltale/domain/commands/delivery.ts';
import type { Page } from '@telltale/domain/lists/contract.ts';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { watchCommand } from '../../api/live/live.ts';
import { useRead } from '../../api/query.ts';
import { queryKey } from '../../api/queryKey.ts';

const pageSize = 50;
/** The socket reports changes; polling now and then covers a socket that was cut off silently. */
const busyMs = 3000;
const idleMs = 15_000;
/** Changes of many deliveries are gathered this long. */
const gatherMs = 250;

type Filter = { state?: DeliveryState[] };
const filterOf = (states: readonly DeliveryState[]): Filter => (states.length > 0 ? { state: [...states] } : {});

export interface DeliveryPages {
  deliveries: readonly Delivery[];
  total: number;
  isPending: boolean;
  error: Error | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  refetch: () => void;
}

function useDeliveryPages(key: readonly unknown[], read: (page: number, signal: AbortSignal) => Promise<Page<Delivery>>): DeliveryPages {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: ({ page, page_size, count }) => (page * page_size < count ? page + 1 : undefined),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ results }) => results.some((one) => !one.is_final)) ? busyMs : idleMs),
  });
  const pages = query.data?.pages ?? [];
  // A delivery that was added meanwhile shifts the others: the same one may be on two pages.
  const deliveries = [...new Map(pages.flatMap(({ results }) => results.map((one) => [one.id, one] as const))).values()];
  return {
    deliveries,
    total: pages.at(-1)?.count ?? 0,
    isPending: query.isPending,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refetch: () => void query.refetch(),
  };
}

/** The deliveries of a command, newest first, as they change. */
export function useCommandDeliveries(id: number, states: readonly DeliveryState[]): DeliveryPages {
  const input = { params: { id }, query: filterOf(states) };
  return useDeliveryPages([...queryKey(commandsApi.deliveries, input)], (page, signal) =>
    call(commandsApi.deliveries, { params: { id }, query: { ...input.query, page, page_size: pageSize } }, { signal }),
  );
}

/** The deliveries to a device, newest first. */
export function useDeviceDeliveries(params: ByDevice, states: readonly DeliveryState[]): DeliveryPages {
  const input = { params, query: filterOf(states) };
  return useDeliveryPages([...queryKey(deliveriesApi.ofDevice, input)], (page, signal) =>
    call(deliveriesApi.ofDevice, { params, query: { ...input.query, page, page_size: pageSize } }, { signal }),
  );
}

export function useExecutions(id: number): ReadonlyMap<number, Execution> {
  const { data } = useRead(
    commandsApi.executions,
    { params: { id }, query: { page_size: pageSize } },
    { refetchInterval: ({ state }) => (state.data?.results.some((one) => !one.is_final) ? busyMs : idleMs) },
  );
  return new Map((data?.results ?? []).map((one) => [one.id, one]));
}

/** Calls back soon after a delivery of the command has changed. */
export function useCommandNews(id: number, onNews: () => void): void {
  useEffect(() => {
    let gather: ReturnType<typeof setTimeout> | undefined;
    const end = watchCommand(id, () => {
      gather ??= setTimeout(() => {
        gather = undefined;
        onNews();
      }, gatherMs);
    });
    return () => {
      clearTimeout(gather);
      end();
    };
  }, [id, onNews]);
}
