import { retentionMessage } from '@telltale/domain/channels/contract.ts';
import { longestRetentionDays } from '@telltale/domain/uplinks/retention.ts';

/** Reads what was typed: a number of days, null for the default, or a fault. */
export function readRetention(text: string): { days: number | null; fault?: string } {
  const typed = text.trim();
  if (typed === '') return { days: null };
  const days = /^\d+$/.test(typed) ? Number(typed) : 0;
  return days >= 1 && days <= longestRetentionDays ? { days } : { days: null, fault: retentionMessage };
}

/** What is lost by a change; null when it is nothing. By default hours are kept for ever, so that every number of days is shorter. */
export function retentionQuestion(before: number | null, after: number | null): string | null {
  if (after === null || (before !== null && after >= before)) return null;
  return `Readings older than ${after === 1 ? '1 day' : `${after} days`} will be deleted. This cannot be undone.`;
}
