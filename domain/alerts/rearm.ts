import type { AlertState } from './options.ts';

/** The kinds of news for the recipients of an alert: a change, a repetition while triggered, or nothing. */
export type News = 'change' | 'first_ok' | 'repeat' | 'rearm' | 'unchanged';

export interface Decision {
  before: AlertState;
  after: AlertState;
  /** A4: 0 or null just once, 1 at each evaluation, otherwise at most every so many seconds. */
  rearm: number | null;
  /** When the alert last had news; null if never. */
  lastAt: Date | null;
  now: Date;
}

/**
 * A4 and server-behaviour 14.4. A change is news, except for the first `ok`; while an alert stays triggered, rearm decides. `rearm` means
 * that it is too early for a repetition.
 */
export function newsOf({ before, after, rearm, lastAt, now }: Decision): News {
  if (after !== before) return before === 'unknown' && after === 'ok' ? 'first_ok' : 'change';
  if (after !== 'triggered') return 'unchanged';
  if (!rearm) return 'rearm';
  if (rearm === 1 || lastAt === null) return 'repeat';
  return now.getTime() - lastAt.getTime() >= rearm * 1000 ? 'repeat' : 'rearm';
}

export const isNotified = (news: News): boolean => news === 'change' || news === 'repeat';
