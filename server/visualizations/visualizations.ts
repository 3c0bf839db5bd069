import {
  type NewVisualization,
  storedOptions,
  type Visualization,
  type VisualizationChanges,
} from '@telltale/domain/visualizations/contract.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid, notFound, notYours } from '../platform/errors.ts';
import { emit } from '../platform/signals.ts';
import { may } from '../policy/policy.ts';
import { getQuery } from '../queries/queries.ts';
import { visualizationRemoving } from './visualization-signals.ts';
import {
  deleteVisualization,
  findVisualization,
  insertVisualization,
  lockVisualization,
  lockVisualizationIds,
  updatePositions,
  updateVisualization,
} from './visualizations.store.ts';

/** Returns a visualization if the caller may see its query. */
export async function getVisualization(ctx: Ctx, id: number): Promise<Visualization> {
  const visualization = await findVisualization(ctx.db, id);
  if (!visualization) throw notFound('Visualization');
  await getQuery(ctx, visualization.query_id);
  return visualization;
}

async function requireEdit(tx: UserCtx, queryId: number): Promise<void> {
  if (!may(tx.user, 'edit', 'visualization', await getQuery(tx, queryId))) throw notYours();
}

async function getToChange(tx: UserCtx, id: number): Promise<Visualization> {
  const visualization = await lockVisualization(tx.db, id);
  if (!visualization) throw notFound('Visualization');
  await requireEdit(tx, visualization.query_id);
  return visualization;
}

export const createVisualization = (ctx: UserCtx, { query_id, ...given }: NewVisualization): Promise<Visualization> =>
  ctx.transaction(async (tx) => {
    await requireEdit(tx, query_id);
    const visualization = await insertVisualization(tx.db, query_id, { ...given, options: storedOptions(given.type, given.options) });
    await recordEvent(tx, 'create', 'Visualization', visualization.id, { query_id });
    return visualization;
  });

/** Changes only the sent keys; options are replaced as a whole. */
export const saveVisualization = (ctx: UserCtx, id: number, changes: VisualizationChanges): Promise<Visualization> =>
  ctx.transaction(async (tx) => {
    const before = await getToChange(tx, id);
    const next = {
      ...before,
      ...changes,
      description: (changes.description === undefined ? before.description : changes.description) ?? '',
    };
    const saved = await updateVisualization(tx.db, id, { ...next, options: storedOptions(next.type, next.options) });
    await recordEvent(tx, 'edit', 'Visualization', id);
    return saved;
  });

/** Complaint 13: stores the order of the tabs. Refuses a list that misses a visualization: somebody else has added it meanwhile, and its place is unknown. */
export const orderVisualizations = (ctx: UserCtx, queryId: number, ids: readonly number[]): Promise<null> =>
  ctx.transaction(async (tx) => {
    await requireEdit(tx, queryId);
    const known = await lockVisualizationIds(tx.db, queryId);
    const named = new Set(ids);
    if (ids.length !== known.length || !known.every((id) => named.has(id)))
      throw invalid('The visualizations of this query have changed. An order names all of them, each once.');
    await updatePositions(tx.db, ids);
    await recordEvent(tx, 'order_visualizations', 'query', queryId);
    return null;
  });

export const removeVisualization = (ctx: UserCtx, id: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    const { query_id } = await getToChange(tx, id);
    await emit(tx, visualizationRemoving, { visualization_id: id, query_id });
    await deleteVisualization(tx.db, id);
    await recordEvent(tx, 'delete', 'Visualization', id);
    return null;
  });
