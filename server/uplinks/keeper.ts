import { rejectedPerDevice, retentionDays } from '@telltale/domain/uplinks/retention.ts';
import { sql } from 'kysely';
import { dropOldSessions } from '../networks/mqtt/kept-sessions.ts';
import type { Services } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import type { Singleton } from '../platform/jobs/lease.ts';
import { forgetOldAcks } from './acks.ts';
import { settleGoneWriters } from './gone-writers.ts';
import { learnPresenceWindows, sweepPresence } from './presence.ts';
import type { Uplinks } from './uplinks.ts';
import { WideViews } from './wide-views.ts';

/** iot-behaviour 1.10 b. */
async function forgetOldRejections(db: Db): Promise<void> {
  await sql`delete from telemetry.uplink_rejected where time < now() - make_interval(days => ${retentionDays.rejected})`.execute(db);
  await sql`
    delete from telemetry.uplink_rejected using (
      select uplink_id from (select uplink_id, row_number() over (partition by device_pk order by time desc) as place
        from telemetry.uplink_rejected) ranked where place > ${rejectedPerDevice}) old
    where uplink_rejected.uplink_id = old.uplink_id`.execute(db);
}

/** What one ingest process does for all of them. */
export function keeperDuties(services: Services, uplinks: Uplinks): Singleton[] {
  const { db, log } = services;
  const { partitions } = uplinks;
  const views = new WideViews(db, log);
  const duty = (name: string, everyMs: number, run: () => Promise<unknown>): Singleton => ({
    name: `telemetry.${name}`,
    everyMs,
    run: async () => void (await run()),
  });
  return [
    duty('views', 2000, () => views.keep()),
    duty('presence', 5000, () => sweepPresence(services, uplinks)),
    duty('presence_windows', 5 * 60_000, () => learnPresenceWindows(services)),
    duty('writers', 10_000, () => settleGoneWriters(db)),
    duty('partitions', 10 * 60_000, async () => {
      await partitions.makeAhead();
      await partitions.dropExpired();
    }),
    duty('rejections', 10 * 60_000, () => forgetOldRejections(db)),
    duty('acks', 60 * 60_000, () => forgetOldAcks(db)),
    duty('sessions', 60 * 60_000, () => dropOldSessions(db)),
  ];
}
