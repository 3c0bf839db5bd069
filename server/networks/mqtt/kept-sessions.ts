import { sql } from 'kysely';
import type { Db } from '../../platform/database.ts';

export interface StoredSubscription {
  topic: string;
  qos: 0 | 1 | 2;
  /** Options of a subscription that only MQTT 5 has. */
  nl?: boolean | undefined;
  rap?: boolean | undefined;
  rh?: number | undefined;
  subscriptionIdentifier?: number | undefined;
}

/** iot-behaviour 1.7: remembered for 30 days. */
const keepDays = 30;
export const longestExpirySeconds = keepDays * 86_400;

export async function readSubscriptions(db: Db, clientId: string): Promise<StoredSubscription[]> {
  const { rows } = await sql<{ subscriptions: StoredSubscription[] }>`
    update mqtt_sessions set updated_at = now(), expires_at = null
    where client_id = ${clientId} and updated_at > now() - make_interval(days => ${keepDays}) and (expires_at is null or expires_at > now())
    returning subscriptions`.execute(db);
  return rows[0]?.subscriptions ?? [];
}

export const writeSubscriptions = (db: Db, clientId: string, subscriptions: StoredSubscription[]) =>
  sql`
    insert into mqtt_sessions (client_id, subscriptions) values (${clientId}, ${JSON.stringify(subscriptions)})
    on conflict (client_id) do update set subscriptions = excluded.subscriptions, updated_at = now(), expires_at = null`.execute(db);

/** MQTT 5: the client is gone and said how long its session is to be kept. A session that nobody ended is kept as one of 3.1.1. */
export const keepSession = (db: Db, clientId: string, seconds: number) =>
  sql`
    update mqtt_sessions set updated_at = now(), expires_at = now() + make_interval(secs => ${Math.min(seconds, longestExpirySeconds)})
    where client_id = ${clientId}`.execute(db);

/** Keeps the most recently used sessions of a key; returns how many were dropped. 0 means no limit. */
export async function dropExcessSessions(db: Db, clientId: string, most: number): Promise<number> {
  if (most === 0) return 0;
  const { numAffectedRows } = await sql`
    delete from mqtt_sessions where client_id in (
      select client_id from mqtt_sessions where scope = split_part(${clientId}, '/', 1)
      order by client_id = ${clientId} desc, updated_at desc offset ${most})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export const dropSession = (db: Db, clientId: string) => sql`delete from mqtt_sessions where client_id = ${clientId}`.execute(db);

export const dropOldSessions = (db: Db) =>
  sql`delete from mqtt_sessions where updated_at < now() - make_interval(days => ${keepDays}) or expires_at < now()`.execute(db);
