import { retentionDays } from '@telltale/domain/uplinks/retention.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** Stores nothing when the device has been deleted. */
export const insertAck = (db: Db, devicePk: number, commandId: string, isOk: boolean, raw: Buffer) =>
  sql`
    insert into device_acks (device_pk, command_id, is_ok, raw)
    select id, ${commandId}, ${isOk}, ${raw} from telemetry.device where id = ${devicePk}`.execute(db);

export const deleteOldAcks = (db: Db) =>
  sql`delete from device_acks where received_at < now() - make_interval(days => ${retentionDays.ack})`.execute(db);
