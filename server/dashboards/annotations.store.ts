import type { Person } from '@telltale/domain/access/identity.ts';
import { type Annotation, mostAnnotations, type NewAnnotation } from '@telltale/domain/dashboards/annotations.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { whereMay } from '../policy/policy.ts';

interface Span {
  from: Date;
  to: Date;
}

const noteFields = sql`
  annotations.id, 'note' as kind, at, until, text, null as state, null::int as alert_id, users.name as user_name`;

/** Those that reach into the span, the newest first. */
export async function listNotes(db: Db, dashboardId: number, { from, to }: Span): Promise<Annotation[]> {
  const { rows } = await sql<Annotation>`
    select ${noteFields} from annotations left join users on users.id = annotations.user_id
    where dashboard_id = ${dashboardId} and at <= ${to} and coalesce(until, at) >= ${from}
    order by at desc, annotations.id desc limit ${mostAnnotations}`.execute(db);
  return rows;
}

/** Alerts on the queries of a dashboard, and on devices that these queries show: each change of their state. */
export async function listAlertChanges(
  db: Db,
  dashboardId: number,
  { from, to }: Span,
  mayList: RawBuilder<unknown>,
): Promise<Annotation[]> {
  const { rows } = await sql<Annotation>`
    with shown as (
      select distinct queries.id, device_query from widgets join visualizations on visualizations.id = visualization_id
      join queries on queries.id = query_id where dashboard_id = ${dashboardId}),
    watching as (
      select alerts.id, alerts.name, shown.device_query->'device_ids' as device_ids from alerts join shown on shown.id = alerts.query_id
      where ${mayList}
      union
      select alerts.id, alerts.name, shown.device_query->'device_ids' from alerts
      join telemetry.channel on channel.id = alerts.channel_pk join shown on shown.device_query->>'channel_id' = channel.channel_id
      where ${mayList} and (alerts.kind = 'silence' or shown.device_query->'attributes' ? (alerts.options->>'attribute')))
    select null::int as id, 'alert' as kind, evaluated_at as at, null::timestamptz as until,
      watching.name || case when device.device_id is null then '' else ' · ' || device.device_id end as text,
      alert_evaluations.state, watching.id as alert_id, null as user_name
    from watching join alert_evaluations on alert_id = watching.id
    left join telemetry.device on device.id = device_pk
    where alert_evaluations.state <> previous_state and evaluated_at between ${from} and ${to}
      and (device.device_id is null or watching.device_ids is null or watching.device_ids ? device.device_id)
    order by evaluated_at desc limit ${mostAnnotations}`.execute(db);
  return rows;
}

/** The condition for alerts that all of these people may list; without anybody there are none. */
export const alertsListedBy = (people: readonly Person[]): RawBuilder<unknown> =>
  people.length === 0
    ? sql`false`
    : sql.join(
        people.map((person) => whereMay(person, 'list', 'alert')),
        sql` and `,
      );

const alertChange = sql`
  null::int as id, 'alert' as kind, evaluated_at as at, null::timestamptz as until, alerts.name as text,
  alert_evaluations.state, alerts.id as alert_id, null as user_name`;

/** Changes of alerts on one query, or on the queries of a dashboard. Alerts on devices are left out: their readers see no channels. */
export async function listQueryAlertChanges(
  db: Db,
  watched: { queryId: number } | { dashboardId: number },
  { from, to }: Span,
  mayList: RawBuilder<unknown>,
): Promise<Annotation[]> {
  const queries =
    'queryId' in watched
      ? sql`select ${watched.queryId}::int`
      : sql`select query_id from widgets join visualizations on visualizations.id = visualization_id where dashboard_id = ${watched.dashboardId}`;
  const { rows } = await sql<Annotation>`
    select ${alertChange} from alerts join alert_evaluations on alert_id = alerts.id
    where alerts.query_id in (${queries}) and ${mayList}
      and alert_evaluations.state <> previous_state and evaluated_at between ${from} and ${to}
    order by evaluated_at desc limit ${mostAnnotations}`.execute(db);
  return rows;
}

export async function insertAnnotation(
  db: Db,
  dashboardId: number,
  userId: number,
  { at, until, text }: NewAnnotation,
): Promise<Annotation> {
  const { rows } = await sql<Annotation>`
    with annotations as (
      insert into console.annotations (dashboard_id, user_id, at, until, text)
      values (${dashboardId}, ${userId}, ${at}, ${until ?? null}, ${text}) returning *)
    select ${noteFields} from annotations left join users on users.id = annotations.user_id`.execute(db);
  return rows[0] as Annotation;
}

/** Undefined where the dashboard has no such note. Its author stays. */
export async function updateAnnotation(
  db: Db,
  dashboardId: number,
  id: number,
  { at, until, text }: NewAnnotation,
): Promise<Annotation | undefined> {
  const { rows } = await sql<Annotation>`
    with annotations as (
      update console.annotations set at = ${at}, until = ${until ?? null}, text = ${text}
      where dashboard_id = ${dashboardId} and id = ${id} returning *)
    select ${noteFields} from annotations left join users on users.id = annotations.user_id`.execute(db);
  return rows[0];
}

export async function deleteAnnotation(db: Db, dashboardId: number, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from annotations where dashboard_id = ${dashboardId} and id = ${id}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

export async function countAnnotations(db: Db, dashboardId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from annotations where dashboard_id = ${dashboardId}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
