import { type QueryOptions, typeOf } from '@telltale/domain/parameters/contract.ts';
import { reachableSourceIds } from '../data-sources/data-sources.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, invalid } from '../platform/errors.ts';
import { mayReadResultsOf } from './joined-results.ts';
import { listSourcesOfQueries } from './queries.store.ts';
import { findQueryRow } from './query-access.ts';

const dropdownIds = (options: QueryOptions): number[] => [
  ...new Set(options.parameters.flatMap((parameter) => (typeOf(parameter) === 'query' && parameter.queryId) || [])),
];

/**
 * W11: whoever makes a parameter offer the values of another query can see that query, each of them. Those that were there
 * before stay: somebody may be let in to edit a query whose dropdowns are not theirs.
 */
export async function requireDropdowns(ctx: UserCtx, options: QueryOptions, before?: QueryOptions): Promise<void> {
  const known = before ? dropdownIds(before) : [];
  const added = dropdownIds(options).filter((id) => !known.includes(id));
  if (added.length === 0) return;
  const [queries, reachable] = [await listSourcesOfQueries(ctx.db, added), await reachableSourceIds(ctx)];
  for (const id of added) {
    const query = queries.find((row) => row.id === id);
    if (!query || query.data_source_id === null) throw invalid(`The dropdown query ${id} does not exist or has no data source.`);
    const row = reachable.includes(query.data_source_id) ? await findQueryRow(ctx, id) : undefined;
    if (!row || !(await mayReadResultsOf(ctx, row))) throw forbidden(`You don't have access to the dropdown query ${id}.`);
  }
}
