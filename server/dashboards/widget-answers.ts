import type { WidgetOptions } from '@telltale/domain/dashboards/options.ts';
import type { Widget, WidgetVisualization } from '@telltale/domain/dashboards/widget.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import type { User } from '@telltale/domain/users/contract.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { builtInType } from '../policy/facts.ts';
import { may } from '../policy/policy.ts';
import type { Principal } from '../policy/principals.ts';
import { findUsersById } from '../users/users.ts';
import { listLiveChannels, listShownQueries, type ShownQuery, type VisualizationWidgetRow, type WidgetRow } from './widgets.store.ts';

/** Users by id; the owner of a query cannot be deleted, so all of them exist. */
type People = ReadonlyMap<number, User>;

/** The queries of widgets, read once for all of them, and which widgets the viewer may see. */
export interface Shown {
  query(row: WidgetRow): ShownQuery | undefined;
  isRestricted(row: WidgetRow): boolean;
}

export async function shownTo({ db }: Ctx, who: Principal, rows: readonly WidgetRow[]): Promise<Shown> {
  const ids = [...new Set(rows.flatMap(({ query_id }) => query_id ?? []))];
  const queries = ids.length === 0 ? [] : await listShownQueries(db, ids);
  const byId = new Map(queries.map((query) => [query.id, query]));
  const channels = await listLiveChannels(
    db,
    rows.flatMap(({ options }) => options.live?.channelid ?? []),
  );
  const query = (row: WidgetRow) => (row.query_id === null ? undefined : byId.get(row.query_id));
  return {
    query,
    isRestricted: (row) =>
      !may(who, 'view', 'widget', {
        query: row.query_id === null ? null : query(row),
        is_live: row.options.live !== undefined,
        channel_pk: channels.get(row.options.live?.channelid ?? ''),
      }),
  };
}

/** server-behaviour 16.3 and 16.4; an allow-list, so that no other field gets into an answer. */
function widgetAnswer(row: WidgetRow, shown: Shown, people: People): Widget {
  const { id, dashboard_id, width, version, created_at, updated_at } = row;
  const common = { id, dashboard_id, width, version, created_at, updated_at };
  if (shown.isRestricted(row)) return { ...common, options: placeOnly(row.options), restricted: true };
  const fields = { ...common, options: row.options, text: row.text };
  const query = shown.query(row);
  if (!query || row.visualization_id === null) return { ...fields, type: 'text', visualization_id: null };
  return {
    ...fields,
    type: 'visualization',
    visualization_id: row.visualization_id,
    query: { id: query.id, name: query.name, description: query.description },
    visualization: visualizationAnswer(row, query, people),
  };
}

export async function widgetAnswers(ctx: UserCtx, rows: readonly WidgetRow[]): Promise<Widget[]> {
  const shown = await shownTo(ctx, ctx.user, rows);
  const queries = rows.flatMap((row) => (shown.isRestricted(row) ? [] : (shown.query(row) ?? [])));
  const people = await findUsersById(
    ctx,
    queries.flatMap(({ user_id, last_modified_by_id }) => [user_id, last_modified_by_id ?? user_id]),
  );
  return rows.map((row) => widgetAnswer(row, shown, people));
}

/** The place of a widget is not secret; fixed values and titles of parameters may be. */
export const placeOnly = ({ position, isHidden }: WidgetOptions): WidgetOptions => ({
  ...(position ? { position } : {}),
  ...(isHidden === undefined ? {} : { isHidden }),
});

/** The fields of a visualization that every viewer of its widget sees. */
export const visualizationFields = (row: VisualizationWidgetRow) => ({
  type: row.type,
  name: row.name,
  description: row.description,
  options: row.visualization_options,
  created_at: row.visualization_created_at,
  updated_at: row.visualization_updated_at,
});

function visualizationAnswer(row: VisualizationWidgetRow, query: ShownQuery, people: People): WidgetVisualization {
  return {
    id: row.visualization_id,
    query_id: query.id,
    ...visualizationFields(row),
    query: {
      id: query.id,
      name: query.name,
      description: query.description,
      query_hash: query.query_hash,
      schedule: query.schedule,
      tags: query.tags,
      version: query.version,
      user: people.get(query.user_id) as User,
      last_modified_by: (query.last_modified_by_id !== null && people.get(query.last_modified_by_id)) || null,
      options: query.options,
      ...(query.column_display && { column_display: query.column_display }),
      data_source_id: query.data_source_id,
      latest_query_data_id: query.latest_query_data_id,
      stale_seconds: staleSeconds(query),
      reads_devices: readsDevices(query),
      is_archived: query.is_archived,
      is_draft: query.is_draft,
      is_safe: isSafe(query.query, query.options.parameters),
      created_at: query.created_at,
      updated_at: query.updated_at,
    },
  };
}

const deviceSeconds = 60;

/** The interval of the schedule; for device data without one a minute, because sensors report all the time. */
function staleSeconds({ schedule, source }: ShownQuery): number | null {
  if (schedule?.interval) return Number(schedule.interval);
  return readsDevices({ source }) ? deviceSeconds : null;
}

const readsDevices = ({ source }: Pick<ShownQuery, 'source'>): boolean => source?.type === builtInType;
