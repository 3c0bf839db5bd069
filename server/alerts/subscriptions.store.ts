import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export type SubscriptionRow = Columns<'alert_subscriptions', 'id' | 'alert_id' | 'user_id' | 'destination_id'>;

export async function listSubscriptionRows(db: Db, alertId: number): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select id, alert_id, user_id, destination_id from alert_subscriptions where alert_id = ${alertId} order by id`.execute(db);
  return rows;
}

/** Inserts a subscription; an existing one is returned unchanged (W31). */
export async function insertSubscription(db: Db, alertId: number, userId: number, destinationId: number | null): Promise<SubscriptionRow> {
  const { rows: made } = await sql<SubscriptionRow>`
    insert into alert_subscriptions (alert_id, user_id, destination_id) values (${alertId}, ${userId}, ${destinationId})
    on conflict do nothing returning id, alert_id, user_id, destination_id`.execute(db);
  if (made[0]) return made[0];
  const { rows } = await sql<SubscriptionRow>`
    select id, alert_id, user_id, destination_id from alert_subscriptions
    where alert_id = ${alertId} and destination_id is not distinct from ${destinationId}::int and (${destinationId}::int is not null or user_id = ${userId})`.execute(
    db,
  );
  if (!rows[0]) throw new Error('A subscription is neither new nor there.');
  return rows[0];
}

export const deleteSubscription = (db: Db, id: number) => sql`delete from alert_subscriptions where id = ${id}`.execute(db);
