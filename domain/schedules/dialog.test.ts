import { describe, expect, test } from 'vitest';
import { canEndOn, dialogResult, shiftTime, withDay, withInterval, withTime, withUntil } from './dialog.ts';
import { never, type Schedule } from './schedule.ts';

const weekly: Schedule = { interval: 604800, time: '09:00', day_of_week: 'Friday', until: '2024-12-31' };

describe('Q4: choosing an interval', () => {
  test('Never clears the end date and the time', () => expect(withInterval(weekly, null)).toEqual(never));
  test.each([300, 3600])('minutes and hours clear the time and the day: %i', (interval) => {
    expect(withInterval(weekly, interval)).toEqual({ ...weekly, interval, time: null, day_of_week: null });
  });
  test('days and weeks start at 00:15 UTC', () => {
    expect(withInterval(never, 86400)).toEqual({ ...never, interval: 86400, time: '00:15' });
    expect(withInterval(never, 604800)).toEqual({ ...never, interval: 604800, time: '00:15', day_of_week: 'Sunday' });
  });
  test('a time and a day that are there stay', () => {
    expect(withInterval(weekly, 1209600)).toEqual({ ...weekly, interval: 1209600 });
    expect(withInterval(weekly, 86400)).toEqual({ ...weekly, interval: 86400, day_of_week: null });
  });
  test('30 days count as days', () => expect(withInterval(weekly, 2592000).day_of_week).toBeNull());
});

describe('Q5: time, day and end', () => {
  test('a time is on a step of five minutes, and only where there is one', () => {
    expect(withTime(weekly, '10:35').time).toBe('10:35');
    expect(withTime(weekly, '10:36')).toBe(weekly);
    expect(withTime({ ...never, interval: 60 }, '10:35').time).toBeNull();
  });
  test('a day only for weeks', () => {
    expect(withDay(weekly, 'Monday').day_of_week).toBe('Monday');
    expect(withDay({ ...never, interval: 86400 }, 'Monday').day_of_week).toBeNull();
  });
  test('the end is after today', () => {
    expect(['2024-05-02', '2024-05-01', '2024-04-30', '2024-02-30', 'x'].map((until) => canEndOn(until, '2024-05-01'))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(withUntil(weekly, '2024-05-02', '2024-05-01').until).toBe('2024-05-02');
    expect(withUntil(weekly, '2024-05-01', '2024-05-01')).toBe(weekly);
    expect(withUntil(weekly, null, '2024-05-01').until).toBeNull();
    expect(withUntil(never, '2024-05-02', '2024-05-01')).toBe(never);
  });
});

test('Q4: the dialog closes with null without an interval, and reports only a change', () => {
  expect(dialogResult(weekly, { ...weekly })).toBeUndefined();
  expect(dialogResult(null, never)).toBeUndefined();
  expect(dialogResult(weekly, never)).toBeNull();
  expect(dialogResult(null, weekly)).toEqual(weekly);
  expect(dialogResult(weekly, { ...weekly, time: '09:05' })).toEqual({ ...weekly, time: '09:05' });
});

describe('Q3: stored in UTC, shown in local time, the day with it', () => {
  test.each([
    ['22:15', 'Sunday', 120, '00:15', 'Monday'],
    ['00:15', 'Monday', -120, '22:15', 'Sunday'],
    ['00:15', 'Sunday', -300, '19:15', 'Saturday'],
    ['20:00', 'Saturday', 330, '01:30', 'Sunday'],
    ['09:00', null, 60, '10:00', null],
  ] as const)('%s %s by %i minutes', (time, day, minutes, shownTime, shownDay) => {
    expect(shiftTime(time, day, minutes)).toEqual({ time: shownTime, day_of_week: shownDay });
    expect(shiftTime(shownTime, shownDay, -minutes)).toEqual({ time, day_of_week: day });
  });
});
