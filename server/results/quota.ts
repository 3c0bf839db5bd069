import type { SystemStatus } from '@telltale/domain/admin/contract.ts';
import type { Ctx } from '../platform/context.ts';
import { JobError } from '../platform/jobs/define.ts';
import { deleteOldest, largestOwners, storedBytes } from './quota.store.ts';

/**
 * Issue 13.12: the quotas of stored results, per user and in total. Results that no query shows are deleted first, oldest first; when there
 * are none left, users who have used up their quota cannot run anything.
 */

const sizeText = (bytes: number) => (bytes >= 1024 ** 3 ? `${+(bytes / 1024 ** 3).toFixed(1)} GiB` : `${Math.ceil(bytes / 1024 ** 2)} MiB`);

/** Makes room if there is too little, and returns how much is free. */
async function makeRoom(ctx: Ctx, userId: number | null, quota: number): Promise<number> {
  if (quota === 0) return Number.POSITIVE_INFINITY;
  const free = quota - (await storedBytes(ctx.db, userId));
  return free > 0 ? free : free + (await deleteOldest(ctx.db, userId, 1 - free));
}

/** The known free bytes and the time of that look-up: most runs are small, and are not delayed by counting. */
const known = new WeakMap<Ctx['config'], Map<number | null, { free: number; until: number }>>();
const believedMs = 30_000;

async function freeFor(ctx: Ctx, userId: number | null, quota: number): Promise<number> {
  const all = known.get(ctx.config) ?? new Map<number | null, { free: number; until: number }>();
  known.set(ctx.config, all);
  const last = all.get(userId);
  if (last && last.free > 0 && last.until > Date.now()) return last.free;
  if (all.size > 10_000) all.clear();
  const free = await makeRoom(ctx, userId, quota);
  all.set(userId, { free, until: Date.now() + believedMs });
  return free;
}

/** Called before a run: its rows will have to be stored. */
export async function requireRoom(ctx: Ctx, userId: number | null): Promise<void> {
  const { person, all } = ctx.config.resultQuota;
  if (userId !== null && (await freeFor(ctx, userId, person)) <= 0)
    throw new JobError(
      `Your stored results take all of the ${sizeText(person)} you may use. Archive queries that you do not need any more.`,
    );
  if ((await freeFor(ctx, null, all)) <= 0)
    throw new JobError(`Stored results take all of the ${sizeText(all)} they may use. Please tell an administrator.`);
}

/** Called after a run: subtracts its bytes from the known free ones. */
export function noteStored(ctx: Ctx, userId: number | null, bytes: number): void {
  for (const key of new Set([userId, null])) {
    const entry = known.get(ctx.config)?.get(key);
    if (entry) entry.free -= bytes;
  }
}

const shownOwners = 10;

/** Runs periodically: another worker, or a smaller setting, may have left too much. */
export async function keepQuotas(ctx: Ctx): Promise<void> {
  const { person, all } = ctx.config.resultQuota;
  for (const { user_id, bytes } of person === 0 ? [] : await largestOwners(ctx.db, 1000)) {
    if (bytes > person) await makeRoom(ctx, user_id, person);
  }
  await makeRoom(ctx, null, all);
}

/** The figures for administrators. */
export async function resultUsage(ctx: Ctx): Promise<SystemStatus['stored_results']> {
  const { person, all } = ctx.config.resultQuota;
  return {
    bytes: await storedBytes(ctx.db, null),
    quota_bytes: all || null,
    person_quota_bytes: person || null,
    people: await largestOwners(ctx.db, shownOwners),
  };
}
