import { shiftTime } from '@telltale/domain/schedules/dialog.ts';
import { readSchedule, type Schedule } from '@telltale/domain/schedules/schedule.ts';

/** Q3: stored in UTC, shown in local time. */
export function localSchedule(stored: unknown, minutesEast = -new Date().getTimezoneOffset()): Schedule | null {
  const { schedule } = readSchedule(stored);
  return schedule?.time ? { ...schedule, ...shiftTime(schedule.time, schedule.day_of_week, minutesEast) } : schedule;
}
