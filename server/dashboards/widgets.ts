import { isSmall, tooLarge, type WidgetOptions } from '@telltale/domain/dashboards/options.ts';
import { keptMappings, mappingOf } from '@telltale/domain/dashboards/parameter-mapping.ts';
import type { NewWidget, Widget, WidgetChanges } from '@telltale/domain/dashboards/widget.ts';
import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import { getVisualization } from '../visualizations/visualizations.ts';
import { getDashboard, getEditable } from './dashboard-access.ts';
import { touchDashboard } from './dashboards.store.ts';
import { requireLiveDevices } from './live-widgets.ts';
import { shownTo, widgetAnswers } from './widget-answers.ts';
import {
  countWidgets,
  deleteWidget,
  findWidget,
  holdQuery,
  insertWidget,
  lockWidgets,
  updateWidget,
  type WidgetRow,
} from './widgets.store.ts';

/** More than a page can usefully show. */
const mostWidgets = 500;

/** server-behaviour 16.3: a user who adds a visualization must be allowed to see its query. */
export const createWidget = (ctx: UserCtx, given: NewWidget): Promise<Widget> =>
  ctx.transaction(async (tx) => {
    const { id: dashboard_id } = await getEditable(tx, given.dashboard_id);
    if ((await countWidgets(tx.db, dashboard_id)) >= mostWidgets) throw invalid(`A dashboard has at most ${mostWidgets} widgets.`);
    const visualization_id = given.visualization_id ?? null;
    if (given.options.live) await requireLiveDevices(tx, given.options.live, visualization_id);
    const parameters = visualization_id === null ? [] : await parametersOf(tx, visualization_id);
    const id = await insertWidget(tx.db, {
      dashboard_id,
      visualization_id,
      text: given.text ?? '',
      width: given.width,
      options: keptOptions(given.options, parameters),
    });
    await touchDashboard(tx.db, dashboard_id);
    await recordEvent(tx, 'create', 'widget', id, { dashboard_id });
    return followable(await answer(tx, id), given.options);
  });

/** Q4: an archived query cannot be added to a dashboard, even when it is archived at the same moment. */
async function parametersOf(tx: UserCtx, visualizationId: number): Promise<readonly QueryParameter[]> {
  const { query_id } = await getVisualization(tx, visualizationId);
  const query = await holdQuery(tx.db, query_id);
  if (!query || query.is_archived) throw invalid("This query is archived and can't be used in dashboards.");
  return query.options.parameters;
}

/** screens 9.5: keeps only mappings for existing parameters, under their names. */
function keptOptions(options: WidgetOptions, parameters: readonly QueryParameter[]): WidgetOptions {
  const { parameterMappings } = options;
  if (!parameterMappings) return options;
  const known = parameters.filter(({ name }) => Object.hasOwn(parameterMappings, name));
  return { ...options, parameterMappings: keptMappings(known.map((parameter) => mappingOf(parameter, parameterMappings))) };
}

/** For users who may see the dashboard; restricted when they may not see the query (16.4). */
export async function readWidget(ctx: UserCtx, id: number): Promise<Widget> {
  const { dashboard_id } = await getWidget(ctx, id);
  await getDashboard(ctx, dashboard_id);
  return answer(ctx, id);
}

const answer = async (tx: UserCtx, id: number): Promise<Widget> => {
  const [widget] = await widgetAnswers(tx, [await getWidget(tx, id)]);
  return widget as Widget;
};

async function getWidget(ctx: UserCtx, id: number): Promise<WidgetRow> {
  const row = await findWidget(ctx.db, id);
  if (!row) throw notFound('Widget');
  return row;
}

/** Locks the widget for users who may edit its dashboard, until the transaction ends. */
async function getToChange(tx: UserCtx, id: number): Promise<WidgetRow> {
  const { dashboard_id } = await getWidget(tx, id);
  await getEditable(tx, dashboard_id);
  const [locked] = await lockWidgets(tx.db, dashboard_id, [id]);
  if (!locked) throw notFound('Widget');
  return locked;
}

/** A widget follows new readings only if its query reads them. */
function followable(widget: Widget, given: WidgetOptions): Widget {
  if (given.follows_readings && !widget.visualization?.query.reads_devices) {
    throw invalid('Only widgets on IoT data can follow new readings.');
  }
  return widget;
}

const widgetConflict = 'The widget has been modified by another user.';

/** W19: merges each sent option separately, so that a position does not overwrite the parameters. */
export const saveWidget = (ctx: UserCtx, id: number, { text, options, version }: WidgetChanges): Promise<Widget> =>
  ctx.transaction(async (tx) => {
    const before = await getToChange(tx, id);
    if (version !== undefined && version !== before.version) throw conflict(widgetConflict);
    const shown = await shownTo(tx, tx.user, [before]);
    const others = Object.keys(options ?? {}).filter((key) => key !== 'position' && key !== 'isHidden');
    // Users who may not see the data of a widget may only move or hide it.
    if (shown.isRestricted(before) && others.length > 0) throw forbidden();
    if (options?.live) await requireLiveDevices(tx, options.live, before.visualization_id);
    const parameters = shown.query(before)?.options.parameters ?? [];
    const position = options?.position ? { position: { ...before.options.position, ...options.position } } : {};
    const merged = { ...before.options, ...keptOptions(options ?? {}, parameters), ...position };
    if (!isSmall(merged)) throw invalid(tooLarge);
    await updateWidget(tx.db, id, { text: text === undefined ? before.text : (text ?? ''), options: merged });
    await touchDashboard(tx.db, before.dashboard_id);
    await recordEvent(tx, 'edit', 'widget', id, { dashboard_id: before.dashboard_id });
    return followable(await answer(tx, id), options ?? {});
  });

export const removeWidget = (ctx: UserCtx, id: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    const { dashboard_id } = await getToChange(tx, id);
    await deleteWidget(tx.db, id);
    await touchDashboard(tx.db, dashboard_id);
    await recordEvent(tx, 'delete', 'widget', id, { dashboard_id });
    return null;
  });
