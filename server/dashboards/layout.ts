import type { LayoutChange, LayoutConflict, PlacedWidget } from '@telltale/domain/dashboards/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { getEditable } from './dashboard-access.ts';
import { lockWidgets, moveWidgets, type WidgetRow } from './widgets.store.ts';

/** Only the place of each widget: the caller may not be allowed to see more of it. */
const placed = ({ id, version, options, updated_at }: Pick<WidgetRow, 'id' | 'version' | 'options' | 'updated_at'>): PlacedWidget => ({
  id,
  version,
  options: { position: options.position ?? {} },
  updated_at,
});

/**
 * design 8: moves all widgets of one request, or none. Widgets have versions of their own, so editors who move different ones do not
 * conflict; a conflict returns the current places.
 */
export const saveLayout = (ctx: UserCtx, id: number, { widgets: moves }: LayoutChange): Promise<{ widgets: PlacedWidget[] }> =>
  ctx.transaction(async (tx) => {
    await getEditable(tx, id);
    const last = new Map(moves.map((move) => [move.id, move]));
    const rows = await lockWidgets(tx.db, id, [...last.keys()]);
    const stale = rows.filter((row) => (last.get(row.id)?.version ?? row.version) !== row.version);
    const removed = [...last.keys()].filter((widgetId) => !rows.some((row) => row.id === widgetId));
    if (stale.length + removed.length > 0) throw layoutConflict(stale, removed);
    const places = [...last.values()].map((move) => ({ id: move.id, position: move.options.position }));
    return { widgets: (await moveWidgets(tx.db, places)).map(placed) };
  });

function layoutConflict(stale: WidgetRow[], removed: number[]): AppError {
  const message = 'The layout has been modified by another user.';
  const body: Omit<LayoutConflict, 'message'> = { widgets: stale.map(placed), removed };
  return new AppError(409, 'conflict', message, { body });
}
