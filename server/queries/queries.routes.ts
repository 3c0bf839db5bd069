import { queriesApi } from '@telltale/domain/queries/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { createQuery, readQuery, saveQuery } from './queries.ts';

export function queryRoutes(http: Http): void {
  http.on(queriesApi.create, (ctx, { body }) => createQuery(ctx, body));
  http.on(queriesApi.get, (ctx, { params }) => readQuery(ctx, params.id));
  http.on(queriesApi.save, (ctx, { params, body }) => saveQuery(ctx, params.id, body));
}
