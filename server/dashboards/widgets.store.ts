import type { Position } from '@telltale/domain/dashboards/grid.ts';
import type { WidgetOptions } from '@telltale/domain/dashboards/options.ts';
import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export interface WidgetRow {
  id: number;
  dashboard_id: number;
  text: string;
  width: number;
  options: WidgetOptions;
  version: number;
  created_at: string;
  updated_at: string;
  /** None for a text box. */
  visualization_id: number | null;
  query_id: number | null;
  type: string;
  name: string;
  description: string;
  visualization_options: Record<string, unknown>;
  visualization_created_at: string;
  visualization_updated_at: string;
}

const fields = sql`
  widgets.id, dashboard_id, widgets.text, width, widgets.options, widgets.version, widgets.created_at, widgets.updated_at, visualization_id,
  visualizations.query_id, visualizations.type, visualizations.name, visualizations.description,
  visualizations.options as visualization_options, visualizations.created_at as visualization_created_at,
  visualizations.updated_at as visualization_updated_at`;
const from = sql`widgets left join visualizations on visualizations.id = visualization_id`;

/** W38: all of a dashboard in one look, however many there are. */
export async function listWidgetRows(db: Db, dashboardId: number): Promise<WidgetRow[]> {
  const { rows } = await sql<WidgetRow>`
    select ${fields} from ${from} where dashboard_id = ${dashboardId} order by widgets.id`.execute(db);
  return rows;
}

export async function findWidget(db: Db, id: number): Promise<WidgetRow | undefined> {
  const { rows } = await sql<WidgetRow>`select ${fields} from ${from} where widgets.id = ${id}`.execute(db);
  return rows[0];
}

/** In the order of their numbers, so that two who change several never wait for each other in a circle. */
export async function lockWidgets(db: Db, dashboardId: number, ids: number[]): Promise<WidgetRow[]> {
  const { rows } = await sql<WidgetRow>`
    select ${fields} from ${from} where dashboard_id = ${dashboardId} and widgets.id = any(${ids}::int[])
    order by widgets.id for update of widgets`.execute(db);
  return rows;
}

/** Of the widgets' queries: what a widget shows of it, and what decides who may see it. */
export interface ShownQuery {
  id: number;
  user_id: number;
  name: string;
  description: string | null;
  query: string;
  options: QueryOptions;
  data_source_id: number | null;
  latest_query_data_id: number | null;
  is_archived: boolean;
  is_draft: boolean;
  created_at: string;
  updated_at: string;
}

const queryFields = sql`
  id, user_id, name, description, query, options, data_source_id, latest_query_data_id, is_archived, is_draft, created_at, updated_at`;

/** Each once, however many widgets show it. */
export async function listShownQueries(db: Db, ids: number[]): Promise<ShownQuery[]> {
  const { rows } = await sql<ShownQuery>`select ${queryFields} from queries where id = any(${ids}::int[])`.execute(db);
  return rows;
}

/** It is not archived until this transaction has ended. */
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
  const { rows } = await sql<{ id: number }>`
    insert into widgets (dashboard_id, visualization_id, text, width, options)
    values (${dashboard_id}, ${visualization_id}, ${text}, ${width}, ${JSON.stringify(options)}::jsonb) returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** In the order in which they were made. */
export const copyWidgets = (db: Db, ids: number[], toId: number) =>
  sql`insert into widgets (dashboard_id, visualization_id, text, width, options)
      select ${toId}, visualization_id, text, width, options from widgets where id = any(${ids}::int[]) order by id`.execute(db);

/** Call with the row locked and its version compared. */
export const updateWidget = (db: Db, id: number, { text, options }: Pick<WidgetRow, 'text' | 'options'>) =>
  sql`update widgets set text = ${text}, options = ${JSON.stringify(options)}::jsonb, version = version + 1, updated_at = now()
      where id = ${id}`.execute(db);

/** All in one statement; what a position does not say stays as it was. Call with the rows locked and their versions compared. */
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
