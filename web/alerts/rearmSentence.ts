import { intervalText } from '@telltale/domain/schedules/intervals.ts';

/** Screens 11: the frequency of notifications, on the page of an alert. */
export function rearmSentence(rearm: number): string {
  if (rearm === 0) return 'Notifications are sent just once, until back to normal.';
  if (rearm === 1) return 'Notifications are sent each time alert is evaluated, until back to normal.';
  return `Notifications are sent at most every ${intervalText(rearm)}, when alert is evaluated.`;
}
