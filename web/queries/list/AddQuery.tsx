import DownOutlined from '@ant-design/icons/DownOutlined';
import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button, Space } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCan } from '../../api/session.ts';
import { MenuButton } from '../../ui/MenuButton.tsx';

const NewDeviceQueryDialog = lazy(() => import('../devices/NewDeviceQueryDialog.tsx'));

/** Design 8: SQL at a press, and beside it the way without SQL, for those who may see devices. */
export function AddQuery({ isFirst = false }: { isFirst?: boolean }) {
  const navigate = useNavigate();
  const hasDevices = useCan()('view_channel');
  const [isChoosing, setChoosing] = useState(false);
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
      <Suspense>{isChoosing && <NewDeviceQueryDialog onClose={() => setChoosing(false)} />}</Suspense>
    </>
  );
}
