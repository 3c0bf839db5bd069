import { type Group, type GroupChanges, groupsApi } from '@telltale/domain/groups/contract.ts';
import { type User, usersApi } from '@telltale/domain/users/contract.ts';
import { itemsOf } from '../api/itemsOf.ts';
import { useList, useRead, useWrite } from '../api/query.ts';
import { notifyWithUndo } from '../ui/notifyWithUndo.tsx';

export const useGroups = () => useList(groupsApi.list, { order: 'name', pageSize: 10, remember: 'groups' });

/** All groups at once, for choices and names. */
export function useAllGroups(): readonly Group[] | undefined {
  const { data } = useRead(groupsApi.list, {});
  return data && itemsOf(data);
}

export const useGroup = (id: number) => useRead(groupsApi.get, { params: { id } });

export const useMembers = (id: number) =>
  useList(groupsApi.members, { order: 'name', params: { id }, remember: 'members', textOf: nameAndEmail });

export const useCreateGroup = () => useWrite(groupsApi.create, { refresh: [groupsApi.list] });

/** Complaint 56: refusals of the server are shown. */
export const useSaveGroup = () =>
  useWrite(groupsApi.save, { refresh: [groupsApi.get, groupsApi.list, usersApi.list, usersApi.get], saved: 'Saved.' });

export const useDeleteGroup = () =>
  useWrite(groupsApi.remove, { refresh: [groupsApi.list, usersApi.list, usersApi.get], saved: 'Group deleted successfully.' });

const membershipReads = [groupsApi.members, usersApi.list, usersApi.get];

export const useAddMember = () => useWrite(groupsApi.addMember, { refresh: membershipReads, failed: false });

export function useRemoveMember(groupId: number, member: Pick<User, 'id' | 'name'>) {
  const putBack = useWrite(groupsApi.addMember, { refresh: membershipReads });
  return useWrite(groupsApi.removeMember, {
    refresh: membershipReads,
    failed: 'Failed to remove member from group.',
    onDone: () =>
      notifyWithUndo('success', `${member.name} has been removed from the group.`, () =>
        putBack.mutate({ params: { id: groupId }, body: { user_id: member.id } }),
      ),
  });
}

export type GrantedPermission = NonNullable<GroupChanges['permissions']>[number];

const nameAndEmail = ({ name, email }: User) => `${name}\n${email}`;
