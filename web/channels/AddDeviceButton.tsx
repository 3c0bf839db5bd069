import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { ChannelKind } from '@telltale/domain/channels/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';

const AddDeviceDialog = lazy(() => import('./AddDeviceDialog.tsx'));

interface AddDeviceButtonProps {
  channelId: string;
  kind: ChannelKind;
  type?: 'primary' | 'default';
}

export function AddDeviceButton({ channelId, kind, type = 'primary' }: AddDeviceButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type={type} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        Add Device
      </Button>
      {isOpen && (
        <Suspense>
          <AddDeviceDialog channelId={channelId} kind={kind} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
