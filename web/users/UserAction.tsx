import type { ListedUser } from '@telltale/domain/users/contract.ts';
import { Button } from 'antd';
import { useSession } from '../api/session.ts';
import { useDeleteUser, useDisableUser, useEnableUser } from './useUsers.ts';

/** A4: an invitation can only be deleted, an account disabled or enabled, and nobody acts on themself. */
export function UserAction({ user }: { user: ListedUser }) {
  const me = useSession().user.id;
  const enable = useEnableUser();
  const disable = useDisableUser();
  const remove = useDeleteUser();
  const input = { params: { id: user.id } };

  if (user.id === me) return null;
  if (user.is_invitation_pending) {
    return (
      <Button size="small" danger loading={remove.isPending} aria-label={`Delete ${user.name}`} onClick={() => remove.mutate(input)}>
        Delete
      </Button>
    );
  }
  const action = user.is_disabled ? enable : disable;
  const word = user.is_disabled ? 'Enable' : 'Disable';
  return (
    <Button size="small" loading={action.isPending} aria-label={`${word} ${user.name}`} onClick={() => action.mutate(input)}>
      {word}
    </Button>
  );
}
