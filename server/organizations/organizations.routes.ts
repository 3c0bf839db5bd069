import { organizationApi } from '@telltale/domain/organization/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { type Counters, objectCounters } from './organizations.ts';
import { readSettings, saveSettings } from './settings.ts';

export function organizationRoutes(http: Http, counters: Counters): void {
  http.on(organizationApi.status, (ctx) => objectCounters(ctx, counters));
  http.on(organizationApi.settings, (ctx) => readSettings(ctx));
  http.on(organizationApi.saveSettings, (ctx, { body }) => saveSettings(ctx, body));
}
