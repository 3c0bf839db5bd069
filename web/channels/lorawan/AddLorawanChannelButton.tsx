import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';

const AddLorawanChannelDialog = lazy(() => import('./AddLorawanChannelDialog.tsx'));

export function AddLorawanChannelButton({ type = 'primary' }: { type?: 'primary' | 'default' }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type={type} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        Add Channel
      </Button>
      {isOpen && (
        <Suspense>
          <AddLorawanChannelDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
