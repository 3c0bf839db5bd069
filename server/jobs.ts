import { sourceJobs } from './data-sources/data-sources.jobs.ts';
import { refreshStaleSchemas } from './data-sources/schemas.ts';
import { forgetOldEvents } from './events/events.ts';
import type { ExecutorPool } from './executor/pool.ts';
import type { Ctx } from './platform/context.ts';
import type { JobDefinition } from './platform/jobs/define.ts';
import { forgetOldJobs } from './platform/jobs/upkeep.ts';
import { mailFailures } from './queries/failure-letters.ts';
import { forgetEndedSchedules } from './queries/runs.ts';
import { resultJobs } from './results/results.jobs.ts';
import { refreshDueQueries } from './results/scheduled-runs.ts';
import { forgetUnusedResults } from './results/upkeep.ts';
import { forgetOldSessions } from './session/upkeep.ts';
import { rollUp } from './uplinks/rollups.ts';
import { sendLetter } from './users/letters.ts';

/** The other half of the floor plan: every room's work in the background, one line each. */

/** Everything a worker can be asked to do. */
export const jobDefinitions = (executors: ExecutorPool): JobDefinition[] => [
  sendLetter as JobDefinition,
  ...sourceJobs(executors),
  ...resultJobs(executors),
];

/** What is tidied up once in a while, by one process at a time. */
export const upkeep: { name: string; everyMs: number; run(ctx: Ctx): Promise<unknown> }[] = [
  { name: 'sessions.upkeep', everyMs: 10 * 60_000, run: forgetOldSessions },
  { name: 'jobs.upkeep', everyMs: 10 * 60_000, run: forgetOldJobs },
  { name: 'schedules.scan', everyMs: 5000, run: (ctx) => refreshDueQueries(ctx) },
  { name: 'schedules.ended', everyMs: 60 * 60_000, run: forgetEndedSchedules },
  { name: 'schedules.letters', everyMs: 60 * 60_000, run: mailFailures },
  { name: 'results.upkeep', everyMs: 5 * 60_000, run: forgetUnusedResults },
  { name: 'schemas.upkeep', everyMs: 10 * 60_000, run: refreshStaleSchemas },
  { name: 'telemetry.rollups', everyMs: 15_000, run: (ctx) => rollUp(ctx) },
  { name: 'events.upkeep', everyMs: 60 * 60_000, run: forgetOldEvents },
];
