import { storableJson } from '@telltale/domain/uplinks/storable-json.ts';
import { sql } from 'kysely';
import type { DeviceEvent } from '../networks/network-event.ts';
import type { Db } from '../platform/database.ts';

/** The limit keeps a network from filling the disk with events of devices that have no channel. */
const mostOfNetwork = 1000;
const keptDays = 7;

/** Keeps an event of an application that no channel takes yet; a repeated event is kept once. */
export const keepEarlyEvent = (db: Db, network_id: number, event: DeviceEvent) =>
  sql`
    insert into network_early_events (network_id, event_key, event)
    select ${network_id}, ${event.key}, ${storableJson(event)}::jsonb
    where (select count(*) from network_early_events where network_id = ${network_id}) < ${mostOfNetwork}
    on conflict do nothing`.execute(db);

export async function listEarlyEvents(db: Db, network_id: number): Promise<{ id: number; event: DeviceEvent }[]> {
  const { rows } = await sql<{ id: number; event: DeviceEvent }>`
    select id, event from network_early_events where network_id = ${network_id} order by id`.execute(db);
  return rows;
}

export const deleteEarlyEvent = (db: Db, id: number) => sql`delete from network_early_events where id = ${id}`.execute(db);

export const forgetEarlyEvents = (db: Db) =>
  sql`delete from network_early_events where created_at < now() - make_interval(days => ${keptDays})`.execute(db);
