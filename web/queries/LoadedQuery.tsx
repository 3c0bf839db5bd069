import { type DataSource, dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { type Query, queriesApi } from '@telltale/domain/queries/contract.ts';
import type { ReactNode } from 'react';
import { ApiError } from '../api/ApiError.ts';
import { useRead } from '../api/query.ts';
import { ErrorPanel, ForbiddenPanel } from '../layout/ErrorPanel.tsx';
import { type PageShape, PageSkeleton } from '../layout/PageSkeleton.tsx';

export const useSources = () => useRead(dataSourcesApi.list, {}, { staleTime: 30_000 });

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
  if (!query.data || !Array.isArray(sources.data)) return <PageSkeleton shape={shape} />;
  if (!('query' in query.data)) return <ForbiddenPanel />;
  return children(query.data, sources.data);
}
