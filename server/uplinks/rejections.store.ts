import { rejectedPerDevice, retentionDays } from '@telltale/domain/uplinks/retention.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** iot-behaviour 1.10 b; a channel with a shorter retention of its own keeps them for that long. */
export async function deleteOldRejections(db: Db): Promise<void> {
  await sql`delete from telemetry.uplink_rejected where time < now() - make_interval(days => ${retentionDays.rejected})`.execute(db);
  await sql`
    delete from telemetry.uplink_rejected using channel_settings settings
    where settings.channel_pk = uplink_rejected.channel_pk and time < now() - make_interval(days => retention_days)`.execute(db);
  await sql`
    delete from telemetry.uplink_rejected using (
      select uplink_id from (select uplink_id, row_number() over (partition by device_pk order by time desc) as place
        from telemetry.uplink_rejected) ranked where place > ${rejectedPerDevice}) old
    where uplink_rejected.uplink_id = old.uplink_id`.execute(db);
}
