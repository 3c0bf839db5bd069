import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { useLocation, useNavigate } from 'react-router';

const NewDataSourceDialog = lazy(() => import('./NewDataSourceDialog.tsx'));
const list = '/data_sources';
export const newSourceAddress = '/data_sources/new';

/** The dialog is open at /data_sources/new and leads back to the list, which stays as it is behind it. */
export function NewDataSourceButton() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();

  const close = async (createdId: number | null) => {
    // Back from the new source leads to the list, not to the dialog again.
    await navigate({ pathname: list, search }, { replace: true });
    if (createdId !== null) navigate(`${list}/${createdId}`);
  };

  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate({ pathname: newSourceAddress, search }, { replace: true })}>
        New Data Source
      </Button>
      {pathname === newSourceAddress && (
        <Suspense>
          <NewDataSourceDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}
