import { z } from 'zod';
import { Time } from '../endpoint.ts';

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

/** Q3 and server-behaviour 11.1: what a person who may see the data source reads. */
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

/** A reader by query key or dashboard token never learns the SQL text, nor what stands for it, nor where it ran. */
export const SharedQueryResult = QueryResult.omit({ query: true, query_hash: true, data_source_id: true });
export type SharedQueryResult = z.infer<typeof SharedQueryResult>;

/** `GET api/query_results/{id}` and its kin (server-behaviour 11.2). */
export const QueryResultReply = z.object({ query_result: z.union([QueryResult, SharedQueryResult]) });
export type QueryResultReply = z.infer<typeof QueryResultReply>;
