import { getOrganization, getSettings } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { readSchedule } from '@telltale/domain/schedules/schedule.ts';
import { findUsersById } from '../users/users.ts';
import { linkResult, lockQuery, type QueryRow } from './queries.store.ts';
import {
  claimDueQuery,
  clearExpiredRows,
  insertFailure,
  listUnsettledRuns,
  lockQueryOfJob,
  saveScan,
  setNextRun,
  setRunEnded,
  setRunStarted,
} from './runs.store.ts';
import { nextRunAt } from './schedule-changes.ts';

