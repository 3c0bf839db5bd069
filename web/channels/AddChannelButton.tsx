import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';

const AddChannelDialog = lazy(() => import('./AddChannelDialog.tsx'));

interface AddChannelButtonProps {
  type?: 'primary' | 'default';
  /** Set when the address opens the dialog; called when it is closed without a channel. */
  addressed?: { onClose: () => void } | undefined;
}

export function AddChannelButton({ type = 'primary', addressed }: AddChannelButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    addressed?.onClose();
  };
  return (
    <>
      <Button type={type} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        Add Channel
      </Button>
      {(isOpen || addressed) && (
        <Suspense>
          <AddChannelDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}
