import type { Group } from '@telltale/domain/groups/contract.ts';
import type { User } from '@telltale/domain/users/contract.ts';
import { useSession } from '../api/session.ts';
import { RowButton } from '../ui/RowButton.tsx';
import { useRemoveMember } from './useGroups.ts';

/** A6: users cannot take themselves out of a built-in group. */
export function RemoveMemberButton({ group, member }: { group: Group; member: User }) {
  const me = useSession().user.id;
  const remove = useRemoveMember(group.id, member);
  const isLocked = group.type === 'builtin' && member.id === me;
  return (
    <RowButton
      thing={member.name}
      refusal={isLocked && 'You cannot remove yourself from a built-in group.'}
      loading={remove.isPending}
      onClick={() => remove.mutate({ params: { id: group.id, userId: member.id } })}
    >
      Remove
    </RowButton>
  );
}
