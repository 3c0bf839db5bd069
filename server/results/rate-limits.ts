import { memberOf } from '../jobs/jobs.ts';
import type { ReaderCtx } from '../platform/context.ts';
import { countAttempt, networkOf } from '../session/attempts.ts';
import { refused } from './refused.ts';

/** W12: rate limits for callers with a key or dashboard token, so that they cannot keep a database busy. */

const runsPerMinute = 60;
/** Readers of a shared dashboard get the stored result; a run for them happens at most this often. */
const publicMaxAge = 60;
const publicCallsPerMinute = 1200;

const tooMany = () => refused(429, 'Too many runs with this key. Please try again in a minute.');

async function countRun(ctx: ReaderCtx): Promise<void> {
  if ((await countAttempt(ctx.db, 'key run', memberOf(ctx.identity), 60)) > runsPerMinute) throw tooMany();
}

/** Counts every call with a dashboard token, per address of the caller. */
export async function rateLimitGuest(ctx: ReaderCtx): Promise<void> {
  const { identity, request } = ctx;
  if (identity.kind !== 'dashboard_token') return;
  const caller = `${identity.object_id} ${networkOf(request.address)}`;
  if ((await countAttempt(ctx.db, 'public call', caller, 60)) > publicCallsPerMinute) throw tooMany();
}

/** Counts only runs, for all readers of the key or token together: reading a stored result costs nothing. */
export async function rateLimitRuns(ctx: ReaderCtx): Promise<void> {
  if (ctx.identity.kind !== 'user') await countRun(ctx);
}

export const ageFor = ({ identity }: ReaderCtx, maxAge: number): number =>
  identity.kind === 'dashboard_token' && maxAge >= 0 ? Math.max(maxAge, publicMaxAge) : maxAge;
