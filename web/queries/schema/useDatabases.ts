import { useQuery, useQueryClient } from '@tanstack/react-query';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { jobStatus } from '@telltale/domain/jobs/contract.ts';
import { call } from '../../api/call.ts';
import { jobError, waitForJob } from '../../api/jobs.ts';
import { queryKey } from '../../api/queryKey.ts';

/** Q7: the databases of a source that has several: the answer, or a job that reads them. */
export function useDatabases(dataSourceId: number | null) {
  const client = useQueryClient();
  const key = queryKey(dataSourcesApi.databases, { params: { id: dataSourceId } });
  const read = useQuery<string[]>({
    queryKey: key,
    queryFn: ({ signal }) => readDatabases(dataSourceId ?? 0, false, signal),
    enabled: dataSourceId !== null,
    staleTime: 5 * 60_000,
    retry: false,
  });
  /** Screens 5.7: the databases are read anew together with the schema. The database selection shows a failure. */
  const refresh = () => {
    if (dataSourceId === null) return;
    const queryFn = ({ signal }: { signal: AbortSignal }) => readDatabases(dataSourceId, true, signal);
    void client.fetchQuery({ queryKey: key, queryFn, staleTime: 0, retry: false }).catch(() => {});
  };
  return { data: read.data, error: read.error, isPending: read.isPending, refresh };
}

async function readDatabases(id: number, isRefresh: boolean, signal: AbortSignal): Promise<string[]> {
  const reply = await call(dataSourcesApi.databases, { params: { id }, query: isRefresh ? { refresh: 'true' } : {} }, { signal });
  if (Array.isArray(reply)) return reply;
  const job = await waitForJob(reply.job, { signal });
  if (job.status === jobStatus.failed) throw new Error(jobError(job));
  return Array.isArray(job.result) ? job.result.map(String) : [];
}
