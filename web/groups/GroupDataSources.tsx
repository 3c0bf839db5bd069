import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { Group } from '@telltale/domain/groups/contract.ts';
import { Link } from 'react-router';
import { SourceName } from '../data-sources/SourceName.tsx';
import { accessName } from '../data-sources/sourceAccess.ts';
import { useTypeName } from '../data-sources/useDataSources.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage, type View } from '../ui/ItemsPage.tsx';
import { RowButton } from '../ui/RowButton.tsx';
import { AddDataSourcesButton } from './AddDataSourcesButton.tsx';
import { DeleteGroupButton } from './DeleteGroupButton.tsx';
import styles from './GroupDataSources.module.css';
import { GroupHeading } from './GroupHeading.tsx';
import { useChangeAccess, useGroupSources, useRemoveGroupSource } from './useGroupSources.ts';

/** /groups/:groupId/data_sources, for administrators. */
export function GroupDataSources({ group, views }: { group: Group; views: readonly View[] }) {
  const sources = useGroupSources(group.id);
  const typeName = useTypeName();
  const columns: Column<DataSource>[] = [
    { title: 'Name', sort: 'name', cell: (source) => <SourceName source={source} typeName={typeName(source.type)} /> },
    {
      title: 'Access',
      sort: 'view_only',
      cell: (source) => <AccessSelect groupId={group.id} source={source} onChanged={sources.reload} />,
      width: 152,
    },
    { title: '', cell: (source) => <RemoveSourceButton groupId={group.id} source={source} />, width: 112, align: 'end' },
  ];
  return (
    <ItemsPage
      title="Data Sources"
      heading={<GroupHeading group={group} />}
      above={<Link to="/groups">Groups</Link>}
      level={2}
      items={sources}
      columns={columns}
      views={views}
      action={
        <>
          <DeleteGroupButton group={group} />
          <AddDataSourcesButton groupId={group.id} type="primary" />
        </>
      }
      empty={
        <EmptyState action={<AddDataSourcesButton groupId={group.id} />}>There are no data sources in this group yet.</EmptyState>
      }
    />
  );
}

interface SourceOfGroup {
  groupId: number;
  source: DataSource;
}

/** Applies at once; until the list is read again it shows what was chosen. */
function AccessSelect({ groupId, source, onChanged }: SourceOfGroup & { onChanged: () => Promise<unknown> }) {
  const change = useChangeAccess(onChanged);
  const isViewOnly = change.isPending ? change.variables.body.view_only : source.view_only;
  return (
    <select
      className={styles.access}
      aria-label={`Access to ${source.name}`}
      aria-busy={change.isPending}
      value={String(isViewOnly)}
      onChange={(event) =>
        change.mutate({ params: { id: groupId, dataSourceId: source.id }, body: { view_only: event.target.value === 'true' } })
      }
    >
      {[false, true].map((value) => (
        <option key={String(value)} value={String(value)}>
          {accessName(value)}
        </option>
      ))}
    </select>
  );
}

function RemoveSourceButton({ groupId, source }: SourceOfGroup) {
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
