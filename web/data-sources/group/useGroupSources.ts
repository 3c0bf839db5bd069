import { type DataSource, dataSourcesApi, groupSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { useList, useWrite } from '../../api/query.ts';
import { notifyWithUndo } from '../../ui/notifyWithUndo.tsx';

export const useGroupSources = (id: number) =>
  useList(groupSourcesApi.list, { order: 'name', params: { id }, remember: 'group_data_sources', textOf: nameAndType });

const sourceReads = [groupSourcesApi.list, dataSourcesApi.get];

export const useAddGroupSource = () => useWrite(groupSourcesApi.add, { refresh: sourceReads, failed: false });

/** The change ends when the list has been read again, so that the old choice does not flash up in between. */
export const useChangeAccess = (reload: () => Promise<unknown>) =>
  useWrite(groupSourcesApi.change, {
    refresh: [dataSourcesApi.get],
    failed: 'Failed change data source permissions.',
    onDone: reload,
  });

/** Complaint 55: removes at once, with an undo that restores the former access. */
export function useRemoveGroupSource(groupId: number, source: DataSource) {
  const narrow = useWrite(groupSourcesApi.change, { refresh: sourceReads, failed: 'Failed change data source permissions.' });
  const putBack = useWrite(groupSourcesApi.add, {
    refresh: sourceReads,
    onDone: () =>
      source.view_only &&
      narrow.mutateAsync({ params: { id: groupId, dataSourceId: source.id }, body: { view_only: true } }).catch(() => {}),
  });
  return useWrite(groupSourcesApi.remove, {
    refresh: sourceReads,
    failed: 'Failed to remove data source from group.',
    onDone: () =>
      notifyWithUndo('success', `${source.name} has been removed from the group.`, () =>
        putBack.mutate({ params: { id: groupId }, body: { data_source_id: source.id } }),
      ),
  });
}

const nameAndType = ({ name, type }: DataSource) => `${name}\n${type}`;
