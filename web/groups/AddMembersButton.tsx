import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { Group } from '@telltale/domain/groups/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';

const AddMembersDialog = lazy(() => import('./AddMembersDialog.tsx'));

export function AddMembersButton({ group, type = 'default' }: { group: Group; type?: 'primary' | 'default' }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type={type} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        Add Members
      </Button>
      {isOpen && (
        <Suspense>
          <AddMembersDialog groupId={group.id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
