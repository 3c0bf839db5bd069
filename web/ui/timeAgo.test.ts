import { describe, expect, test } from 'vitest';
import { timeAgo } from './timeAgo.ts';

const now = new Date('2026-03-15T12:00:00Z');
const before = (seconds: number) => timeAgo(new Date(now.getTime() - seconds * 1000), now);
const minutes = 60;
const hours = 60 * minutes;
const days = 24 * hours;

describe('Q2: relative times', () => {
  test.each([
    [0, 'just now'],
    [44, 'just now'],
    [45, 'a minute ago'],
    [89, 'a minute ago'],
    [90, '2 minutes ago'],
    [5 * minutes, '5 minutes ago'],
    [44 * minutes, '44 minutes ago'],
    [45 * minutes, 'an hour ago'],
    [89 * minutes, 'an hour ago'],
    [90 * minutes, '2 hours ago'],
    [21 * hours, '21 hours ago'],
    [22 * hours, 'a day ago'],
    [35 * hours, 'a day ago'],
    [36 * hours, '2 days ago'],
    [25 * days, '25 days ago'],
    [26 * days, 'a month ago'],
    [45 * days, 'a month ago'],
    [46 * days, '2 months ago'],
    [319 * days, '10 months ago'],
    [320 * days, 'a year ago'],
    [547 * days, 'a year ago'],
    [548 * days, '2 years ago'],
    [5 * 365.25 * days, '5 years ago'],
  ])('%d seconds read "%s"', (seconds, text) => expect(before(seconds)).toBe(text));

  test('future times are named as such', () => {
    expect(before(-5 * minutes)).toBe('in 5 minutes');
    expect(before(-1 * hours)).toBe('in an hour');
  });

  test('a clock that runs a little ahead is not the future', () => expect(before(-20)).toBe('just now'));
});
