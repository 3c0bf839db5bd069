import { hasPermission } from '@telltale/domain/access/permissions.ts';
import type { WidgetOptions } from '@telltale/domain/dashboards/options.ts';
import type { Widget, WidgetVisualization } from '@telltale/domain/dashboards/widget.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import { reachableSourceIds } from '../data-sources/data-sources.ts';
import type { UserCtx } from '../platform/context.ts';
import { maySeeLive } from './live-widgets.ts';
import { listShownQueries, type ShownQuery, type WidgetRow } from './widgets.store.ts';

/** The queries behind widgets, and which of them somebody may see: the same rule as for a query's own page, asked once for all. Live ones by view_channel. */
export interface Shown {
  query(row: WidgetRow): ShownQuery | undefined;
  isRestricted(row: WidgetRow): boolean;
}

export async function shownTo(ctx: UserCtx, rows: readonly WidgetRow[]): Promise<Shown> {
  const ids = [...new Set(rows.flatMap(({ query_id }) => query_id ?? []))];
  const queries = ids.length === 0 ? [] : await listShownQueries(ctx.db, ids);
  const sources = ids.length === 0 ? [] : await reachableSourceIds(ctx);
  const byId = new Map(queries.map((query) => [query.id, query]));
  const reachable = new Set(sources);
  const isAdmin = hasPermission(ctx.user.permissions, 'admin');
  const maySee = ({ data_source_id, user_id }: ShownQuery) =>
    isAdmin || (data_source_id === null ? user_id === ctx.user.id : reachable.has(data_source_id));
  const query = (row: WidgetRow) => (row.query_id === null ? undefined : byId.get(row.query_id));
  return {
    query,
    isRestricted(row) {
      if (row.options.live && !maySeeLive(ctx)) return true;
      const found = query(row);
      return row.query_id !== null && (!found || !maySee(found));
    },
  };
}

/** server-behaviour 16.3 and 16.4; an allow-list, so nothing else can slip into an answer. */
export function widgetAnswer(row: WidgetRow, shown: Shown): Widget {
  const { id, dashboard_id, width, version, created_at, updated_at } = row;
  const common = { id, dashboard_id, width, version, created_at, updated_at };
  if (shown.isRestricted(row)) return { ...common, options: placeOnly(row.options), restricted: true };
  const query = shown.query(row);
  return { ...common, options: row.options, text: row.text, ...(query ? { visualization: visualizationAnswer(row, query) } : {}) };
}

export async function widgetAnswers(ctx: UserCtx, rows: readonly WidgetRow[]): Promise<Widget[]> {
  const shown = await shownTo(ctx, rows);
  return rows.map((row) => widgetAnswer(row, shown));
}

/** Where it stands is no secret; fixed values and titles of parameters may be one. */
export const placeOnly = ({ position, isHidden }: WidgetOptions): WidgetOptions => ({
  ...(position ? { position } : {}),
  ...(isHidden === undefined ? {} : { isHidden }),
});

function visualizationAnswer(row: WidgetRow, query: ShownQuery): WidgetVisualization {
  return {
    id: row.visualization_id ?? 0,
    query_id: query.id,
    type: row.type,
    name: row.name,
    description: row.description,
    options: row.visualization_options,
    created_at: row.visualization_created_at,
    updated_at: row.visualization_updated_at,
    query: {
      id: query.id,
      name: query.name,
      description: query.description,
      options: query.options,
      data_source_id: query.data_source_id,
      latest_query_data_id: query.latest_query_data_id,
      is_archived: query.is_archived,
      is_draft: query.is_draft,
      is_safe: isSafe(query.query, query.options.parameters),
      created_at: query.created_at,
      updated_at: query.updated_at,
    },
  };
}
