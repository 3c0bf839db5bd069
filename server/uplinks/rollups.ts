import { movedPointDays } from '@telltale/domain/uplinks/retention.ts';
import type { Kysely } from 'kysely';
import type { Ctx } from '../platform/context.ts';
import type { DB } from '../platform/database-types.ts';
import { type Due, findRollupState, leaveOutOldDue, listDue, rollUpDue, rollUpHours, rollUpMinutes } from './rollups.store.ts';
import { Partitions } from './storage/partitions.ts';

/**
 * A minute is over when writers report every later change to it: they report everything that is older than 30 seconds (late-times.ts), and
 * no write takes longer than the rest.
 */
const usualTiming = { settledSeconds: 75, longestWriteSeconds: 30 };
/** The size of the steps in which a backlog is worked off. */
const stepMs = 3_600_000;
const mostDue = 5000;
const budgetMs = 60_000;

/** iot-behaviour 1.8: rolls up finished minutes and hours, and those that have changed since. */
export async function rollUp(ctx: Ctx, timing = usualTiming): Promise<void> {
  // Runs outside of any transaction: partitions are changed in their own.
  const partitions = new Partitions(ctx.db as Kysely<DB>, ctx.log);
  const until = Date.now() + budgetMs;
  // The other readings of such a minute may be in ClickHouse only, so it keeps its rollup; IoT data has the late reading.
  if (ctx.config.clickhouseUrl !== undefined) await leaveOutOldDue(ctx.db, movedPointDays - 1);
  await rollUpOver(ctx, partitions, until, timing);
  await rollUpLate(ctx, partitions, until);
}

const dayOf = (ms: number) => Math.floor(ms / 86_400_000);
const iso = (ms: number) => new Date(ms).toISOString();

async function rollUpOver(ctx: Ctx, partitions: Partitions, until: number, timing: typeof usualTiming): Promise<void> {
  const state = await findRollupState(ctx.db, timing.settledSeconds, timing.longestWriteSeconds);
  if (!state) return;
  const over = Date.parse(state.minutes_over);
  let [minutes, hours] = [Date.parse(state.minutes_until), Date.parse(state.hours_until)];
  while (minutes < over && Date.now() < until) {
    const [from, end] = [iso(minutes), Math.min(over, minutes + stepMs)];
    await partitions.ensure('metric_minute', [dayOf(minutes), dayOf(end)]);
    if (!(await ctx.transaction((tx) => rollUpMinutes(tx.db, from, iso(end))))) return;
    minutes = end;
  }
  for (; hours + stepMs <= minutes && Date.now() < until; hours += stepMs) {
    const [from, end] = [iso(hours), iso(hours + stepMs)];
    await partitions.ensure('metric_hour', [dayOf(hours)]);
    if (!(await ctx.transaction((tx) => rollUpHours(tx.db, from, end)))) return;
  }
}

async function rollUpLate(ctx: Ctx, partitions: Partitions, until: number): Promise<void> {
  while (Date.now() < until) {
    const due = await listDue(ctx.db, mostDue);
    if (due.length === 0) return;
    for (const table of ['metric_minute', 'metric_hour'] as const) await partitions.ensure(table, daysOf(due));
    await ctx.transaction((tx) => rollUpDue(tx.db, due));
    if (due.length < mostDue) return;
  }
}

function daysOf(due: readonly Due[]): Set<number> {
  const days = new Set<number>();
  for (const { from_day, to_day } of due) for (let day = from_day; day <= to_day; day++) days.add(day);
  return days;
}
