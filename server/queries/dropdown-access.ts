import { type QueryOptions, typeOf } from '@telltale/domain/parameters/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { forbidden, invalid } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';
import { hasReadableResults } from './joined-results.ts';
import { listQueriesById } from './queries.store.ts';

const dropdownIds = (options: QueryOptions): number[] => [
  ...new Set(options.parameters.flatMap((parameter) => (typeOf(parameter) === 'query' && parameter.queryId) || [])),
];

/**
 * W11: a user who makes a parameter offer the values of another query must see that query. Dropdowns that were there before stay: an editor
 * may work on a query whose dropdowns they cannot see.
 */
export async function requireDropdowns(ctx: UserCtx, options: QueryOptions, before?: QueryOptions): Promise<void> {
  const known = before ? dropdownIds(before) : [];
  const added = dropdownIds(options).filter((id) => !known.includes(id));
  if (added.length === 0) return;
  const queries = await listQueriesById(ctx.db, added);
  for (const id of added) {
    const query = queries.find((row) => row.id === id);
    if (!query || query.data_source_id === null) throw invalid(`The dropdown query ${id} does not exist or has no data source.`);
    if (!may(ctx.user, 'view', 'query', query) || !(await hasReadableResults(ctx, query)))
      throw forbidden(`You don't have access to the dropdown query ${id}.`);
  }
}
