import { type RawBuilder, sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

const epoch = sql`'2000-01-01 00:00+00'::timestamptz`;
const minuteOf = (time: RawBuilder<unknown>) => sql`date_bin('1 minute', ${time}, ${epoch})`;
const hourOf = (time: RawBuilder<unknown>) => sql`date_bin('1 hour', ${time}, ${epoch})`;
const columns = sql`device_pk, attribute_id, bucket, count, sum, min, max, last, last_time`;
const replaced = sql`on conflict (device_pk, attribute_id, bucket) do update set count = excluded.count, sum = excluded.sum,
  min = excluded.min, max = excluded.max, last = excluded.last, last_time = excluded.last_time`;

/** Two readings of 1e308 have no finite sum; one device must not stop the rollups of all others. */
const summable = sql`greatest(-1e290, least(1e290, value))`;

/** Minutes of one series, from its points. The last value is looked up by its time: sorting all of them took a quarter longer. */
const fromPoints = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`
  select bucket, count, sum, min, max, (
      select value from telemetry.metric_point point
      where point.device_pk = series.device_pk and point.attribute_id = series.attribute_id and time = last_time) as last, last_time
  from (
    select ${minuteOf(sql`time`)} as bucket, count(*)::int as count, sum(${summable}) as sum, min(value) as min, max(value) as max,
      max(time) as last_time
    from telemetry.metric_point point
    where point.device_pk = series.device_pk and point.attribute_id = series.attribute_id and time >= ${from} and time < ${to} and value is not null
    group by 1) minute`;
/** Hours of one series, from its minutes. */
const fromMinutes = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`
  select ${hourOf(sql`bucket`)} as bucket, sum(count)::int as count, sum(sum) as sum, min(min) as min, max(max) as max,
    (array_agg(last order by bucket desc))[1] as last, max(last_time) as last_time
  from telemetry.metric_minute m
  where m.device_pk = series.device_pk and m.attribute_id = series.attribute_id and bucket >= ${from} and bucket < ${to}
  group by 1`;

export interface RollupState extends Columns<'telemetry.rollup_state', 'minutes_until' | 'hours_until'> {
  /** The end of the minutes so old that writers report every later change to them. */
  minutes_over: string;
}

/** Undefined while a write takes longer than it should: it may concern any minute since its start. */
export async function findRollupState(db: Db, settledSeconds: number, longestSeconds: number): Promise<RollupState | undefined> {
  const { rows } = await sql<RollupState>`
    select minutes_until, hours_until, ${minuteOf(sql`now() - make_interval(secs => ${settledSeconds})`)} as minutes_over
    from telemetry.rollup_state
    where not exists (select from pg_stat_activity where application_name = 'telltale uplinks' and datname = current_database()
      and state <> 'idle' and xact_start < now() - make_interval(secs => ${longestSeconds}))`.execute(db);
  return rows[0];
}

/**
 * Rolls up the minutes of the devices that have reported since; their clocks may be half a minute ahead. Changes that writers reported within
 * these minutes are counted by this, too: whoever sees a report sees its points. Returns false when another process has done it.
 */
export async function rollUpMinutes(tx: Db, from: string, to: string): Promise<boolean> {
  if (!(await advance(tx, 'minutes_until', from, to))) return false;
  await sql`
    with counted as (
      delete from telemetry.rollup_due where from_time >= ${from}::timestamptz and to_time < ${to}::timestamptz returning device_pk),
    active as (
      select device_pk from telemetry.device_state where last_seen_at >= ${from}::timestamptz - interval '1 minute'
      union select device_pk from counted)
    insert into telemetry.metric_minute (${columns})
    select series.device_pk, series.attribute_id, rollup.* from active join telemetry.device_attribute series on series.device_pk = active.device_pk
    cross join lateral (${fromPoints(sql`${from}::timestamptz`, sql`${to}::timestamptz`)}) rollup ${replaced}`.execute(tx);
  return true;
}

/** Rolls up the hours of all series: those that have no minutes in them cost one look into an index. */
export async function rollUpHours(tx: Db, from: string, to: string): Promise<boolean> {
  if (!(await advance(tx, 'hours_until', from, to))) return false;
  await sql`
    insert into telemetry.metric_hour (${columns})
    select series.device_pk, series.attribute_id, rollup.* from telemetry.device_attribute series
    cross join lateral (${fromMinutes(sql`${from}::timestamptz`, sql`${to}::timestamptz`)}) rollup ${replaced}`.execute(tx);
  return true;
}

async function advance(tx: Db, mark: 'minutes_until' | 'hours_until', from: string, to: string): Promise<boolean> {
  const until = sql.ref(mark);
  const { rows } = await sql`update telemetry.rollup_state set ${until} = ${to} where ${until} = ${from} returning ${until}`.execute(tx);
  return rows.length > 0;
}

export interface Due {
  id: number;
  device_pk: number;
  /** Whole minutes; the end is exclusive. */
  from_time: string;
  to_time: string;
  /** Days since 1970. */
  from_day: number;
  to_day: number;
}

/**
 * Lists changes of minutes that have been rolled up already, and of times to come. `rollUpMinutes` counts the minutes between them when they
 * are over: otherwise ten thousand devices that connect at once would be counted twice.
 */
export async function listDue(db: Db, most: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select id, device_pk, ${minuteOf(sql`from_time`)} as from_time, ${minuteOf(sql`to_time`)} + interval '1 minute' as to_time,
      floor(extract(epoch from from_time) / 86400)::int as from_day, floor(extract(epoch from to_time) / 86400)::int as to_day
    from telemetry.rollup_due cross join telemetry.rollup_state
    where from_time < minutes_until or to_time > now() + interval '30 seconds'
    order by id limit ${most}`.execute(db);
  return rows;
}

/** Minutes that are older than this are not counted again. */
export async function leaveOutOldDue(db: Db, days: number): Promise<void> {
  const oldest = sql`now() - make_interval(days => ${days})`;
  await sql`delete from telemetry.rollup_due where to_time < ${oldest}`.execute(db);
  await sql`update telemetry.rollup_due set from_time = ${oldest} where from_time < ${oldest}`.execute(db);
}

/** Computes the due rollups again from the current points, and the hours around them. */
export async function rollUpDue(tx: Db, due: readonly Due[]): Promise<void> {
  // Looks up each series by its key, in whichever partition it lies: scanning a whole partition never pays here.
  await sql`set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_seqscan = off`.execute(tx);
  await sql`delete from telemetry.rollup_due where id = any(${due.map(({ id }) => id)}::bigint[])`.execute(tx);
  const given = sql`unnest(${due.map(({ device_pk }) => device_pk)}::int[], ${due.map(({ from_time }) => from_time)}::timestamptz[],
    ${due.map(({ to_time }) => to_time)}::timestamptz[]) as given(device_pk, from_time, to_time)`;
  const minutes = sql`(select device_pk, min(from_time) as from_time, max(to_time) as to_time from ${given}
    group by device_pk, ${hourOf(sql`from_time`)})`;
  const hours = sql`(select distinct device_pk, hour as from_time, hour + interval '1 hour' as to_time from ${given}
    cross join lateral generate_series(${hourOf(sql`from_time`)}, to_time - interval '1 microsecond', interval '1 hour') hour)`;
  await countAgain(tx, 'metric_minute', minutes, fromPoints);
  await countAgain(tx, 'metric_hour', hours, fromMinutes);
}

async function countAgain(tx: Db, table: string, spans: RawBuilder<unknown>, source: typeof fromPoints): Promise<void> {
  const series = sql`${spans} due join telemetry.device_attribute series on series.device_pk = due.device_pk`;
  await sql`
    delete from telemetry.${sql.raw(table)} old using ${series}
    where old.device_pk = series.device_pk and old.attribute_id = series.attribute_id and old.bucket >= due.from_time
      and old.bucket < due.to_time`.execute(tx);
  await sql`
    insert into telemetry.${sql.raw(table)} (${columns})
    select series.device_pk, series.attribute_id, rollup.* from ${series}
    cross join lateral (${source(sql`due.from_time`, sql`due.to_time`)}) rollup ${replaced}`.execute(tx);
}
