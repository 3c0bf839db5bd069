import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { useDialogAddress } from '../ui/useDialogAddress.ts';

const NewDestinationDialog = lazy(() => import('./NewDestinationDialog.tsx'));
export const newDestinationAddress = '/destination/new';

/** The dialog is open at /destination/new, and at /destinations/new, to which alerts link (A2). */
export function AddDestinationButton() {
  const { isOpen, open, close } = useDialogAddress({ list: '/destinations', dialog: [newDestinationAddress, '/destinations/new'] });
  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={open}>
        Add Destination
      </Button>
      {isOpen && (
        <Suspense>
          <NewDestinationDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}
