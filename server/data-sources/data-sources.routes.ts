import { dataSourcesApi, groupSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import type { Http } from '../platform/http/http.ts';
import {
  createDataSource,
  listDataSources,
  listTypes,
  pauseDataSource,
  readDataSource,
  removeDataSource,
  saveDataSource,
} from './data-sources.ts';
import { addGroupSource, changeGroupSource, listGroupSources, removeGroupSource } from './group-sources.ts';
import { columnsOf, databasesOf, schemaOf, tablesOf, tryConnection } from './schemas.ts';

export function dataSourceRoutes(http: Http): void {
  http.on(dataSourcesApi.list, (ctx, { query }) => listDataSources(ctx, query));
  http.on(dataSourcesApi.types, () => listTypes());
  http.on(dataSourcesApi.create, (ctx, { body }) => createDataSource(ctx, body));
  http.on(dataSourcesApi.testUnsaved, (ctx, { body }) => tryConnection(ctx, body));
  http.on(dataSourcesApi.get, (ctx, { params }) => readDataSource(ctx, params.id));
  http.on(dataSourcesApi.save, (ctx, { params, body }) => saveDataSource(ctx, params.id, body));
  http.on(dataSourcesApi.remove, (ctx, { params }) => removeDataSource(ctx, params.id));
  http.on(dataSourcesApi.test, (ctx, { params }) => tryConnection(ctx, { id: params.id }));
  http.on(dataSourcesApi.pause, (ctx, { params, query, body }) =>
    pauseDataSource(ctx, params.id, true, body.reason ?? query.reason ?? null),
  );
  http.on(dataSourcesApi.resume, (ctx, { params }) => pauseDataSource(ctx, params.id, false, null));
  http.on(dataSourcesApi.schema, (ctx, { params, query }) => schemaOf(ctx, params.id, query.refresh !== undefined));
  http.on(dataSourcesApi.databases, (ctx, { params, query }) => databasesOf(ctx, params.id, query.refresh !== undefined));
  http.on(dataSourcesApi.tables, (ctx, { params, query }) => tablesOf(ctx, params.id, params.database, query.refresh !== undefined));
  http.on(dataSourcesApi.columns, (ctx, { params }) => columnsOf(ctx, params.id, params.database, params.table));

  http.on(groupSourcesApi.list, (ctx, { params, query }) => listGroupSources(ctx, params.id, query));
  http.on(groupSourcesApi.add, (ctx, { params, body }) => addGroupSource(ctx, params.id, body.data_source_id));
  http.on(groupSourcesApi.change, (ctx, { params, body }) => changeGroupSource(ctx, params.id, params.dataSourceId, body.view_only));
  http.on(groupSourcesApi.remove, (ctx, { params }) => removeGroupSource(ctx, params.id, params.dataSourceId));
}
