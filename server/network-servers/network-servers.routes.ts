import { networksApi } from '@telltale/domain/networks/contract.ts';
import type { Http } from '../platform/http/http.ts';
import {
  airtimeOf,
  createNetwork,
  getNetwork,
  listKinds,
  listNames,
  listNetworks,
  removeNetwork,
  rotateWebhookSecret,
  saveNetwork,
} from './network-servers.ts';
import { testSaved, testUnsaved } from './network-test.ts';

export function networkRoutes(http: Http): void {
  http.on(networksApi.list, (ctx, { query }) => listNetworks(ctx, query));
  http.on(networksApi.types, () => listKinds());
  http.on(networksApi.names, (ctx) => listNames(ctx));
  http.on(networksApi.airtime, (_ctx, { body }) => airtimeOf(body));
  http.on(networksApi.create, (ctx, { body }) => createNetwork(ctx, body));
  http.on(networksApi.testUnsaved, (ctx, { body }) => testUnsaved(ctx, body));
  http.on(networksApi.get, (ctx, { params }) => getNetwork(ctx, params.id));
  http.on(networksApi.save, (ctx, { params, body }) => saveNetwork(ctx, params.id, body));
  http.on(networksApi.remove, (ctx, { params }) => removeNetwork(ctx, params.id));
  http.on(networksApi.test, (ctx, { params }) => testSaved(ctx, params.id));
  http.on(networksApi.rotateSecret, (ctx, { params }) => rotateWebhookSecret(ctx, params.id));
}
