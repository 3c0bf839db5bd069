import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { useCan } from '../api/session.ts';
import { ErrorPanel, ForbiddenPanel } from '../layout/ErrorPanel.tsx';
import { PageSkeleton } from '../layout/PageSkeleton.tsx';
import { LoadedQuery, useSources } from './LoadedQuery.tsx';
import { isNumber, localKeys, readLocal } from './localOptions.ts';
import { NoSources } from './NoSources.tsx';
import { firstSourceOf } from './newQueryTemplate.ts';
import { QuerySource } from './QuerySource.tsx';
import { selectableSources } from './SourceSelect.tsx';

type Base = '/queries' | '/sql';

/** /queries/new, /queries/:queryId/source and the same below /sql. The first save replaces one address by the other. */
export function QuerySourcePage() {
  const { queryId } = useParams();
  const { pathname } = useLocation();
  const base: Base = pathname.startsWith('/sql') ? '/sql' : '/queries';
  const [createdId, setCreatedId] = useState<number | null>(null);
  const can = useCan();
  if (queryId === undefined || Number(queryId) === createdId) {
    if (!can('create_query')) return <ForbiddenPanel />;
    return <NewQuery base={base} onCreated={setCreatedId} />;
  }
  if (!can('view_source')) return <ForbiddenPanel />;
  return (
    <LoadedQuery key={queryId} id={Number(queryId)} shape="editor">
      {(query, sources) => (
        <QuerySource initial={query} sources={sources} firstSource={undefined} hasTemplate={false} base={base} onCreated={setCreatedId} />
      )}
    </LoadedQuery>
  );
}

function NewQuery({ base, onCreated }: { base: Base; onCreated: (id: number) => void }) {
  const sources = useSources();
  if (sources.error) return <ErrorPanel error={sources.error} onRetry={sources.refetch} />;
  if (!sources.data) return <PageSkeleton shape="editor" />;
  const offered = selectableSources(sources.data, null);
  const last = readLocal(localKeys.lastDataSource, 0, isNumber);
  const first = firstSourceOf(offered, last);
  if (!first) return <NoSources hasOnlyViewOnly={sources.data.length > 0} />;
  const hasTemplate = base === '/queries';
  return (
    <QuerySource initial={null} sources={sources.data} firstSource={first} hasTemplate={hasTemplate} base={base} onCreated={onCreated} />
  );
}
