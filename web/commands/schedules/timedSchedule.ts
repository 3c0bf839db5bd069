import { defaultCron, defaultTimezone, type Schedule } from '@telltale/domain/commands/schedule.ts';
import { type CronPlan, cronOf, firstPlan, type Header, planOf } from './cronPlan.ts';
import { wallClock } from './zones.ts';

/** A schedule by the clock, as sent. */
export interface TimedSchedule {
  type: 'o' | 'r';
  schedule: string;
  timezone: string;
}

/** The state of the builder: the plan and the free text of a recurring schedule beside the moment of a one-time one. */
export interface BuilderState {
  header: Header;
  plan: CronPlan;
  cron: string;
  once: string;
  timezone: string;
}

const soonMs = 3_600_000;
const nextHour = (zone: string, now: Date) => `${wallClock(new Date(now.getTime() + soonMs), zone).slice(0, 13)}:00:00`;

export function newBuilder(now = new Date(), offered: readonly Header[] = ['Daily']): BuilderState {
  const header = offered.includes('Daily') ? 'Daily' : (offered[0] ?? 'Daily');
  const plan: CronPlan = header === 'One Time' ? firstPlan : { ...firstPlan, header };
  const cron = header === 'Daily' ? defaultCron : cronOf(plan);
  return { header, plan, cron, once: nextHour(defaultTimezone, now), timezone: defaultTimezone };
}

export function builderOf(schedule: Pick<Schedule, 'type' | 'schedule' | 'timezone'>, now = new Date()): BuilderState {
  const { timezone } = schedule;
  const text = schedule.schedule ?? '';
  if (schedule.type === 'o') return { header: 'One Time', plan: firstPlan, cron: defaultCron, once: text, timezone };
  const plan = planOf(text) ?? firstPlan;
  return { header: plan.header, plan, cron: text, once: nextHour(timezone, now), timezone };
}

export const timedOf = ({ header, cron, once, timezone }: BuilderState): TimedSchedule =>
  header === 'One Time' ? { type: 'o', schedule: once, timezone } : { type: 'r', schedule: cron, timezone };

/** The request body; a schedule by the clock clears the fields of an event. */
export const bodyOf = (timed: TimedSchedule, name: string) => ({ ...timed, name: name.trim(), value: null, condition: null });

/** Switches the header and keeps what was chosen under it before. */
export function withHeader(state: BuilderState, header: Header): BuilderState {
  if (header === 'One Time') return { ...state, header };
  return withPlan(state, { ...state.plan, header });
}

export const withPlan = (state: BuilderState, plan: CronPlan): BuilderState => ({
  ...state,
  header: plan.header,
  plan,
  cron: plan.header === 'Weekly' && plan.weekly.length === 0 ? '' : cronOf(plan),
});

/** Free text updates the builder where the builder can show it. */
export function withCron(state: BuilderState, cron: string): BuilderState {
  const plan = planOf(cron, state.plan);
  return plan ? { ...state, cron, plan, header: plan.header } : { ...state, cron };
}

/** Whether the builder shows the same as the free text. */
export const isInBuilder = ({ cron, plan, header }: BuilderState): boolean =>
  header === 'One Time' || (planOf(cron, plan) !== null && planOf(cron, plan)?.header === header);
