import type { QuerySetting } from '@telltale/domain/alerts/contract.ts';
import type { ResultRow } from '@telltale/domain/results/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { findStoredResult } from '../results/stored-rows.ts';
import { getWatchable } from './alert-access.ts';

/** The number of rows for the preview. */
const previewRows = 20;

/** The facts about a query that the alert page needs; without a result there are no columns yet. */
export async function querySetting(ctx: UserCtx, queryId: number): Promise<QuerySetting> {
  const query = await getWatchable(ctx, queryId);
  const result = query.latest_query_data_id === null ? undefined : await findStoredResult(ctx, query.latest_query_data_id);
  const rows: ResultRow[] = [];
  if (result) for await (const some of result.rows(previewRows)) rows.push(...some);
  return {
    query_id: query.id,
    name: query.name,
    columns: result?.columns ?? [],
    row: rows[0] ?? null,
    rows: rows.slice(0, previewRows),
    schedule: query.schedule,
    parameters: query.options.parameters.length,
    retrieved_at: result?.retrieved_at ?? null,
  };
}
