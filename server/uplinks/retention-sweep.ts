import { setTimeout as delay } from 'node:timers/promises';
import { dayOf, retentionCutoff } from '@telltale/domain/uplinks/retention.ts';
import { forgetArchivedBefore } from '../channels/archive.ts';
import type { Services } from '../platform/context.ts';
import {
  deleteExpiredRows,
  listDevicesAfter,
  listSweeps,
  noteSweep,
  type Sweep,
  type SweptPart,
  type SweptTable,
  sweptTables,
} from './retention-sweep.store.ts';
import type { Partitions } from './storage/partitions.ts';

interface Pace {
  /** A run ends after this time and at least one statement; the next run goes on from there. */
  budgetMs: number;
  rowsAtOnce: number;
  devicesAtOnce: number;
  /** After each statement the sweep rests this many times as long as the statement took. */
  rest: number;
}
/** Short runs: whoever stops the process waits for the end of one. */
const usualPace: Pace = { budgetMs: 3000, rowsAtOnce: 5000, devicesAtOnce: 200, rest: 4 };

/** How far a pass has come: the partition, and the last of its devices that is done with. */
interface Place {
  part: string | null;
  device_pk: number | null;
}

/**
 * iot-behaviour 1.8 and 5.2: deletes what channels with a retention of their own keep no longer: messages, readings, minutes and hours. Each of
 * these channels is gone through once a day, and when its setting has changed; the next day's pass
 * deletes late readings that had expired before they came. Last values and the list of attributes stay, because pages show them as the
 * state of a device.
 *
 * Deleting row by row is what partitions exist to avoid. So each statement is short and a transaction of its own, and most of the time is
 * rest, in which vacuum, writers and readers have the disk to themselves.
 */
export async function sweepRetention(
  services: Services,
  partitions: Partitions,
  pace: Partial<Pace> = {},
  now = new Date(),
): Promise<void> {
  const until = performance.now() + (pace.budgetMs ?? usualPace.budgetMs);
  for (const sweep of await listSweeps(services.db)) {
    const cutoff = retentionCutoff(sweep.retention_days, now);
    const isSame = sweep.cutoff !== null && Date.parse(sweep.cutoff) === cutoff.getTime();
    if (isSame && sweep.is_done) continue;
    const start = isSame ? sweep : { ...sweep, part: null, device_pk: null };
    // A channel whose rows cannot be deleted now, such as those of a locked partition, does not keep the others waiting.
    await sweepChannel(services, partitions, start, cutoff, until, { ...usualPace, ...pace }).catch((error: Error) =>
      services.log.warn({ err: error.message, channel: sweep.channel_pk }, 'expired rows of a channel could not be deleted'),
    );
    if (performance.now() >= until) return;
  }
}

async function sweepChannel(
  { db, objects }: Services,
  partitions: Partitions,
  sweep: Sweep,
  cutoff: Date,
  until: number,
  pace: Pace,
): Promise<void> {
  const { channel_pk } = sweep;
  let begun = performance.now();
  for await (const place of deleteInSteps(db, partitions, sweep, cutoff, pace)) {
    const tookMs = performance.now() - begun;
    const leftMs = until - performance.now();
    if (leftMs <= 0) {
      await noteSweep(db, { channel_pk, ...place }, cutoff, false);
      return;
    }
    await delay(Math.min(tookMs * pace.rest, leftMs));
    begun = performance.now();
  }
  if (objects) await forgetArchivedBefore(db, objects, channel_pk, cutoff);
  await noteSweep(db, { channel_pk, part: null, device_pk: null }, cutoff, true);
}

/** Goes through the partitions, and through the devices of the channel in each; yields after every statement. */
async function* deleteInSteps(
  db: Services['db'],
  partitions: Partitions,
  { channel_pk, ...start }: Sweep,
  cutoff: Date,
  { rowsAtOnce, devicesAtOnce }: Pace,
): AsyncGenerator<Place> {
  const parts = await listParts(partitions, cutoff);
  // A partition that has been dropped meanwhile is not found, and the pass begins anew: what is deleted already costs little.
  const first = parts.findIndex(({ name }) => name === start.part);
  for (const part of parts.slice(Math.max(first, 0))) {
    let done = part.name === start.part ? (start.device_pk ?? 0) : 0;
    for (;;) {
      const devices = await listDevicesAfter(db, channel_pk, done, devicesAtOnce);
      if (devices.length === 0) break;
      const deleted = await deletePatiently(db, part, devices, cutoff, rowsAtOnce);
      if (deleted < rowsAtOnce) done = devices.at(-1) ?? done;
      yield { part: part.name, device_pk: done };
    }
  }
}

/** A partition that was dropped meanwhile has no rows. */
async function deletePatiently(
  db: Services['db'],
  part: SweptPart,
  devices: readonly number[],
  cutoff: Date,
  most: number,
): Promise<number> {
  try {
    return await db.transaction().execute((tx) => deleteExpiredRows(tx, part, devices, cutoff, most));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '42P01') return 0;
    throw error;
  }
}

async function listParts(partitions: Partitions, cutoff: Date): Promise<SweptPart[]> {
  const day = dayOf(cutoff.getTime() * 1000);
  const parts: SweptPart[] = [];
  for (const table of Object.keys(sweptTables) as SweptTable[])
    for (const { name, to } of await partitions.listBefore(table, day)) parts.push({ table, name, isExpired: to <= day });
  return parts;
}
