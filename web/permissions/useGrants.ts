import type { aclApi } from '@telltale/domain/access/grants.ts';
import { type ListedUser, type User, usersApi } from '@telltale/domain/users/contract.ts';
import { useRead, useWrite } from '../api/query.ts';

/** The calls of objects that others can be given access to: queries, dashboards. */
export type AclApi = ReturnType<typeof aclApi>;

/** D6: other users than the author get access to modify, and to nothing else. */
export function useGrants(acl: AclApi, id: number) {
  const read = useRead(acl.list, { params: { id } }, { gcTime: 0 });
  const refresh = [acl.list];
  const grant = useWrite(acl.grant, { refresh, failed: 'Could not grant permission to the user' });
  const revoke = useWrite(acl.revoke, { refresh, failed: 'Could not remove permission from the user' });
  const input = (user_id: number) => ({ params: { id }, body: { access_type: 'modify' as const, user_id } });
  return {
    people: (read.data?.modify ?? []) as readonly User[],
    isLoading: read.isPending,
    hasFailed: read.isError,
    isBusy: grant.isPending || revoke.isPending,
    grant: (user: Pick<ListedUser, 'id'>) => grant.mutate(input(user.id)),
    revoke: (user: Pick<User, 'id'>) => revoke.mutate(input(user.id)),
    retry: read.refetch,
  };
}

/** Users whose name or address contains the term; the first ones without a term. */
export const useFoundUsers = (term: string, isOpen: boolean) =>
  useRead(usersApi.list, { query: { q: term, order: 'name', page_size: 50 } }, { enabled: isOpen, placeholderData: (before) => before });
