import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { useLocation, useNavigate } from 'react-router';

const NewDataSourceDialog = lazy(() => import('./NewDataSourceDialog.tsx'));
const list = '/data_sources';
export const newSourceAddress = '/data_sources/new';

/** What a step to the dialog carries when the list is the step before it. */
export const fromList = { isFromList: true };

/** The dialog is open at /data_sources/new and leads back to the list, as Back does. */
export function NewDataSourceButton() {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();

  const close = async (createdId: number | null) => {
    // Back from the new source leads to the list, not to the dialog again.
    if (state?.isFromList) return createdId === null ? navigate(-1) : navigate(`${list}/${createdId}`, { replace: true });
    await navigate({ pathname: list, search }, { replace: true });
    if (createdId !== null) navigate(`${list}/${createdId}`);
  };

  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate({ pathname: newSourceAddress, search }, { state: fromList })}>
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
