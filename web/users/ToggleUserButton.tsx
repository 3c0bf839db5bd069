import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { Button } from 'antd';
import { useDisableUser, useEnableUser } from './useUsers.ts';

export function ToggleUserButton({ user }: { user: UserDetail }) {
  const enable = useEnableUser();
  const disable = useDisableUser();
  const action = user.is_disabled ? enable : disable;
  return (
    <Button danger={!user.is_disabled} loading={action.isPending} onClick={() => action.mutate({ params: { id: user.id } })}>
      {user.is_disabled ? 'Enable User' : 'Disable User'}
    </Button>
  );
}
