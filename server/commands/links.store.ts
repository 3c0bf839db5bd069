import type { AlertCommand } from '@telltale/domain/commands/contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export interface SubscriptionRow {
  id: number;
  command_id: number;
  destination_id: number;
  name: string;
  type: string;
}

export async function listSubscriptionRows(db: Db, commandIds: readonly number[]): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select subscription.id, command_id, destination_id, destinations.name, destinations.type
    from command_subscriptions subscription join destinations on destinations.id = destination_id
    where command_id = any(${commandIds}::int[]) order by subscription.id`.execute(db);
  return rows;
}

/** Inserts a subscription; an existing one stays unchanged. */
export const insertSubscription = (db: Db, commandId: number, destinationId: number, userId: number) =>
  sql`
    insert into command_subscriptions (command_id, destination_id, user_id) values (${commandId}, ${destinationId}, ${userId})
    on conflict do nothing`.execute(db);

export async function deleteSubscription(db: Db, commandId: number, id: number): Promise<boolean> {
  const { rows } = await sql`delete from command_subscriptions where command_id = ${commandId} and id = ${id} returning id`.execute(db);
  return rows.length > 0;
}

export async function listAlertCommandRows(db: Db, alertId: number): Promise<AlertCommand[]> {
  const { rows } = await sql<AlertCommand>`
    select link.id, alert_id, command_id, commands.name as command_name, fires_on as on
    from alert_commands link join commands on commands.id = command_id where alert_id = ${alertId} order by link.id`.execute(db);
  return rows;
}

/** Inserts a link; an existing one gets the new `fires_on`. */
export const insertAlertCommand = (db: Db, link: { alert_id: number; command_id: number; on: AlertCommand['on']; user_id: number }) =>
  sql`
    insert into alert_commands (alert_id, command_id, fires_on, user_id) values (${link.alert_id}, ${link.command_id}, ${link.on}, ${link.user_id})
    on conflict (alert_id, command_id) do update set fires_on = excluded.fires_on`.execute(db);

/** Deletes a link by its id; an id that no link of the alert has is that of a command. */
export async function deleteAlertCommand(db: Db, alertId: number, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from alert_commands where id = (
      select id from alert_commands where alert_id = ${alertId} and ${id} in (id, command_id) order by id = ${id} desc limit 1)
    returning id`.execute(db);
  return rows.length > 0;
}
