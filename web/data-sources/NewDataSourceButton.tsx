import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { useDialogAddress } from '../ui/useDialogAddress.ts';

const NewDataSourceDialog = lazy(() => import('./NewDataSourceDialog.tsx'));
export const newSourceAddress = '/data_sources/new';

/** The dialog is open at /data_sources/new and leads back to the list, as Back does. */
export function NewDataSourceButton() {
  const { isOpen, open, close } = useDialogAddress({ list: '/data_sources', dialog: [newSourceAddress] });
  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={open}>
        New Data Source
      </Button>
      {isOpen && (
        <Suspense>
          <NewDataSourceDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}
