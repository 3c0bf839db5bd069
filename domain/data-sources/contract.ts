import { z } from 'zod';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { TypeSchema } from '../forms/type-schema.ts';
import { Job } from '../jobs/contract.ts';
import { isShallow, tooDeepMessage } from '../json-depth.ts';
import { ArrayListParams, listOf } from '../lists/contract.ts';
import { dialects } from '../sql/dialect.ts';

/** server-behaviour 18.1. */
export const DataSource = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  syntax: z.string(),
  /** Ours: how texts of syntax `sql` are read and its names written. */
  dialect: z.enum(dialects),
  paused: z.union([z.literal(0), z.literal(1)]),
  pause_reason: z.string().nullable(),
  supports_auto_limit: z.boolean(),
  view_only: z.boolean(),
  /** Ours: the source has several databases to choose from. */
  has_databases: z.boolean(),
});
export type DataSource = z.infer<typeof DataSource>;

/** A data source as administrators see it; secrets read back as dashes. */
export const FullDataSource = DataSource.extend({
  options: z.record(z.string(), z.unknown()),
  queue_name: z.string(),
  scheduled_queue_name: z.string(),
  groups: z.record(z.string(), z.boolean()),
  /** Ours: made by Telltale itself; it can be paused but not changed or deleted. */
  is_built_in: z.boolean(),
  created_at: Time,
});
export type FullDataSource = z.infer<typeof FullDataSource>;

export const DataSourceType = z.object({
  name: z.string(),
  type: z.string(),
  syntax: z.string(),
  configuration_schema: TypeSchema,
  deprecated: z.boolean().optional(),
  /** Ours: the reason why sources of this kind cannot be used here. */
  unavailable: z.string().optional(),
});
export type DataSourceType = z.infer<typeof DataSourceType>;

const name = z.string('Name is required.').trim().min(1, 'Name is required.').max(255, 'Name is too long (at most 255 characters).');
const options = z.record(z.string(), z.unknown()).refine(isShallow, tooDeepMessage);
export const DataSourceFields = z.object({ name, type: z.string('Type is required.').max(100), options });
export type DataSourceFields = z.output<typeof DataSourceFields>;

/** `warning`, ours: the connection works, but its account has more rights than it should (security 6). */
const TestReply = z.object({ ok: z.boolean(), message: z.string(), warning: z.string().optional() });
export type TestReply = z.infer<typeof TestReply>;

export const SchemaColumn = z.object({ name: z.string(), type: z.string().nullable().optional(), description: z.string().optional() });
export const SchemaTable = z.object({
  name: z.string(),
  columns: z.array(SchemaColumn),
  size: z.number().optional(),
  description: z.string().optional(),
});
export type SchemaTable = z.infer<typeof SchemaTable>;

const refresh = z.object({ refresh: z.string().optional() });
const SchemaReply = z.union([z.object({ schema: z.array(SchemaTable), refreshed_at: Time.optional() }), z.object({ job: Job })]);
const InDatabase = ById.extend({ database: z.string().min(1).max(255) });
const TableOfDatabase = InDatabase.extend({ table: z.string().min(1).max(500) });

