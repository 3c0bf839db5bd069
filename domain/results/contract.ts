import { z } from 'zod';
import { endpoint, Id, Time } from '../endpoint.ts';
import { Job } from '../jobs/contract.ts';
import { isTimeZone } from '../organization/settings.ts';
import { QueryFlag } from '../query-flag.ts';

/** server-behaviour 11.1; null means unknown. */
export const columnTypes = ['integer', 'float', 'boolean', 'string', 'datetime', 'date'] as const;
export const ColumnType = z.enum(columnTypes).nullable();
export type ColumnType = z.infer<typeof ColumnType>;

export const ResultColumn = z.object({ name: z.string(), friendly_name: z.string().optional(), type: ColumnType });
export type ResultColumn = z.infer<typeof ResultColumn>;

/** One row: a value for each column name, encoded as server-behaviour 1.3 says. */
export const ResultRow = z.record(z.string(), z.unknown());
export type ResultRow = z.infer<typeof ResultRow>;

export const ResultData = z.object({
  columns: z.array(ResultColumn),
  rows: z.array(ResultRow),
  log: z.array(z.string()).optional(),
  metadata: z.looseObject({ data_scanned: z.number().optional() }).optional(),
  truncated: z.boolean().optional(),
});
export type ResultData = z.infer<typeof ResultData>;

/** Q3 and server-behaviour 11.1: a result for users who may see the data source. */
export const QueryResult = z.object({
  id: z.int(),
  query: z.string(),
  query_hash: z.string(),
  data: ResultData,
  data_source_id: z.int(),
  runtime: z.number(),
  retrieved_at: Time,
});
export type QueryResult = z.infer<typeof QueryResult>;

/** Readers with a query key or dashboard token never get the SQL text, its hash, or its source. */
export const SharedQueryResult = QueryResult.omit({ query: true, query_hash: true, data_source_id: true });
export type SharedQueryResult = z.infer<typeof SharedQueryResult>;

/** `GET api/query_results/{id}` and its kin (server-behaviour 11.2). */
export const QueryResultReply = z.object({ query_result: z.union([QueryResult, SharedQueryResult]) });
export type QueryResultReply = z.infer<typeof QueryResultReply>;

/** Q7: a number, `null` for any age; numeric text is accepted, anything else is refused. */
const maxAge = z
  .union([z.number(), z.string().regex(/^-?\d{1,10}$/)])
  .transform(Number)
  .pipe(z.int().min(-1).max(2_147_483_647))
  .nullish()
  .transform((age) => age ?? -1);
const values = z.record(z.string(), z.unknown());
const FromQueryString = z.record(z.string(), z.unknown()).optional();

export const ExecuteReply = z.union([z.object({ job: Job }), QueryResultReply, QueryResultReply.extend({ job: Job })]);

/** Ours: the run must not write, even if the caller may (assistants always set it). */
const readOnly = z.boolean().nullish();

/** Ours: the time zone of the viewer, as an IANA name (design 8). An unknown one counts as missing: the organisation's is used. */
const timeZone = z.string().max(64).refine(isTimeZone).nullish().catch(null);

export const AdHocRun = z.object({
  data_source_id: z.coerce.number().int().nullish(),
  query: z.string().max(1_000_000, 'The query is too long.').default(''),
  parameters: values.nullish(),
  max_age: maxAge,
  apply_auto_limit: z.boolean().nullish(),
  query_id: z.union([z.coerce.number().int(), z.string().max(40)]).nullish(),
  /** Ours: the database of a source that has several. */
  database: z.string().max(255).nullish(),
  read_only: readOnly,
  time_zone: timeZone,
});
export type AdHocRun = z.output<typeof AdHocRun>;

export const SavedRun = z.object({
  parameters: values.nullish(),
  max_age: maxAge,
  apply_auto_limit: z.boolean().nullish(),
  read_only: readOnly,
  time_zone: timeZone,
});
export type SavedRun = z.output<typeof SavedRun>;

const ResultFile = z.object({ file: z.string().max(40) });
const OfQuery = z.object({ id: Id });
/** Media types of downloads, chosen by the extension of the address. */
const files = ['text/csv', 'text/tab-separated-values', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'] as const;
const person = ['view_query', 'execute_query'] as const;
const keys = ['query_key', 'dashboard_token'] as const;
/** `raw` decides whether text cells are exact and dates ISO; without it the kind of reader does (design 8). */
const query = z.object({ raw: QueryFlag.optional(), api_key: z.string().optional() });

export const resultsApi = {
  execute: endpoint('POST', '/api/query_results', {
    needs: 'execute_query',
    query: FromQueryString,
    body: AdHocRun,
    reply: ExecuteReply,
    cors: true,
    summary: 'Runs a statement on a data source, or answers from the cache.',
  }),
  executeSaved: endpoint('POST', '/api/queries/:id/results', {
    needs: person,
    readers: keys,
    params: OfQuery,
    query: FromQueryString,
    body: SavedRun,
    lenientBody: true,
    reply: ExecuteReply,
    cors: true,
    summary: 'Runs a saved query, or answers from the cache.',
  }),
  get: endpoint('GET', '/api/query_results/:file', {
    needs: person,
    params: ResultFile,
    query,
    reply: QueryResultReply,
    cors: true,
    files,
    summary: 'A result: {id}, or {id}.json, .csv, .tsv, .xlsx.',
  }),
  latest: endpoint('GET', '/api/queries/:id/results', {
    needs: person,
    readers: keys,
    params: OfQuery,
    query,
    reply: QueryResultReply,
    cors: true,
    summary: 'The latest result of a query.',
  }),
  latestFile: endpoint('GET', '/api/queries/:id/results.:ext', {
    needs: person,
    readers: keys,
    params: OfQuery.extend({ ext: z.string().max(10) }),
    query,
    reply: QueryResultReply,
    cors: true,
    files,
    summary: 'The latest result as json, csv, tsv or xlsx.',
  }),
  ofQuery: endpoint('GET', '/api/queries/:id/results/:file', {
    needs: person,
    readers: keys,
    params: OfQuery.extend({ file: z.string().max(40) }),
    /** Key readers also send the values of the run (`p_…`, `time_zone`). */
    query: query.loose(),
    reply: QueryResultReply,
    cors: true,
    files,
    summary: 'One result of a query, with an extension for a download.',
  }),
  queryJob: endpoint('GET', '/api/queries/:id/jobs/:jobId', {
    needs: 'view_query',
    readers: keys,
    params: z.object({ id: Id, jobId: z.uuid() }),
    reply: z.object({ job: Job }),
    summary: 'State of a run of this query.',
  }),
};
