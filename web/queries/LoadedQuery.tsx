import { type DataSource, dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { type Query, queriesApi } from '@telltale/domain/queries/contract.ts';
import type { ReactNode } from 'react';
import { ApiError } from '../api/ApiError.ts';
import { useRead } from '../api/query.ts';
import { useCan } from '../api/session.ts';
import { ErrorPanel, ForbiddenPanel } from '../layout/ErrorPanel.tsx';
import { type PageShape, PageSkeleton } from '../layout/PageSkeleton.tsx';

const noSources: readonly DataSource[] = [];

/** The sources of this user; none for a user who may not list them, because queries are shown to such users as well (Q6). */
export function useSources() {
  const isAllowed = useCan()('list_data_sources');
  const { data, error, refetch } = useRead(dataSourcesApi.list, {}, { staleTime: 30_000, enabled: isAllowed });
  return { data: isAllowed ? (Array.isArray(data) ? data : undefined) : noSources, error, refetch };
}

interface LoadedQueryProps {
  id: number;
  /** The skeleton that is shown while the query loads. */
  shape?: PageShape;
  children: (query: Query, sources: readonly DataSource[]) => ReactNode;
}

/** A query as it is now: read anew at every visit, and then left alone while somebody works on it. */
export function LoadedQuery({ id, shape = 'answer', children }: LoadedQueryProps) {
  const sources = useSources();
  const query = useRead(queriesApi.get, { params: { id } }, { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, enabled: id > 0 });
  if (!(id > 0)) return <ErrorPanel error={new ApiError(404, '')} />;
  const error = query.error ?? sources.error;
  if (error) return <ErrorPanel error={error} onRetry={() => Promise.all([query.refetch(), sources.refetch()])} />;
  if (!query.data || !sources.data) return <PageSkeleton shape={shape} />;
  if (!('query' in query.data)) return <ForbiddenPanel />;
  return children(query.data, sources.data);
}
