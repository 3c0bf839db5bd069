import DownOutlined from '@ant-design/icons/DownOutlined';
import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button, Space } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useCan } from '../../api/session.ts';
import { MenuButton } from '../../ui/MenuButton.tsx';

const NewDeviceQueryDialog = lazy(() => import('../devices/NewDeviceQueryDialog.tsx'));

const address = '/queries/from_devices';

/** Design 8: one button for SQL, and beside it the way without SQL, for users who may see devices. */
interface AddQueryProps {
  isFirst?: boolean;
  /** Set on one button: it opens its dialog at the address /queries/from_devices, and leaves that when it closes. */
  opensByAddress?: boolean;
}

export function AddQuery({ isFirst = false, opensByAddress = false }: AddQueryProps) {
  const navigate = useNavigate();
  const hasDevices = useCan()('view_channel');
  const isAddressed = useLocation().pathname === address && opensByAddress && hasDevices;
  const [isChoosing, setChoosing] = useState(false);
  const close = () => {
    setChoosing(false);
    // A new query has navigated elsewhere by now.
    if (isAddressed && location.pathname === address) void navigate('/queries', { replace: true });
  };
  const type = isFirst ? 'default' : 'primary';
  const write = () => void navigate('/queries/new');
  return (
    <>
      <Space.Compact>
        <Button type={type} icon={<PlusOutlined />} onClick={write}>
          {isFirst ? 'Create your first query!' : 'Add Query'}
        </Button>
        {hasDevices && (
          <MenuButton
            type={type}
            icon={<DownOutlined />}
            aria-label="More ways to add a query"
            menu={{
              items: [
                { key: 'sql', label: 'New SQL query', onClick: write },
                { key: 'devices', label: 'From device data…', onClick: () => setChoosing(true) },
              ],
            }}
          />
        )}
      </Space.Compact>
      <Suspense>{(isChoosing || isAddressed) && <NewDeviceQueryDialog onClose={close} />}</Suspense>
    </>
  );
}
