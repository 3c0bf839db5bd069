import { sql } from 'kysely';
import type { Db } from '../../platform/database.ts';

export interface StoredSubscription {
  topic: string;
  qos: 0 | 1 | 2;
}

/** iot-behaviour 1.7: remembered for 30 days. */
const keepDays = 30;

export async function readSubscriptions(db: Db, clientId: string): Promise<StoredSubscription[]> {
  const { rows } = await sql<{ subscriptions: StoredSubscription[] }>`
    update mqtt_sessions set updated_at = now() where client_id = ${clientId} and updated_at > now() - make_interval(days => ${keepDays})
    returning subscriptions`.execute(db);
  return rows[0]?.subscriptions ?? [];
}

export const writeSubscriptions = (db: Db, clientId: string, subscriptions: StoredSubscription[]) =>
  sql`
    insert into mqtt_sessions (client_id, subscriptions) values (${clientId}, ${JSON.stringify(subscriptions)})
    on conflict (client_id) do update set subscriptions = excluded.subscriptions, updated_at = now()`.execute(db);

export const dropSession = (db: Db, clientId: string) => sql`delete from mqtt_sessions where client_id = ${clientId}`.execute(db);

export const dropOldSessions = (db: Db) =>
  sql`delete from mqtt_sessions where updated_at < now() - make_interval(days => ${keepDays})`.execute(db);
