import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';

const NewGroupDialog = lazy(() => import('./NewGroupDialog.tsx'));

export function NewGroupButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        New Group
      </Button>
      {isOpen && (
        <Suspense>
          <NewGroupDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
