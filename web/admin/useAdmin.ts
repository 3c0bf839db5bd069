import { adminApi } from '@telltale/domain/admin/contract.ts';
import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import { useRead, useWrite } from '../api/query.ts';

/** Q9 and A9: the pages of administrators reload every minute. */
const refetchInterval = 60_000;

export const useSystemStatus = () => useRead(adminApi.status, {}, { refetchInterval });
export const useJobsStatus = () => useRead(adminApi.jobs, {}, { refetchInterval });
export const useOutdatedQueries = (isAutoUpdated: boolean) =>
  useRead(adminApi.outdated, {}, { refetchInterval: isAutoUpdated ? refetchInterval : false, refetchOnWindowFocus: isAutoUpdated });

export const useCancelJob = () => useWrite(jobsApi.cancel, { refresh: [adminApi.jobs], saved: 'The job has been cancelled.' });
export const useRetryJob = () => useWrite(jobsApi.retry, { refresh: [adminApi.jobs], saved: 'The job has been queued again.' });
