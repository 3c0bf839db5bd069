import { alertJobs, forgetOldEvaluations } from './alerts/alerts.jobs.ts';
import { fireDueAlerts, settleDeletedDevices } from './alerts/device-alerts.ts';
import { notePausedSources } from './alerts/query-alerts.ts';
import { checkSilence } from './alerts/silence.ts';
import { forgetOldAudit } from './audit/audit.ts';
import { forgetOldCommands } from './commands/commands.jobs.ts';
import { fireDueSchedules } from './commands/due-schedules.ts';
import { fireHeldEvents } from './commands/event-schedules.ts';
import { sourceJobs } from './data-sources/data-sources.jobs.ts';
import { refreshStaleSchemas } from './data-sources/schemas.ts';
import { rerunDecoder } from './decoders/decoders.jobs.ts';
import { forgetOldDeliveries, sweepNotices } from './destinations/deliveries.ts';
import { noticeJobs } from './destinations/destinations.jobs.ts';
import { forgetOldEvents } from './events/events.ts';
import type { ExecutorPool } from './executor/pool.ts';
import { importUpstream } from './move/move.jobs.ts';
import { getSettings } from './organizations/organizations.ts';
import type { Ctx } from './platform/context.ts';
import type { JobDefinition } from './platform/jobs/define.ts';
import { forgetOldJobs } from './platform/jobs/upkeep.ts';
import { mailFailures } from './queries/failure-mails.ts';
import { forgetEndedSchedules } from './queries/runs.ts';
import { deleteQueuedObjects, sweepObjects } from './results/object-upkeep.ts';
import { resultJobs } from './results/results.jobs.ts';
import { refreshDueQueries } from './results/scheduled-runs.ts';
import { forgetUnusedResults } from './results/upkeep.ts';
import { forgetOldSessions } from './session/upkeep.ts';
import { rollUp } from './uplinks/rollups.ts';
import { sendMail } from './users/account-mails.ts';

/** Registers the background work of every room, one line each. */

/** All jobs that a worker can run. */
export const jobDefinitions = (executors: ExecutorPool): JobDefinition[] => [
  sendMail as JobDefinition,
  ...sourceJobs(executors),
  ...resultJobs(executors),
  ...noticeJobs,
  ...alertJobs,
  rerunDecoder as JobDefinition,
  importUpstream as JobDefinition,
];

/** Periodic clean-up tasks; each is run by one process at a time. */
export const upkeep: { name: string; everyMs: number; run(ctx: Ctx): Promise<unknown> }[] = [
  { name: 'sessions.upkeep', everyMs: 10 * 60_000, run: forgetOldSessions },
  { name: 'jobs.upkeep', everyMs: 10 * 60_000, run: forgetOldJobs },
  { name: 'schedules.scan', everyMs: 5000, run: (ctx) => refreshDueQueries(ctx) },
  { name: 'schedules.ended', everyMs: 60 * 60_000, run: forgetEndedSchedules },
  { name: 'schedules.failure_mails', everyMs: 60 * 60_000, run: mailFailures },
  { name: 'results.upkeep', everyMs: 5 * 60_000, run: forgetUnusedResults },
  { name: 'results.objects', everyMs: 30_000, run: deleteQueuedObjects },
  { name: 'results.object_sweep', everyMs: 60 * 60_000, run: (ctx) => sweepObjects(ctx) },
  { name: 'schemas.upkeep', everyMs: 10 * 60_000, run: refreshStaleSchemas },
  { name: 'telemetry.rollups', everyMs: 15_000, run: (ctx) => rollUp(ctx) },
  { name: 'commands.schedules', everyMs: 500, run: fireDueSchedules },
  { name: 'commands.held', everyMs: 1000, run: fireHeldEvents },
  { name: 'commands.upkeep', everyMs: 60 * 60_000, run: forgetOldCommands },
  { name: 'alerts.timers', everyMs: 1000, run: fireDueAlerts },
  { name: 'alerts.silence', everyMs: 1000, run: checkSilence },
  { name: 'alerts.paused', everyMs: 5000, run: notePausedSources },
  { name: 'alerts.devices', everyMs: 60_000, run: settleDeletedDevices },
  { name: 'alerts.upkeep', everyMs: 60 * 60_000, run: forgetOldEvaluations },
  { name: 'notices.sweep', everyMs: 5000, run: sweepNotices },
  { name: 'notices.upkeep', everyMs: 60 * 60_000, run: forgetOldDeliveries },
  { name: 'events.upkeep', everyMs: 60 * 60_000, run: forgetOldEvents },
  { name: 'audit.upkeep', everyMs: 60 * 60_000, run: async (ctx) => forgetOldAudit(ctx, (await getSettings(ctx)).audit_days) },
];
