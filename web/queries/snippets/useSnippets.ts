import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import { useList, useRead, useWrite } from '../../api/query.ts';

const reads = [querySnippetsApi.list, querySnippetsApi.get];

/** Q9: ten to a page, by trigger. */
export const useSnippets = () => useList(querySnippetsApi.list, { order: 'trigger', pageSize: 10 });

export const useSnippet = (id: number | null) =>
  useRead(querySnippetsApi.get, { params: { id: id ?? 0 } }, { enabled: id !== null, retry: false });

const words = { refresh: reads, saved: 'Saved.', failed: 'Failed saving snippet.' } as const;
export const useCreateSnippet = () => useWrite(querySnippetsApi.create, words);
export const useSaveSnippet = () => useWrite(querySnippetsApi.save, words);

export const useDeleteSnippet = () =>
  useWrite(querySnippetsApi.remove, {
    refresh: reads,
    saved: 'Query snippet deleted successfully.',
    failed: 'Failed deleting query snippet.',
  });
