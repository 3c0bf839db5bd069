import { accessApi } from '@telltale/domain/admin/access-contract.ts';
import { adminApi } from '@telltale/domain/admin/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { accessOf } from './access-matrix.ts';
import { jobsStatus, outdatedQueries } from './job-status.ts';
import { systemStatus } from './system-status.ts';

export function adminRoutes(http: Http): void {
  http.on(adminApi.status, (ctx) => systemStatus(ctx));
  http.on(adminApi.jobs, (ctx) => jobsStatus(ctx));
  http.on(accessApi.ofUser, (ctx, { params, query }) => accessOf(ctx, params.id, query));
  http.on(adminApi.outdated, (ctx) => outdatedQueries(ctx));
}
