import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { listDeliveries } from './deliveries.ts';
import { createDestination, listDestinations, listTypes, readDestination, removeDestination, saveDestination } from './destinations.ts';
import { testDestination, testUnsaved } from './sending.ts';

export function destinationRoutes(http: Http): void {
  http.on(destinationsApi.list, (ctx, { query }) => listDestinations(ctx, query));
  http.on(destinationsApi.types, async () => listTypes());
  http.on(destinationsApi.create, (ctx, { body }) => createDestination(ctx, body));
  http.on(destinationsApi.testUnsaved, (ctx, { body }) => testUnsaved(ctx, body));
  http.on(destinationsApi.get, (ctx, { params }) => readDestination(ctx, params.id));
  http.on(destinationsApi.save, (ctx, { params, body }) => saveDestination(ctx, params.id, body));
  http.on(destinationsApi.remove, (ctx, { params }) => removeDestination(ctx, params.id));
  http.on(destinationsApi.test, (ctx, { params }) => testDestination(ctx, params.id));
  http.on(destinationsApi.deliveries, (ctx, { params, query }) => listDeliveries(ctx, params.id, query));
}
