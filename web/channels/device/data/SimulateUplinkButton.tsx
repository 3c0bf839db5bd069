import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined';
import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import type { LastValue } from '@telltale/domain/channels/data-contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useCan } from '../../../api/session.ts';
import type { DeviceFeed } from '../useDeviceFeed.ts';

const SimulateUplinkDialog = lazy(() => import('./SimulateUplinkDialog.tsx'));

interface SimulateUplinkButtonProps {
  device: DeviceDetail;
  values: readonly LastValue[];
  feed: DeviceFeed;
}

/** Absent for users who may not manage channels. */
export function SimulateUplinkButton({ device, values, feed }: SimulateUplinkButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (!useCan()('manage_channel')) return null;
  return (
    <>
      <Button icon={<ThunderboltOutlined />} onClick={() => setOpen(true)}>
        Simulate Uplink
      </Button>
      {isOpen && (
        <Suspense>
          <SimulateUplinkDialog device={device} values={values} records={feed.records} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
