import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { ApiError } from '../api/ApiError.ts';
import { useRead } from '../api/query.ts';
import { useCan } from '../api/session.ts';
import { ErrorPanel, ForbiddenPanel } from '../layout/ErrorPanel.tsx';
import { PageSkeleton } from '../layout/PageSkeleton.tsx';
import { isNumber, localKeys, readLocal } from './localOptions.ts';
import { NoSources } from './NoSources.tsx';
import { QuerySource } from './QuerySource.tsx';
import { selectableSources } from './SourceSelect.tsx';

/** /queries/new, /queries/:queryId/source and the same below /sql. The first save goes from one to the other by replace. */
export function QuerySourcePage() {
  const { queryId } = useParams();
  const { pathname } = useLocation();
  const base = pathname.startsWith('/sql') ? '/sql' : '/queries';
  const [createdId, setCreatedId] = useState<number | null>(null);
  const can = useCan();
  if (queryId === undefined || Number(queryId) === createdId) {
    if (!can('create_query')) return <ForbiddenPanel />;
    return <NewQuery base={base} onCreated={setCreatedId} />;
  }
  if (!can('view_source')) return <ForbiddenPanel />;
  return <SavedQuery key={queryId} id={Number(queryId)} base={base} />;
}

const useSources = () => useRead(dataSourcesApi.list, {}, { staleTime: 30_000 });

function NewQuery({ base, onCreated }: { base: '/queries' | '/sql'; onCreated: (id: number) => void }) {
  const sources = useSources();
  if (sources.error) return <ErrorPanel error={sources.error} onRetry={sources.refetch} />;
  if (!Array.isArray(sources.data)) return <PageSkeleton />;
  const offered = selectableSources(sources.data, null);
  const last = readLocal(localKeys.lastDataSource, 0, isNumber);
  const first = offered.find(({ id }) => id === last) ?? offered[0];
  if (!first) return <NoSources hasOnlyViewOnly={sources.data.length > 0} />;
  return (
    <QuerySource
      initial={null}
      sources={sources.data}
      firstSource={first}
      hasTemplate={base === '/queries'}
      base={base}
      onCreated={onCreated}
    />
  );
}

function SavedQuery({ id, base }: { id: number; base: '/queries' | '/sql' }) {
  const sources = useSources();
  const query = useRead(queriesApi.get, { params: { id } }, { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, enabled: id > 0 });
  if (!(id > 0)) return <ErrorPanel error={new ApiError(404, '')} />;
  const error = query.error ?? sources.error;
  if (error) return <ErrorPanel error={error} onRetry={() => Promise.all([query.refetch(), sources.refetch()])} />;
  if (!query.data || !Array.isArray(sources.data)) return <PageSkeleton />;
  if (!('query' in query.data)) return <ForbiddenPanel />;
  return (
    <QuerySource initial={query.data} sources={sources.data} firstSource={undefined} hasTemplate={false} base={base} onCreated={() => {}} />
  );
}
