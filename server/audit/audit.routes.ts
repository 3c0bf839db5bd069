import { auditApi } from '@telltale/domain/audit/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { auditChoices, listAudit } from './audit.ts';

export function auditRoutes(http: Http): void {
  http.on(auditApi.list, (ctx, { query }) => listAudit(ctx, query));
  http.on(auditApi.choices, (ctx) => auditChoices(ctx));
}
