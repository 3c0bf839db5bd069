import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';
import { deadAfterMs } from '../platform/process-registry.ts';
import type { Match } from './watchers.ts';

/**
 * Deletes the rows and returns those that still existed, oldest first: a match is never handled twice. With a `writer`, all open matches
 * that other processes have found for the same devices are claimed as well, so that none of them is handled after a later one. The rows
 * are locked in one order, so there is no deadlock.
 */
export async function claimMatches(db: Db, watcher: string, matches: readonly Match[], writer: string | null = null): Promise<Match[]> {
  const { rows } = await sql<Match>`
    with open as materialized (
      select uplink_id, subject_id from uplink_matches
      where watcher = ${watcher} and device_pk = any(${[...new Set(matches.map(({ device_pk }) => device_pk))]}::int[])
        and (writer <> ${writer}::uuid or (uplink_id, subject_id) in (
          select * from unnest(${matches.map(({ uplink_id }) => uplink_id)}::text[], ${matches.map(({ subject_id }) => subject_id)}::int[])))
      order by uplink_id, subject_id for update),
    claimed as (
      delete from uplink_matches m using open where m.watcher = ${watcher} and m.uplink_id = open.uplink_id and m.subject_id = open.subject_id
      returning m.watcher, m.uplink_id, m.subject_id, m.device_pk, m.at, m.payload)
    select watcher, uplink_id, subject_id, device_pk, at, payload from claimed order by uplink_id, subject_id`.execute(db);
  return rows;
}

/**
 * Matches of dead processes, and those that a live one has not handled for a minute; oldest first. A process that is not registered (the
 * HTTP twin of web has no name) gets `graceSeconds`.
 */
export async function listLeftMatches(db: Db, limit: number, graceSeconds: number): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select watcher, uplink_id, subject_id, device_pk, at, payload from uplink_matches
    where at < now() - interval '1 minute' or (at < now() - make_interval(secs => ${graceSeconds}) and not exists (
      select from processes where id = writer and heartbeat_at > now() - make_interval(secs => ${deadAfterMs / 1000})))
    order by uplink_id limit ${limit}`.execute(db);
  return rows;
}

/** Matches of some devices that nobody has handled yet, oldest first. */
export async function listMatchesOf(db: Db, devicePks: readonly number[], limit: number): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select watcher, uplink_id, subject_id, device_pk, at, payload from uplink_matches where device_pk = any(${[...devicePks]}::int[])
    order by uplink_id, subject_id limit ${limit}`.execute(db);
  return rows;
}

/** Returns the number of attempts. */
export async function countAttempt(db: Db, { watcher, uplink_id, subject_id }: Match): Promise<number> {
  const { rows } = await sql<Columns<'uplink_matches', 'attempts'>>`
    update uplink_matches set attempts = attempts + 1
    where watcher = ${watcher} and uplink_id = ${uplink_id} and subject_id = ${subject_id} returning attempts`.execute(db);
  return rows[0]?.attempts ?? 0;
}
