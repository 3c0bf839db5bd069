import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { Button } from 'antd';
import { useNavigate } from 'react-router';
import { confirm } from '../ui/confirm.tsx';
import { leaveUnasked } from '../ui/leaveGuard.ts';
import { useDeleteDataSource } from './useDataSources.ts';

export function DeleteSourceButton({ source: { id, name } }: { source: FullDataSource }) {
  const remove = useDeleteDataSource();
  const navigate = useNavigate();

  const ask = async () => {
    const isDeleted = await confirm({
      title: 'Delete Data Source',
      content: (
        <>
          <p>Are you sure you want to delete this data source?</p>
          <p>
            <b>{name}</b> and the stored results of its queries are deleted. What runs on it is stopped. The queries stay, without a data
            source.
          </p>
        </>
      ),
      okText: 'Delete',
      danger: true,
      onOk: () => remove.mutateAsync({ params: { id } }),
    });
    if (!isDeleted) return;
    leaveUnasked();
    navigate('/data_sources');
  };

  return (
    <Button danger onClick={ask}>
      Delete
    </Button>
  );
}
