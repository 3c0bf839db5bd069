import type { FormatRequest } from '@telltale/domain/queries/contract.ts';
import { findConnector } from '../connectors/index.ts';
import { getDataSource } from '../data-sources/data-sources.ts';
import type { UserCtx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { formatText } from './format/formatter.ts';

/** Q5: SQL and JSON only; in the dialect of the source when the caller names one, otherwise in the most common one. */
export async function formatQuery(ctx: UserCtx, { query, syntax, data_source_id }: FormatRequest): Promise<{ query: string }> {
  const connector = data_source_id ? findConnector((await getDataSource(ctx, data_source_id)).type) : undefined;
  const asked = syntax ?? connector?.syntax ?? 'sql';
  if (asked !== 'sql' && asked !== 'json') throw invalid('Query formatting is not supported for your data source syntax.');
  return { query: await formatText(query, asked === 'json' ? 'json' : (connector?.dialect ?? 'postgres')) };
}
