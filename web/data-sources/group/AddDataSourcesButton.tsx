import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';

const AddDataSourcesDialog = lazy(() => import('./AddDataSourcesDialog.tsx'));

export function AddDataSourcesButton({ groupId, type = 'default' }: { groupId: number; type?: 'primary' | 'default' }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type={type} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        Add Data Sources
      </Button>
      {isOpen && (
        <Suspense>
          <AddDataSourcesDialog groupId={groupId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
