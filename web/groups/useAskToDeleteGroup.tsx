import type { Group } from '@telltale/domain/groups/contract.ts';
import { useLocation, useNavigate } from 'react-router';
import { confirm } from '../ui/confirm.tsx';
import { leaveUnasked } from '../ui/leaveGuard.ts';
import { useDeleteGroup } from './useGroups.ts';

/** Asks, deletes, and leaves the page of the group afterwards. */
export function useAskToDeleteGroup(group: Group): { ask: () => Promise<void>; refusal: string | false } {
  const remove = useDeleteGroup();
  const navigate = useNavigate();
  const { pathname } = useLocation();

  const ask = async () => {
    const isDeleted = await confirm({
      title: 'Delete Group',
      content: (
        <>
          <p>
            Are you sure you want to delete the group <b>{group.name}</b>?
          </p>
          <p>Its members lose the access it gave them.</p>
        </>
      ),
      okText: 'Yes',
      cancelText: 'No',
      danger: true,
      onOk: () => remove.mutateAsync({ params: { id: group.id } }),
    });
    if (!isDeleted || pathname === '/groups') return;
    leaveUnasked();
    navigate('/groups');
  };

  return { ask, refusal: group.type === 'builtin' && 'Cannot delete built-in group' };
}
