import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { useDialogAddress } from '../ui/useDialogAddress.ts';

const NewNetworkDialog = lazy(() => import('./NewNetworkDialog.tsx'));
export const newNetworkAddress = '/networks/new';

export function AddNetworkButton() {
  const { isOpen, open, close } = useDialogAddress({ list: '/networks', dialog: [newNetworkAddress] });
  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={open}>
        New Network
      </Button>
      {isOpen && (
        <Suspense>
          <NewNetworkDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}
