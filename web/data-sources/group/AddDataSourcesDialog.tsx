import { type DataSource, dataSourcesApi, groupSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { call } from '../../api/call.ts';
import { itemsOf } from '../../api/itemsOf.ts';
import { SelectItemsDialog } from '../../ui/SelectItemsDialog.tsx';
import { SourceName } from '../SourceName.tsx';
import { useTypeName } from '../useDataSources.ts';
import { useAddGroupSource } from './useGroupSources.ts';

type Offer = DataSource & { isTaken: boolean };

/** Every matching source, and whether the group has it already. */
async function findOffers(groupId: number, q: string, signal: AbortSignal): Promise<Offer[]> {
  const [all, taken] = await Promise.all([
    call(dataSourcesApi.list, { query: { q } }, { signal }),
    call(groupSourcesApi.list, { params: { id: groupId } }, { signal }),
  ]);
  const takenIds = new Set(itemsOf(taken).map(({ id }) => id));
  return itemsOf(all).map((source) => ({ ...source, isTaken: takenIds.has(source.id) }));
}

export default function AddDataSourcesDialog({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const add = useAddGroupSource();
  const typeName = useTypeName();
  return (
    <SelectItemsDialog
      title="Add Data Sources"
      placeholder="Search data sources..."
      stagedTitle="New Data Sources"
      find={(term, signal) => findOffers(groupId, term, signal)}
      keyOf={({ id }) => id}
      draw={(source) => <SourceName source={source} typeName={typeName(source.type)} isLink={false} />}
      isTaken={({ isTaken }) => isTaken}
      save={({ id }) => add.mutateAsync({ params: { id: groupId }, body: { data_source_id: id } })}
      onClose={onClose}
    />
  );
}
