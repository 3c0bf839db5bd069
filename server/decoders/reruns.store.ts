import type { RerunCounts } from '@telltale/domain/decoders/contract.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import { hasDeviceBytes } from './decoders.store.ts';
import type { StoredPoint } from './point-diff.ts';

/** Notifies that a device no longer has points of some attributes: `device attribute attribute …`. */
export const seriesNotice = 'telltale_series';

/** The messages to decode: binary ones within a time range, or only those that the circuit breaker left undecoded. */
export interface Scope {
  channel_pk: number;
  since: string;
  until: string;
  onlyUndecoded: boolean;
}

export interface RerunDevice {
  pk: number;
  device_id: string;
  dev_eui: string | null;
  channel_id: string;
  variables: Record<string, string>;
}

export interface RerunUplink {
  uplink_id: string;
  received_at: number;
  first: number;
  last: number;
  source: string;
  fport: number | null;
  raw: Buffer;
}

const micros = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000000)::bigint`);
const timeOf = (time: number) => sql`to_timestamp(${time}::float8 / 1000000.0)`;
const wanted = ({ since, until, onlyUndecoded }: Scope) => sql`${hasDeviceBytes}
  and received_at >= ${since}::timestamptz and received_at < ${until}::timestamptz
  and (not ${onlyUndecoded} or (status = 'partial' and exists (select from unnest(errors) error where error like 'decoder_paused:%' or error like 'decoder_timeout:%')))`;

export async function listRerunDevices(db: Db, channelPk: number): Promise<RerunDevice[]> {
  const { rows } = await sql<RerunDevice>`
    select device.id as pk, device_id, dev_eui, of_channel as channel_id, variables from telemetry.device
    where channel_pk = ${channelPk} and deleted_at is null order by device.id`.execute(db);
  return rows;
}

export async function countUplinks(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from telemetry.uplink
    where device_pk in (select id from telemetry.device where channel_pk = ${scope.channel_pk} and deleted_at is null) and ${wanted(scope)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Lists messages of a device after another one, oldest first. */
export async function listUplinks(
  db: Db,
  scope: Scope,
  devicePk: number,
  after: RerunUplink | undefined,
  most: number,
): Promise<RerunUplink[]> {
  const { rows } = await sql<RerunUplink>`
    select uplink_id, ${micros('received_at')} as received_at, ${micros('coalesce(first_time, time)')} as first, ${micros('time')} as last, source, fport, raw
    from telemetry.uplink where device_pk = ${devicePk} and ${wanted(scope)}
      and (${after === undefined} or (received_at, uplink_id) > (${timeOf(after?.received_at ?? 0)}, ${after?.uplink_id ?? ''}))
    order by received_at, uplink_id limit ${most}`.execute(db);
  return rows;
}

/** Lists the current points of these messages. */
export async function listPoints(db: Db, devicePk: number, uplinks: readonly RerunUplink[]): Promise<StoredPoint[]> {
  const { rows } = await sql<StoredPoint>`
    select uplink_id, name, ${micros('point.time')} as time, value, value_text, kind
    from telemetry.device_attribute series join telemetry.attribute on attribute.id = series.attribute_id
    join telemetry.metric_point point on point.device_pk = series.device_pk and point.attribute_id = series.attribute_id
    where series.device_pk = ${devicePk} and point.time >= ${timeOf(Math.min(...uplinks.map(({ first }) => first)))} - interval '1 microsecond'
      and point.time <= ${timeOf(Math.max(...uplinks.map(({ last }) => last)))} + interval '1 microsecond'
      and uplink_id = any(${uplinks.map(({ uplink_id }) => uplink_id)}::text[])`.execute(db);
  return rows;
}

export async function listAttributeNames(db: Db, devicePk: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from telemetry.device_attribute join telemetry.attribute on attribute.id = attribute_id where device_pk = ${devicePk}`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** Adds attributes that the channel does not have yet; returns the ids of all of them. */
export async function learnAttributes(db: Db, channelPk: number, points: readonly StoredPoint[]): Promise<Map<string, number>> {
  const kinds = new Map(points.map(({ name, kind }) => [name, kind]));
  const names = [...kinds.keys()];
  await sql`
    insert into telemetry.attribute (channel_pk, name, kind_seen, first_seen, last_seen)
    select ${channelPk}, name, kind::"char", now(), now() from unnest(${names}::text[], ${[...kinds.values()]}::text[]) as w(name, kind)
    order by name on conflict (channel_pk, name) do nothing`.execute(db);
  const { rows } = await sql<Columns<'telemetry.attribute', 'id' | 'name'>>`
    select id, name from telemetry.attribute where channel_pk = ${channelPk} and name = any(${names}::text[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

const columns = (points: readonly StoredPoint[], ids: Map<string, number>) => sql`unnest(
    ${points.map(({ name }) => ids.get(name) ?? 0)}::int[], ${points.map(({ time }) => time)}::float8[], ${points.map(({ value }) => value)}::float8[],
    ${points.map(({ value_text }) => value_text)}::text[], ${points.map(({ kind }) => kind)}::text[], ${points.map(({ uplink_id }) => uplink_id)}::text[])
  as w(attribute_id, time, value, value_text, kind, uplink_id)`;

export const deletePoints = (db: Db, devicePk: number, points: readonly StoredPoint[], ids: Map<string, number>) =>
  sql`
    delete from telemetry.metric_point point using ${columns(points, ids)}
    where point.device_pk = ${devicePk} and point.attribute_id = w.attribute_id and point.time = to_timestamp(w.time / 1000000.0)
      and point.uplink_id = w.uplink_id`.execute(db);

/** Inserts points; a point of the same time from a later message stays, because the newest message wins. */
export async function upsertPoints(db: Db, devicePk: number, points: readonly StoredPoint[], ids: Map<string, number>): Promise<void> {
  await sql`
    insert into telemetry.metric_point (time, device_pk, attribute_id, value, value_text, kind, uplink_id)
    select distinct on (attribute_id, time) to_timestamp(time / 1000000.0), ${devicePk}::int, attribute_id, value, value_text, kind::"char", uplink_id
    from ${columns(points, ids)} order by attribute_id, time, uplink_id desc
    on conflict (device_pk, attribute_id, time) do update set value = excluded.value, value_text = excluded.value_text, kind = excluded.kind,
      uplink_id = excluded.uplink_id where metric_point.uplink_id is null or metric_point.uplink_id <= excluded.uplink_id`.execute(db);
  await sql`
    insert into telemetry.device_attribute (device_pk, attribute_id, first_seen, last_seen, last_kind)
    select distinct on (attribute_id) ${devicePk}::int, attribute_id, now(), now(), kind::"char" from ${columns(points, ids)}
    order by attribute_id on conflict do nothing`.execute(db);
}

export interface RewrittenUplink {
  uplink: RerunUplink;
  points: number;
  first: number;
  last: number;
  warnings: string[];
  errors: string[];
}

export const updateUplink = (
  db: Db,
  devicePk: number,
  version: number,
  { uplink, points, first, last, warnings, errors }: RewrittenUplink,
) =>
  sql`
    update telemetry.uplink set decoder_version = ${version}, points = ${points}, status = ${errors.length > 0 ? 'partial' : 'stored'},
      warnings = nullif(${warnings}::text[], '{}'), errors = nullif(${errors}::text[], '{}'),
      time = ${timeOf(last)}, first_time = ${first === last ? null : sql`${timeOf(first)}`}
    where device_pk = ${devicePk} and received_at = ${timeOf(uplink.received_at)} and uplink_id = ${uplink.uplink_id}`.execute(db);

export const noteDue = (db: Db, spans: readonly (readonly [number, number, number])[]) =>
  sql`
    insert into telemetry.rollup_due (device_pk, from_time, to_time)
    select pk, to_timestamp(from_time / 1000000.0), to_timestamp(to_time / 1000000.0)
    from unnest(${spans.map(([pk]) => pk)}::int[], ${spans.map(([, from]) => from)}::float8[], ${spans.map(([, , to]) => to)}::float8[])
      as w(pk, from_time, to_time)`.execute(db);

/**
 * Sets the last value of an attribute to the newest point, or deletes it when there is none. It changes one row per statement, so that
 * writers of many last values wait for one row at most. Returns true when it was deleted.
 */
export async function settleLast(db: Db, devicePk: number, attributeId: number): Promise<boolean> {
  const { rows } = await sql`
    insert into telemetry.metric_last (device_pk, attribute_id, time, value, value_text, kind, uplink_id)
    select device_pk, attribute_id, time, value, value_text, kind, uplink_id from telemetry.metric_point
    where device_pk = ${devicePk} and attribute_id = ${attributeId} order by time desc limit 1
    on conflict (device_pk, attribute_id) do update set time = excluded.time, value = excluded.value, value_text = excluded.value_text,
      kind = excluded.kind, uplink_id = excluded.uplink_id
    returning attribute_id`.execute(db);
  return rows.length === 0;
}

export async function forgetSeries(db: Db, devicePk: number, attributeIds: readonly number[]): Promise<void> {
  const ids = sql`device_pk = ${devicePk} and attribute_id = any(${[...attributeIds]}::int[])`;
  for (const table of ['metric_last', 'metric_minute', 'metric_hour', 'device_attribute'])
    await sql`
      delete from telemetry.${sql.raw(table)} old where ${ids} and not exists (
        select from telemetry.metric_point point where point.device_pk = old.device_pk and point.attribute_id = old.attribute_id)`.execute(
      db,
    );
  await sql`select pg_notify(${seriesNotice}, ${[devicePk, ...attributeIds].join(' ')})`.execute(db);
}

export interface RerunRow extends RerunCounts {
  job_id: string;
  version: number;
  total: number;
  started_at: string;
  started_by: string | null;
}

export const insertRerun = (db: Db, jobId: string, channelPk: number, version: number, userId: number | null) =>
  sql`
    insert into decoder_reruns (job_id, channel_pk, version, started_by) values (${jobId}, ${channelPk}, ${version}, ${userId})
    on conflict (job_id) do nothing`.execute(db);

export const writeProgress = (db: Db, jobId: string, { total, ...counts }: RerunCounts & { total: number }) =>
  sql`
    update decoder_reruns set total = ${total}, uplinks = ${counts.uplinks}, added = ${counts.added}, changed = ${counts.changed},
      gone = ${counts.gone}, failed = ${counts.failed}, kept = ${counts.kept} where job_id = ${jobId}`.execute(db);

export async function findRerun(db: Db, channelPk: number): Promise<RerunRow | undefined> {
  const { rows } = await sql<RerunRow>`
    select rerun.job_id, rerun.version, rerun.total, uplinks, added, changed, gone, failed, kept, rerun.started_at, users.name as started_by
    from decoder_reruns rerun join jobs on jobs.id = rerun.job_id left join users on users.id = rerun.started_by
    where channel_pk = ${channelPk} order by jobs.status in (1, 2) desc, rerun.started_at desc limit 1`.execute(db);
  return rows[0];
}
