import { eventsApi } from '@telltale/domain/events/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { listEvents, recordUsage } from './events.ts';

export function eventRoutes(http: Http): void {
  http.on(eventsApi.record, (ctx, { body }) => recordUsage(ctx, body));
  http.on(eventsApi.list, (ctx, { query }) => listEvents(ctx, query));
}
