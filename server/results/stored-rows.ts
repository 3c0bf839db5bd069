import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import type { Ctx } from '../platform/context.ts';
import { readRows } from '../wire/read-rows.ts';
import { readChunks } from './chunk-reader.ts';
import { findResult, listResultsSince } from './results.store.ts';

/** A stored result; the caller has to check access. Rows come in batches, so its size does not matter. */
export interface StoredResult {
  id: number;
  columns: ResultColumn[];
  row_count: number;
  retrieved_at: string;
  rows(limit?: number): AsyncGenerator<ResultRow[]>;
}

export async function findStoredResult(ctx: Ctx, id: number): Promise<StoredResult | undefined> {
  const row = await findResult(ctx.db, id);
  if (!row) return undefined;
  const { columns, row_count, retrieved_at } = row;
  return { id, columns, row_count, retrieved_at, rows: (limit) => readRows(readChunks(ctx, row), limit === undefined ? {} : { limit }) };
}

/** Results of one text on one source that are still kept, oldest first, at most the newest `limit` of them. The caller has to check access. */
export const listStoredResults = (ctx: Ctx, of: { data_source_id: number; query_hash: string }, since: Date, limit: number) =>
  listResultsSince(ctx.db, of, since, limit);
