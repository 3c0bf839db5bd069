import type { Ctx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { deleteWidgetsOfQuery, isShown } from './widgets.store.ts';

/** Q4: what shows an archived query goes with it. */
export const removeWidgetsOf = (tx: Ctx, { query_id }: { query_id: number }) => deleteWidgetsOfQuery(tx.db, query_id);

/** W21: nothing vanishes from dashboards by what somebody does elsewhere. */
export async function refuseWhileShown(tx: Ctx, { visualization_id }: { visualization_id: number }): Promise<void> {
  if (await isShown(tx.db, visualization_id)) throw invalid("Error deleting visualization. Maybe it's used in a dashboard?");
}
