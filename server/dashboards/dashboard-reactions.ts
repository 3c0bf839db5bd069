import type { Ctx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { deleteWidgetsOfQuery, isShown } from './widgets.store.ts';

/** Q4: archiving a query deletes its widgets. */
export const removeWidgetsOf = (tx: Ctx, { query_id }: { query_id: number }) => deleteWidgetsOfQuery(tx.db, query_id);

/** W21: a visualization on a dashboard cannot be deleted, so that no dashboard loses a widget by a change elsewhere. */
export async function refuseWhileShown(tx: Ctx, { visualization_id }: { visualization_id: number }): Promise<void> {
  if (await isShown(tx.db, visualization_id)) throw invalid("Error deleting visualization. Maybe it's used in a dashboard?");
}
