import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';

const AddChannelDialog = lazy(() => import('./AddChannelDialog.tsx'));

export function AddChannelButton({ type = 'primary' }: { type?: 'primary' | 'default' }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type={type} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        Add Channel
      </Button>
      {isOpen && (
        <Suspense>
          <AddChannelDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
