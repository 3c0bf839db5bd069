import { useQuery, useQueryClient } from '@tanstack/react-query';
import { dataSourcesApi, type SchemaTable } from '@telltale/domain/data-sources/contract.ts';
import { jobStatus } from '@telltale/domain/jobs/contract.ts';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { jobError, waitForJob } from '../../api/jobs.ts';
import { queryKey } from '../../api/queryKey.ts';
import { notify } from '../../ui/notify.tsx';

interface Schema {
  tables: SchemaTable[];
  refreshed_at: string | null;
}

const none: readonly SchemaTable[] = [];

/** Q7: the answer is the schema, or a job that reads it. A refresh that fails leaves the old one (complaint 10). */
export function useSchema(dataSourceId: number | null, database: string | null, isOfDevices: boolean) {
  const client = useQueryClient();
  const [isRefreshing, setRefreshing] = useState(false);
  const key = queryKey(dataSourcesApi.schema, { params: { id: dataSourceId, database } });
  const read = useQuery<Schema>({
    queryKey: key,
    queryFn: ({ signal }) => readSchema(dataSourceId ?? 0, database, false, signal),
    enabled: dataSourceId !== null,
    // Devices add columns while one looks; the server answers from memory while there is nothing new.
    staleTime: isOfDevices ? 0 : 5 * 60_000,
    ...(isOfDevices && { refetchInterval: 10_000 }),
    retry: false,
  });

  const refresh = async () => {
    if (dataSourceId === null || isRefreshing) return;
    setRefreshing(true);
    try {
      client.setQueryData(key, await readSchema(dataSourceId, database, true));
    } catch {
      notify.error('Schema refresh failed. Please try again later.');
    } finally {
      setRefreshing(false);
    }
  };

  return {
    tables: read.data?.tables ?? none,
    refreshedAt: read.data?.refreshed_at ?? null,
    isLoading: read.isFetching && !read.data,
    error: read.error,
    isRefreshing,
    refresh,
  };
}

async function readSchema(id: number, database: string | null, isRefresh: boolean, signal?: AbortSignal): Promise<Schema> {
  const options = signal ? { signal } : {};
  const read = (query: { refresh?: string }) =>
    database === null
      ? call(dataSourcesApi.schema, { params: { id }, query }, options)
      : call(dataSourcesApi.tables, { params: { id, database }, query }, options);
  const reply = await read(isRefresh ? { refresh: 'true' } : {});
  if ('schema' in reply) return schemaIn(reply);
  const job = await waitForJob(reply.job, { signal });
  if (job.status === jobStatus.failed) throw new Error(jobError(job));
  const stored = await read({});
  if ('schema' in stored) return schemaIn(stored);
  throw new Error('The schema could not be read.');
}

const schemaIn = (reply: { schema: SchemaTable[]; refreshed_at?: string | undefined }): Schema => ({
  tables: reply.schema,
  refreshed_at: reply.refreshed_at ?? null,
});
