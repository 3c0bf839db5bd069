import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { Link, Navigate } from 'react-router';
import { useCan } from '../api/session.ts';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { fromList } from '../ui/useDialogAddress.ts';
import { NewDataSourceButton, newSourceAddress } from './NewDataSourceButton.tsx';
import { SourceName } from './SourceName.tsx';
import { SourceState } from './SourceState.tsx';
import { builtInType } from './sourceTypes.ts';
import { useDataSources, useTypeName } from './useDataSources.ts';

/** /data_sources, and behind the dialog of /data_sources/new, which redirects users who are not administrators (A2). */
export function DataSourcesPage() {
  return useCan()('admin') ? <DataSourceList /> : <Navigate to="/data_sources" replace />;
}

function DataSourceList() {
  const sources = useDataSources();
  const typeName = useTypeName();
  const columns: readonly Column<DataSource>[] = [
    { title: 'Name', sort: 'name', cell: (source) => <SourceName source={source} /> },
    { title: 'Type', sort: 'type', cell: ({ type }) => typeName(type), width: '30%' },
    { title: 'State', sort: 'paused', cell: (source) => <SourceState source={source} />, width: '30%' },
  ];
  // The built-in source always exists, so it alone means that no source was added yet.
  const hasOnlyBuiltIn = !sources.q && sources.total === 1 && sources.items[0]?.type === builtInType;
  return (
    <SettingsFrame>
      <ItemsPage
        title="Data Sources"
        level={2}
        items={sources}
        columns={columns}
        action={<NewDataSourceButton />}
        empty={<NoDataSources />}
      />
      {hasOnlyBuiltIn && <NoDataSources isBesideBuiltIn />}
    </SettingsFrame>
  );
}

function NoDataSources({ isBesideBuiltIn = false }: { isBesideBuiltIn?: boolean }) {
  const add = (
    <Link to={newSourceAddress} state={fromList}>
      Click here to add one
    </Link>
  );
  return (
    <EmptyState action={add}>
      {isBesideBuiltIn ? 'Databases of your own are listed here, too.' : 'There are no data sources yet.'}
    </EmptyState>
  );
}
