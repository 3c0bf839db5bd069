import { useQuery } from '@tanstack/react-query';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { jobStatus } from '@telltale/domain/jobs/contract.ts';
import { call } from '../../api/call.ts';
import { jobError, waitForJob } from '../../api/jobs.ts';
import { queryKey } from '../../api/queryKey.ts';

/** Q7: the databases of a source that has several: the answer, or a job that reads them. */
export function useDatabases(dataSourceId: number | null) {
  return useQuery<string[]>({
    queryKey: queryKey(dataSourcesApi.databases, { params: { id: dataSourceId } }),
    queryFn: ({ signal }) => readDatabases(dataSourceId ?? 0, signal),
    enabled: dataSourceId !== null,
    staleTime: 5 * 60_000,
    retry: false,
  });
}

async function readDatabases(id: number, signal: AbortSignal): Promise<string[]> {
  const reply = await call(dataSourcesApi.databases, { params: { id } }, { signal });
  if (Array.isArray(reply)) return reply;
  const job = await waitForJob(reply.job, { signal });
  if (job.status === jobStatus.failed) throw new Error(jobError(job));
  return Array.isArray(job.result) ? job.result.map(String) : [];
}
