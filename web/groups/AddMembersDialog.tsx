import { usersApi } from '@telltale/domain/users/contract.ts';
import { call } from '../api/call.ts';
import { Person } from '../ui/Person.tsx';
import { SelectItemsDialog } from '../ui/SelectItemsDialog.tsx';
import { useAddMember } from './useGroups.ts';

/** The limit of a scrollable list: a term narrows it down. */
const mostOffered = 100;

const findUsers = async (q: string, signal: AbortSignal) =>
  (await call(usersApi.list, { query: { q, order: 'name', page_size: mostOffered } }, { signal })).results;

export default function AddMembersDialog({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const add = useAddMember();
  return (
    <SelectItemsDialog
      title="Add Members"
      placeholder="Search users..."
      stagedTitle="New Members"
      find={findUsers}
      keyOf={({ id }) => id}
      draw={({ name, email, profile_image_url }) => <Person name={name} email={email} image={profile_image_url} />}
      isTaken={({ groups }) => groups.some(({ id }) => id === groupId)}
      save={({ id }) => add.mutateAsync({ params: { id: groupId }, body: { user_id: id } })}
      onClose={onClose}
    />
  );
}
