import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

const DownlinkDialog = lazy(() => import('./DownlinkDialog.tsx'));
const address = '/commands/new';

interface AddCommandButtonProps {
  type?: 'primary' | 'default';
  /** Set on one button of a page: it also opens its dialog at the address /commands/new, and leaves that when it closes. */
  opensByAddress?: boolean;
}

export function AddCommandButton({ type = 'primary', opensByAddress = false }: AddCommandButtonProps) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const isAddressed = opensByAddress && pathname === address;
  useEffect(() => {
    if (isAddressed) setOpen(true);
  }, [isAddressed]);
  const close = (created: number | null) => {
    setOpen(false);
    if (created !== null) navigate(`/commands/${created}`);
    else if (isAddressed) navigate('/commands', { replace: true });
  };
  return (
    <>
      <Button type={type} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        Add Command
      </Button>
      {isOpen && (
        <Suspense>
          <DownlinkDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}
