import type { Query } from '@telltale/domain/queries/contract.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { archiveRow, storeChange } from './queries.ts';
import { getQuery, getQueryToChange, requireOwner } from './query-access.ts';
import { queryAnswer } from './query-answers.ts';
import { regenerateKeys } from './query-keys.ts';

export const archiveQuery = (ctx: UserCtx, id: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    const before = await getQueryToChange(tx, id);
    requireOwner(tx, before, 'archive');
    if (before.is_archived) return null;
    await archiveRow(tx, before, before);
    await recordEvent(tx, 'archive', 'query', id);
    return null;
  });

/** design 8: restores the query, not its widgets, alerts or schedule. */
export const restoreQuery = (ctx: UserCtx, id: number): Promise<Query> =>
  ctx.transaction(async (tx) => {
    const before = await getQueryToChange(tx, id);
    requireOwner(tx, before, 'archive');
    if (before.is_archived) {
      await storeChange(tx, before, { ...before, is_archived: false });
      await recordEvent(tx, 'unarchive', 'query', id);
    }
    return queryAnswer(tx, await getQuery(tx, id));
  });

export async function regenerateQueryKey(ctx: UserCtx, id: number): Promise<Query> {
  return queryAnswer(ctx, await regenerateKeys(ctx, id));
}
