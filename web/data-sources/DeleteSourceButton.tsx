import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { DeleteButton } from '../ui/DeleteButton.tsx';
import { useDeleteDataSource } from './useDataSources.ts';

export function DeleteSourceButton({ source: { id, name } }: { source: FullDataSource }) {
  const remove = useDeleteDataSource();
  return (
    <DeleteButton
      title="Delete Data Source"
      content={
        <>
          <p>Are you sure you want to delete this data source?</p>
          <p>
            <b>{name}</b> and the stored results of its queries are deleted. What runs on it is stopped. The queries stay, without a data
            source.
          </p>
        </>
      }
      remove={() => remove.mutateAsync({ params: { id } })}
      next="/data_sources"
    />
  );
}
