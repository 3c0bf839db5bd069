import { type ListedQuery, queriesApi } from '@telltale/domain/queries/contract.ts';
import { useRead } from '../api/query.ts';

export type FoundQuery = Pick<ListedQuery, 'id' | 'name' | 'is_draft'> & { user?: Pick<ListedQuery['user'], 'id'> };

/**
 * Screens 1.10: without a term recent published queries; drafts are found by a term. Where a draft can be published on the way, the
 * caller's own drafts (`draftsOf`) are listed from the start.
 */
export function useFoundQueries(term: string, draftsOf: number | null = null): { items: FoundQuery[] | undefined; error: Error | null } {
  const recent = useRead(queriesApi.recent, {}, { enabled: term === '' });
  const some = useRead(
    queriesApi.list,
    { query: { q: term, page_size: 50, order: term ? undefined : '-created_at' } },
    { placeholderData: (before) => before },
  );
  const listed = some.data?.results;
  if (term !== '') return { items: listed, error: some.error };
  const isListed = ({ is_draft, user }: FoundQuery) => !is_draft || (user !== undefined && user.id === draftsOf);
  const all: FoundQuery[] | undefined =
    recent.data && listed && [...listed.filter(({ is_draft }) => is_draft), ...recent.data, ...listed].filter(isListed);
  const items = all?.filter(({ id }, at) => all.findIndex((one) => one.id === id) === at);
  return { items, error: recent.error ?? some.error };
}
