import type { ColumnDisplay } from '@telltale/domain/channels/attribute-display.ts';
import type { Position } from '@telltale/domain/dashboards/grid.ts';
import type { WidgetOptions } from '@telltale/domain/dashboards/options.ts';
import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import type { OnSource } from '../policy/facts.ts';
import { sourceFacts } from '../policy/query-facts.ts';

interface WidgetColumns extends Columns<'widgets', 'id' | 'dashboard_id' | 'text' | 'width' | 'version' | 'created_at' | 'updated_at'> {
  options: WidgetOptions;
}

interface VisualizationColumns {
  visualization_id: number;
  query_id: number;
  type: string;
  name: string;
  description: string;
  visualization_options: Record<string, unknown>;
  visualization_created_at: string;
  visualization_updated_at: string;
}

export type VisualizationWidgetRow = WidgetColumns & VisualizationColumns;
/** A text box and a live widget show no visualization. */
export type WidgetRow = VisualizationWidgetRow | (WidgetColumns & Record<keyof VisualizationColumns, null>);

const fields = sql`
  widgets.id, dashboard_id, widgets.text, width, widgets.options, widgets.version, widgets.created_at, widgets.updated_at, visualization_id,
  visualizations.query_id, visualizations.type, visualizations.name, visualizations.description,
  visualizations.options as visualization_options, visualizations.created_at as visualization_created_at,
  visualizations.updated_at as visualization_updated_at`;
const from = sql`widgets left join visualizations on visualizations.id = visualization_id`;

/** W38: reads all widgets of a dashboard in one query. */
export async function listWidgetRows(db: Db, dashboardId: number): Promise<WidgetRow[]> {
  const { rows } = await sql<WidgetRow>`
    select ${fields} from ${from} where dashboard_id = ${dashboardId} order by widgets.id`.execute(db);
  return rows;
}

export async function findWidget(db: Db, id: number): Promise<WidgetRow | undefined> {
  const { rows } = await sql<WidgetRow>`select ${fields} from ${from} where widgets.id = ${id}`.execute(db);
  return rows[0];
}

/** Locks widgets in the order of their ids, which prevents deadlocks. */
export async function lockWidgets(db: Db, dashboardId: number, ids: number[]): Promise<WidgetRow[]> {
  const { rows } = await sql<WidgetRow>`
    select ${fields} from ${from} where dashboard_id = ${dashboardId} and widgets.id = any(${ids}::int[])
    order by widgets.id for update of widgets`.execute(db);
  return rows;
}

/** The query of a widget: the fields that a widget shows, and those that decide about access. */
export interface ShownQuery extends OnSource {
  id: number;
  user_id: number;
  name: string;
  description: string | null;
  query: string;
  query_hash: string;
  schedule: (Record<string, unknown> & { interval?: number | string | null }) | null;
  tags: string[];
  version: number;
  last_modified_by_id: number | null;
  options: QueryOptions;
  /** Null where the query is not one over devices. */
  column_display: ColumnDisplay | null;
  data_source_id: number | null;
  latest_query_data_id: number | null;
  is_archived: boolean;
  is_draft: boolean;
  created_at: string;
  updated_at: string;
}

const queryFields = sql`
  id, user_id, name, description, query, query_hash, schedule, tags, version, last_modified_by_id, options, data_source_id,
  latest_query_data_id, is_archived, is_draft, created_at, updated_at,
  case when device_query is not null then console.column_display(device_query) end as column_display,
  ${sourceFacts}`;

/** Lists each query once, however many widgets show it. */
export async function listShownQueries(db: Db, ids: number[]): Promise<ShownQuery[]> {
  const { rows } = await sql<ShownQuery>`select ${queryFields} from queries where id = any(${ids}::int[])`.execute(db);
  return rows;
}

/** Locks the query, so that it is not archived until this transaction ends. */
export async function holdQuery(db: Db, id: number): Promise<ShownQuery | undefined> {
  const { rows } = await sql<ShownQuery>`select ${queryFields} from queries where id = ${id} for share`.execute(db);
  return rows[0];
}

export async function countWidgets(db: Db, dashboardId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from widgets where dashboard_id = ${dashboardId}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function insertWidget(
  db: Db,
  {
    dashboard_id,
    visualization_id,
    text,
    width,
    options,
  }: Pick<WidgetRow, 'dashboard_id' | 'visualization_id' | 'text' | 'width' | 'options'>,
): Promise<number> {
  const { rows } = await sql<Columns<'widgets', 'id'>>`
    insert into widgets (dashboard_id, visualization_id, text, width, options)
    values (${dashboard_id}, ${visualization_id}, ${text}, ${width}, ${JSON.stringify(options)}::jsonb) returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Copies widgets in the order of their creation. */
export const copyWidgets = (db: Db, ids: number[], toId: number) =>
  sql`insert into widgets (dashboard_id, visualization_id, text, width, options)
      select ${toId}, visualization_id, text, width, options from widgets where id = any(${ids}::int[]) order by id`.execute(db);

/** Call with the row locked and its version compared. */
export const updateWidget = (db: Db, id: number, { text, options }: Pick<WidgetRow, 'text' | 'options'>) =>
  sql`update widgets set text = ${text}, options = ${JSON.stringify(options)}::jsonb, version = version + 1, updated_at = now()
      where id = ${id}`.execute(db);

/** Moves widgets in one statement; omitted parts of a position stay unchanged. Call it with the rows locked and their versions compared. */
export async function moveWidgets(
  db: Db,
  places: { id: number; position: Position }[],
): Promise<Pick<WidgetRow, 'id' | 'version' | 'options' | 'updated_at'>[]> {
  const { rows } = await sql<Pick<WidgetRow, 'id' | 'version' | 'options' | 'updated_at'>>`
    update widgets set options = jsonb_set(options, '{position}', coalesce(options->'position', '{}') || moved.position),
      version = version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as moved(id int, position jsonb)
    where widgets.id = moved.id
    returning widgets.id, version, options, updated_at`.execute(db);
  return rows;
}

export const deleteWidget = (db: Db, id: number) => sql`delete from widgets where id = ${id}`.execute(db);

export const deleteWidgetsOfQuery = (db: Db, queryId: number) =>
  sql`delete from widgets using visualizations where visualizations.id = visualization_id and query_id = ${queryId}`.execute(db);

export async function isShown(db: Db, visualizationId: number): Promise<boolean> {
  const { rows } = await sql`select from widgets where visualization_id = ${visualizationId} limit 1`.execute(db);
  return rows.length > 0;
}

/** The numbers of the channels that live widgets show, by channel id. */
export async function listLiveChannels(db: Db, channelIds: readonly string[]): Promise<Map<string, number>> {
  if (channelIds.length === 0) return new Map();
  const { rows } = await sql<Columns<'telemetry.channel', 'channel_id' | 'id'>>`
    select channel_id, id from telemetry.channel where channel_id = any(${[...channelIds]}::text[]) and deleted_at is null`.execute(db);
  return new Map(rows.map(({ channel_id, id }) => [channel_id, id]));
}
