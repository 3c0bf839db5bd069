import { dropOldSessions } from '../networks/mqtt/kept-sessions.ts';
import type { Services } from '../platform/context.ts';
import type { Singleton } from '../platform/jobs/lease.ts';
import { deleteOldAcks } from './acks.store.ts';
import { archiveUplinks } from './archive-uplinks.ts';
import { settleGoneWriters } from './gone-writers.ts';
import { listMovedPartitions } from './moved-partitions.store.ts';
import { learnPresenceWindows, sweepPresence } from './presence.ts';
import { deleteOldRejections } from './rejections.store.ts';
import { findLongestRetention } from './retention-sweep.store.ts';
import { sweepRetention } from './retention-sweep.ts';
import { keepStatistics } from './statistics.store.ts';
import { measureStorage } from './storage-use.store.ts';
import type { Uplinks } from './uplinks.ts';
import { sweepMatches, type UplinkWatcher } from './watchers.ts';
import { WideViews } from './wide-views.ts';

/** Periodic work that one ingest process does for all of them. */
export function telemetryUpkeep(services: Services, uplinks: Uplinks, watchers: readonly UplinkWatcher[] = []): Singleton[] {
  const { db, log, objects } = services;
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
    duty('matches', 2000, () => sweepMatches(services, watchers)),
    duty('writers', 10_000, () => settleGoneWriters(db)),
    duty('partitions', 10 * 60_000, async () => {
      await partitions.makeAhead();
      await partitions.dropExpired(undefined, {
        longestDays: await findLongestRetention(db),
        ...(services.config.clickhouseUrl !== undefined && { moved: await listMovedPartitions(db) }),
        ...(objects && { archive: (partition) => archiveUplinks(services, objects, partition) }),
      });
    }),
    duty('retention', 10_000, () => sweepRetention(services, partitions)),
    duty('statistics', 5000, () => keepStatistics(db)),
    duty('rejections', 10 * 60_000, () => deleteOldRejections(db)),
    duty('storage', 15 * 60_000, () => measureStorage(db)),
    duty('acks', 60 * 60_000, () => deleteOldAcks(db)),
    duty('sessions', 60 * 60_000, () => dropOldSessions(db)),
  ];
}
