import { queriesApi, queryFavoriteApi } from '@telltale/domain/queries/contract.ts';
import { useWrite } from '../api/query.ts';

const lists = [queriesApi.list, queriesApi.my, queriesApi.favorites, queriesApi.archived];

/** Q4: the flag flips on success. */
export function useFavorite(onDone: (isFavorite: boolean) => void) {
  const add = useWrite(queryFavoriteApi.add, { refresh: lists, onDone: () => onDone(true) });
  const remove = useWrite(queryFavoriteApi.remove, { refresh: lists, onDone: () => onDone(false) });
  return {
    isPending: add.isPending || remove.isPending,
    toggle: (id: number, isFavorite: boolean) => (isFavorite ? remove : add).mutate({ params: { id } }),
  };
}

export const useArchiveQuery = () =>
  useWrite(queriesApi.archive, { refresh: [...lists, queriesApi.tags], failed: 'Query could not be Deleted.' });

export const useRestoreQuery = () =>
  useWrite(queriesApi.restore, {
    refresh: [...lists, queriesApi.tags],
    saved: ({ name }) => `${name} is back, without its old widgets and alerts.`,
  });

export const useRegenerateKey = () => useWrite(queriesApi.regenerateKey, { failed: 'Failed to update API key.' });
