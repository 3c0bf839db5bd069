import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { Group } from '@telltale/domain/groups/contract.ts';
import { Link } from 'react-router';
import { AccessSelect } from '../data-sources/group/AccessSelect.tsx';
import { AddDataSourcesButton } from '../data-sources/group/AddDataSourcesButton.tsx';
import { RemoveSourceButton } from '../data-sources/group/RemoveSourceButton.tsx';
import { useGroupSources } from '../data-sources/group/useGroupSources.ts';
import { SourceName } from '../data-sources/SourceName.tsx';
import { useTypeName } from '../data-sources/useDataSources.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage, type View } from '../ui/ItemsPage.tsx';
import { DeleteGroupButton } from './DeleteGroupButton.tsx';
import { GroupHeading } from './GroupHeading.tsx';

/** /groups/:groupId/data_sources, for administrators. */
export function GroupDataSources({ group, views }: { group: Group; views: readonly View[] }) {
  const { id } = group;
  const sources = useGroupSources(id);
  const typeName = useTypeName();
  const columns: Column<DataSource>[] = [
    { title: 'Name', sort: 'name', cell: (source) => <SourceName source={source} typeName={typeName(source.type)} /> },
    {
      title: 'Access',
      sort: 'view_only',
      cell: (source) => <AccessSelect groupId={id} source={source} onChanged={sources.reload} />,
      width: 152,
    },
    { title: '', cell: (source) => <RemoveSourceButton groupId={id} source={source} />, width: 112, align: 'end' },
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
          <AddDataSourcesButton groupId={id} type="primary" />
        </>
      }
      empty={<EmptyState action={<AddDataSourcesButton groupId={id} />}>There are no data sources in this group yet.</EmptyState>}
    />
  );
}
