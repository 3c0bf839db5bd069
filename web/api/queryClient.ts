import { QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import { refetchWhenServed, shouldRetry } from './refetchWhenServed.ts';

/** A result is a new one or the same object; comparing a million rows to find that out would only take time. */
const isResult = (data: unknown): boolean => typeof data === 'object' && data !== null && 'query_result' in data;

export const queryClient = new QueryClient({
  defaultOptions: {
    // A result stays fresh for a moment, so that the next part of the same page does not load it again.
    queries: {
      retry: shouldRetry,
      refetchOnWindowFocus: false,
      staleTime: 1000,
      structuralSharing: (before, after) => (isResult(after) ? after : replaceEqualDeep(before, after)),
    },
    // A save made offline fails at once with a message instead of waiting unseen.
    mutations: { retry: false, networkMode: 'always' },
  },
});
refetchWhenServed(queryClient);
