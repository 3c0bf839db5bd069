import type { ListedUser } from '@telltale/domain/users/contract.ts';
import { useSession } from '../api/session.ts';
import { RowButton } from '../ui/RowButton.tsx';
import { useDeleteUser, useDisableUser, useEnableUser } from './useUsers.ts';

/** A4: an invitation can only be deleted, an account disabled or enabled, and users have no actions on themselves. */
export function UserAction({ user }: { user: ListedUser }) {
  const me = useSession().user.id;
  const enable = useEnableUser();
  const disable = useDisableUser();
  const remove = useDeleteUser();
  const input = { params: { id: user.id } };

  if (user.id === me) return null;
  if (user.is_invitation_pending) {
    return (
      <RowButton thing={user.name} danger loading={remove.isPending} onClick={() => remove.mutate(input)}>
        Delete
      </RowButton>
    );
  }
  const action = user.is_disabled ? enable : disable;
  return (
    <RowButton thing={user.name} loading={action.isPending} onClick={() => action.mutate(input)}>
      {user.is_disabled ? 'Enable' : 'Disable'}
    </RowButton>
  );
}
