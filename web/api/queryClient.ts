import { QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import { ApiError } from './ApiError.ts';

/** Answers of ours are final; only silence and a server in trouble are worth asking again. */
const isWorthRetrying = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 502);

/** A result is a new one or the same object; comparing a million rows to find that out would only take time. */
const isResult = (data: unknown): boolean => typeof data === 'object' && data !== null && 'query_result' in data;

export const queryClient = new QueryClient({
  defaultOptions: {
    // What was read a moment ago is not read again by the next part of the same page.
    queries: {
      retry: (failures, error) => failures < 3 && isWorthRetrying(error),
      refetchOnWindowFocus: false,
      staleTime: 1000,
      structuralSharing: (before, after) => (isResult(after) ? after : replaceEqualDeep(before, after)),
    },
    // A save made offline fails at once with a message instead of waiting unseen.
    mutations: { retry: false, networkMode: 'always' },
  },
});
