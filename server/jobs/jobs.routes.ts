import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { cancelOwnJob, readJob, retryFailedJob } from './jobs.ts';

export function jobRoutes(http: Http): void {
  http.on(jobsApi.get, async (ctx, { params }) => ({ job: await readJob(ctx, params.id) }));
  http.on(jobsApi.cancel, (ctx, { params }) => cancelOwnJob(ctx, params.id));
  http.on(jobsApi.retry, async (ctx, { params }) => ({ job: await retryFailedJob(ctx, params.id) }));
}
