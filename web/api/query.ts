import {
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { CallInput, Endpoint, ReplyOf } from '@telltale/domain/endpoint.ts';
import type { ReactNode } from 'react';
import { type ApiError, call } from './call.ts';
import { pushNotice } from './noticeQueue.ts';
import { familyKey, queryKey } from './queryKey.ts';

export { type ListItems, useList } from './useList.ts';

export type ReadOptions<E extends Endpoint> = Omit<UseQueryOptions<ReplyOf<E>, ApiError>, 'queryKey' | 'queryFn'>;

/** Reads an endpoint; all readers of the same input share one request. */
export function useRead<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: ReadOptions<E> = {},
): UseQueryResult<ReplyOf<E>, ApiError> {
  return useQuery<ReplyOf<E>, ApiError>({
    ...options,
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  });
}

export interface WriteOptions<E extends Endpoint> {
  /** Reads that are stale after this write, whatever their input. */
  refresh?: readonly Endpoint[];
  /** Toast after success. */
  saved?: string | ((reply: ReplyOf<E>, input: CallInput<E>) => ReactNode);
  /** Toast after failure: this text, or by default the server's; `false` where the caller shows the error itself. */
  failed?: string | false | ((error: ApiError, input: CallInput<E>) => ReactNode);
  onDone?: (reply: ReplyOf<E>, input: CallInput<E>) => unknown;
}

/** Writes to an endpoint: `mutate({ params, body })`, or `mutateAsync` where a dialog waits for it. */
export function useWrite<E extends Endpoint>(
  endpoint: E,
  { refresh = [], saved, failed, onDone }: WriteOptions<E> = {},
): UseMutationResult<ReplyOf<E>, ApiError, CallInput<E>> {
  const client = useQueryClient();
  return useMutation<ReplyOf<E>, ApiError, CallInput<E>>({
    mutationFn: (input) => call(endpoint, input),
    onSuccess: async (reply, input) => {
      for (const read of refresh) void client.invalidateQueries({ queryKey: familyKey(read) });
      const message = typeof saved === 'function' ? saved(reply, input) : saved;
      if (message) pushNotice({ open: { kind: 'success', title: message } });
      await onDone?.(reply, input);
    },
    onError: (error, input) => {
      if (failed === false) return;
      const message = typeof failed === 'function' ? failed(error, input) : (failed ?? error.message);
      if (message) pushNotice({ open: { kind: 'error', title: message } });
    },
  });
}
