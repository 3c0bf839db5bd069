import { queriesApi, queryFavoriteApi } from '@telltale/domain/queries/contract.ts';
import { queryKeysApi } from '@telltale/domain/queries/keys.ts';
import { useWrite } from '../api/query.ts';

export const queryLists = [queriesApi.list, queriesApi.my, queriesApi.favorites, queriesApi.archived];

export function useFavorite() {
  const add = useWrite(queryFavoriteApi.add, { refresh: queryLists });
  const remove = useWrite(queryFavoriteApi.remove, { refresh: queryLists });
  return { toggle: (id: number, isFavorite: boolean) => (isFavorite ? remove : add).mutateAsync({ params: { id } }) };
}

export const useArchiveQuery = () =>
  useWrite(queriesApi.archive, { refresh: [...queryLists, queriesApi.tags], failed: 'Query could not be Deleted.' });

export const useRestoreQuery = () =>
  useWrite(queriesApi.restore, {
    refresh: [...queryLists, queriesApi.tags],
    saved: ({ name }) => `${name} is back, without its old widgets and alerts.`,
  });

export const useRegenerateKey = () =>
  useWrite(queriesApi.regenerateKey, { refresh: [queryKeysApi.ofQuery], failed: 'Failed to update API key.' });

export const useRevokeKey = () => useWrite(queryKeysApi.revoke, { refresh: [queryKeysApi.ofQuery], failed: 'Failed to revoke API key.' });
