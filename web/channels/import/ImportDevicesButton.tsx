import UploadOutlined from '@ant-design/icons/UploadOutlined';
import type { ChannelKind } from '@telltale/domain/channels/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';

const ImportDevicesDialog = lazy(() => import('./ImportDevicesDialog.tsx'));

export function ImportDevicesButton({ channelId, kind }: { channelId: string; kind: ChannelKind }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<UploadOutlined />} onClick={() => setOpen(true)}>
        Import Devices
      </Button>
      {isOpen && (
        <Suspense>
          <ImportDevicesDialog channelId={channelId} kind={kind} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
