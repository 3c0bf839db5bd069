import type { Query } from '@telltale/domain/queries/contract.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { emit } from '../platform/signals.ts';
import { setQueryKey } from './queries.store.ts';
import { newQueryKey, storeChange } from './queries.ts';
import { getQuery, getQueryToChange, requireOwner } from './query-access.ts';
import { queryAnswer } from './query-answers.ts';
import { queryArchived } from './query-signals.ts';

/** Q4: out of lists, schedules, alerts and dashboards; still there for whoever has its address. */
export const archiveQuery = (ctx: UserCtx, id: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    const before = await getQueryToChange(tx, id);
    requireOwner(tx, before);
    if (before.is_archived) return null;
    await storeChange(tx, before, { ...before, is_archived: true, schedule: null, next_run_at: null, schedule_failures: 0 });
    await emit(tx, queryArchived, { query_id: id });
    await recordEvent(tx, 'archive', 'query', id);
    return null;
  });

/** design 8: brings the query back, not its widgets, alerts or schedule. */
export const restoreQuery = (ctx: UserCtx, id: number): Promise<Query> =>
  ctx.transaction(async (tx) => {
    const before = await getQueryToChange(tx, id);
    requireOwner(tx, before);
    if (before.is_archived) {
      await storeChange(tx, before, { ...before, is_archived: false });
      await recordEvent(tx, 'unarchive', 'query', id);
    }
    return queryAnswer(tx, await getQuery(tx, id));
  });

/** server-behaviour 7.15: the old key dies at once. No change of the query, so its version stays. */
export const regenerateQueryKey = (ctx: UserCtx, id: number): Promise<Query> =>
  ctx.transaction(async (tx) => {
    requireOwner(tx, await getQueryToChange(tx, id));
    await setQueryKey(tx.db, id, newQueryKey(tx));
    // The name is how upstream has always written it.
    await recordEvent(tx, 'regnerate_api_key', 'query', id);
    return queryAnswer(tx, await getQuery(tx, id));
  });