export const dataSourcesApi = {
  list: endpoint('GET', '/api/data_sources', {
    needs: 'list_data_sources',
    query: ArrayListParams,
    reply: listOf(DataSource),
    summary: 'Data sources the caller can reach, by name.',
  }),
  types: endpoint('GET', '/api/data_sources/types', {
    needs: 'admin',
    reply: z.array(DataSourceType),
    summary: 'Kinds of data sources and the options they take.',
  }),
  create: endpoint('POST', '/api/data_sources', {
    needs: 'admin',
    body: DataSourceFields,
    reply: FullDataSource,
    summary: 'Adds a data source, open to the default group.',
  }),
  testUnsaved: endpoint('POST', '/api/data_sources/test', {
    needs: 'admin',
    body: z.object({ type: z.string().max(100), options, id: Id.optional() }),
    reply: TestReply,
    summary: 'Tries settings that are not saved yet.',
  }),
  get: endpoint('GET', '/api/data_sources/:id', {
    needs: 'signed_in',
    params: ById,
    reply: z.union([FullDataSource, DataSource, DataSource.pick({ view_only: true })]),
    summary: 'One data source, as much of it as the caller may see.',
  }),
  save: endpoint('POST', '/api/data_sources/:id', {
    needs: 'admin',
    params: ById,
    body: DataSourceFields,
    reply: FullDataSource,
    summary: 'Changes a data source.',
  }),
  remove: endpoint('DELETE', '/api/data_sources/:id', {
    needs: 'admin',
    params: ById,
    reply: Empty,
    status: 204,
    summary: 'Deletes a data source and its results; its queries stay without one.',
  }),
  test: endpoint('POST', '/api/data_sources/:id/test', {
    needs: 'admin',
    params: ById,
    reply: TestReply,
    summary: 'Tries the stored settings.',
  }),
  pause: endpoint('POST', '/api/data_sources/:id/pause', {
    needs: 'admin',
    params: ById,
    query: z.object({ reason: z.string().max(1000).optional() }),
    body: z.object({ reason: z.string().max(1000).nullish() }),
    reply: DataSource,
    summary: 'Stops running queries on it, with a reason.',
  }),
  resume: endpoint('DELETE', '/api/data_sources/:id/pause', {
    needs: 'admin',
    params: ById,
    reply: DataSource,
    summary: 'Runs queries on it again.',
  }),
  schema: endpoint('GET', '/api/data_sources/:id/schema', {
    needs: 'signed_in',
    params: ById,
    query: refresh,
    reply: SchemaReply,
    summary: 'Tables and columns: from the cache, or a job that reads them.',
  }),
  databases: endpoint('GET', '/api/databricks/databases/:id', {
    needs: 'signed_in',
    params: ById,
    query: refresh,
    reply: z.union([z.array(z.string()), z.object({ job: Job })]),
    summary: 'Databases of a source that has several.',
  }),
  tables: endpoint('GET', '/api/databricks/databases/:id/:database/tables', {
    needs: 'signed_in',
    params: InDatabase,
    query: refresh,
    reply: z.union([z.object({ schema: z.array(SchemaTable), has_columns: z.boolean() }), z.object({ job: Job })]),
    summary: 'Tables of one of its databases.',
  }),
  columns: endpoint('GET', '/api/databricks/databases/:id/:database/columns/:table', {
    needs: 'signed_in',
    params: TableOfDatabase,
    reply: z.union([z.array(SchemaColumn), z.object({ job: Job })]),
    summary: 'Columns of one of those tables.',
  }),
};

const GroupSource = z.object({ id: Id, dataSourceId: Id });

/** A7: the sources that a group may use, and how. */
export const groupSourcesApi = {
  list: endpoint('GET', '/api/groups/:id/data_sources', {
    needs: 'admin',
    params: ById,
    query: ArrayListParams,
    reply: listOf(DataSource),
    summary: 'Data sources of a group.',
  }),
  add: endpoint('POST', '/api/groups/:id/data_sources', {
    needs: 'admin',
    params: ById,
    body: z.object({ data_source_id: Id }),
    reply: DataSource,
    summary: 'Opens a data source to a group with full access.',
  }),
  change: endpoint('POST', '/api/groups/:id/data_sources/:dataSourceId', {
    needs: 'admin',
    params: GroupSource,
    body: z.object({ view_only: z.boolean() }),
    reply: DataSource,
    summary: 'Full access or view only.',
  }),
  remove: endpoint('DELETE', '/api/groups/:id/data_sources/:dataSourceId', {
    needs: 'admin',
    params: GroupSource,
    reply: Empty,
    summary: 'Closes a data source to a group.',
  }),
};
