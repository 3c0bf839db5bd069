import { memberOf } from '../jobs/jobs.ts';
import type { ReaderCtx } from '../platform/context.ts';
import { countAttempt, networkOf } from '../session/attempts.ts';
import { refused } from './refused.ts';

/** W12: whoever only holds a key cannot keep a database busy. */

const runsPerMinute = 60;
/** Whoever looks at a shared dashboard gets what is stored; more often than this nothing is run for them. */
const publicMaxAge = 60;
const publicCallsPerMinute = 1200;

const tooMany = () => refused(429, 'Too many runs with this key. Please try again in a minute.');

async function countRun(ctx: ReaderCtx): Promise<void> {
  if ((await countAttempt(ctx.db, 'key run', memberOf(ctx.identity), 60)) > runsPerMinute) throw tooMany();
}

/** Of a dashboard's token every call counts, for the address it comes from. */
export async function requireGuestPatience(ctx: ReaderCtx): Promise<void> {
  const { identity, request } = ctx;
  if (identity.kind !== 'dashboard_token') return;
  const caller = `${identity.object_id} ${networkOf(request.address)}`;
  if ((await countAttempt(ctx.db, 'public call', caller, 60)) > publicCallsPerMinute) throw tooMany();
}

/** Many look at what was shared: what is stored costs nothing, so only what must run is counted, for all of them together. */
export async function requireRunPatience(ctx: ReaderCtx): Promise<void> {
  if (ctx.identity.kind !== 'user') await countRun(ctx);
}

export const ageFor = ({ identity }: ReaderCtx, maxAge: number): number =>
  identity.kind === 'dashboard_token' && maxAge >= 0 ? Math.max(maxAge, publicMaxAge) : maxAge;
