import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';

const AddDeviceDialog = lazy(() => import('./AddDeviceDialog.tsx'));

export function AddDeviceButton({ channelId, type = 'primary' }: { channelId: string; type?: 'primary' | 'default' }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type={type} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        Add Device
      </Button>
      {isOpen && (
        <Suspense>
          <AddDeviceDialog channelId={channelId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
