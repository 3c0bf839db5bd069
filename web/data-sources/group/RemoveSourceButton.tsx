import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { RowButton } from '../../ui/RowButton.tsx';
import { useRemoveGroupSource } from './useGroupSources.ts';

export function RemoveSourceButton({ groupId, source }: { groupId: number; source: DataSource }) {
  const remove = useRemoveGroupSource(groupId, source);
  return (
    <RowButton
      thing={source.name}
      loading={remove.isPending}
      onClick={() => remove.mutate({ params: { id: groupId, dataSourceId: source.id } })}
    >
      Remove
    </RowButton>
  );
}
