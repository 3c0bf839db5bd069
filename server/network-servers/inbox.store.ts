import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export const inboxNotification = 'telltale_inbox';

export type InboxRow = Columns<'network_inbox', 'id' | 'event' | 'body' | 'received_at'>;

export async function insertMessage(db: Db, network_id: number, event: string | null, body: Buffer): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with kept as (insert into network_inbox (network_id, event, body) values (${network_id}, ${event}, ${body}) returning id)
    select id from kept, pg_notify(${inboxNotification}, ${String(network_id)})`.execute(db);
  return rows[0]?.id ?? 0;
}

export async function isWaiting(db: Db, id: number): Promise<boolean> {
  return (await sql`select from network_inbox where id = ${id}`.execute(db)).rows.length > 0;
}

export async function listMessages(db: Db, network_id: number, limit: number): Promise<InboxRow[]> {
  const { rows } = await sql<InboxRow>`
    select id, event, body, received_at from network_inbox where network_id = ${network_id} order by id limit ${limit}`.execute(db);
  return rows;
}

export const deleteMessages = (db: Db, ids: readonly number[]) =>
  sql`delete from network_inbox where id = any(${[...ids]}::bigint[])`.execute(db);
