import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { createSnippet, getSnippet, listSnippets, removeSnippet, saveSnippet } from './query-snippets.ts';

export function querySnippetRoutes(http: Http): void {
  http.on(querySnippetsApi.list, (ctx, { query }) => listSnippets(ctx, query));
  http.on(querySnippetsApi.get, (ctx, { params }) => getSnippet(ctx, params.id));
  http.on(querySnippetsApi.create, (ctx, { body }) => createSnippet(ctx, body));
  http.on(querySnippetsApi.save, (ctx, { params, body }) => saveSnippet(ctx, params.id, body));
  http.on(querySnippetsApi.remove, (ctx, { params }) => removeSnippet(ctx, params.id));
}
