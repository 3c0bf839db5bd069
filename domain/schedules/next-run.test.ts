import { describe, expect, test } from 'vitest';
import { hasEnded, nextRun } from './next-run.ts';
import { dayS, hourS, never, type Schedule, type Weekday, weekdays, weekS } from './schedule.ts';

const last = new Date('2024-05-01T10:07:30Z');
const every = (interval: number, more: Partial<Schedule> = {}): Schedule => ({ ...never, interval, ...more });
const next = (schedule: Schedule, failures = 0, from: Date | null = last, now = last) =>
  nextRun(from, schedule, failures, now)?.toISOString() ?? null;

describe('server-behaviour 27.3: the next run after Wednesday 2024-05-01 10:07:30', () => {
  test.each([
    ['every 3600 s', every(hourS), 0, '2024-05-01T11:07:30.000Z'],
    ['daily 09:00', every(dayS, { time: '09:00' }), 0, '2024-05-02T09:00:00.000Z'],
    ['daily 23:00', every(dayS, { time: '23:00' }), 0, '2024-05-01T23:00:00.000Z'],
    ['weekly Monday 09:00', every(weekS, { time: '09:00', day_of_week: 'Monday' }), 0, '2024-05-06T09:00:00.000Z'],
    ['W20: weekly Friday 09:00', every(weekS, { time: '09:00', day_of_week: 'Friday' }), 0, '2024-05-03T09:00:00.000Z'],
    ['W20: weekly Wednesday 11:00', every(weekS, { time: '11:00', day_of_week: 'Wednesday' }), 0, '2024-05-01T11:00:00.000Z'],
    ['weekly Wednesday 10:00', every(weekS, { time: '10:00', day_of_week: 'Wednesday' }), 0, '2024-05-08T10:00:00.000Z'],
    ['3 failures', every(hourS), 3, '2024-05-01T11:15:30.000Z'],
    ['every 30 days at 09:00', every(30 * dayS, { time: '09:00' }), 0, '2024-05-31T09:00:00.000Z'],
    ['every 30 days at 23:00', every(30 * dayS, { time: '23:00' }), 0, '2024-05-30T23:00:00.000Z'],
    ['every 2 weeks on Friday', every(2 * weekS, { time: '09:00', day_of_week: 'Friday' }), 0, '2024-05-10T09:00:00.000Z'],
    ['weekly without a day', every(weekS, { time: '09:00' }), 0, '2024-05-08T09:00:00.000Z'],
    ['hourly with a leftover time and day', every(hourS, { time: '09:00', day_of_week: 'Friday' }), 0, '2024-05-01T11:07:30.000Z'],
    ['daily with a leftover day', every(dayS, { time: '09:00', day_of_week: 'Friday' }), 0, '2024-05-02T09:00:00.000Z'],
    ['daily with failures', every(dayS, { time: '09:00' }), 2, '2024-05-02T09:04:00.000Z'],
  ])('%s', (_, schedule, failures, expected) => expect(next(schedule, failures)).toBe(expected));

  test('a run exactly at its slot waits for the next one', () => {
    const slot = new Date('2024-05-03T09:00:00Z');
    expect(next(every(weekS, { time: '09:00', day_of_week: 'Friday' }), 0, slot)).toBe('2024-05-10T09:00:00.000Z');
    expect(next(every(dayS, { time: '09:00' }), 0, slot)).toBe('2024-05-04T09:00:00.000Z');
  });
});

test('W20: for every day, time and last run of two weeks the next run is the first slot after it', () => {
  for (const day of weekdays) {
    for (let hours = 0; hours < 14 * 24; hours += 5) {
      const from = new Date(last.getTime() + hours * 3_600_000);
      const at = nextRun(from, every(weekS, { time: '09:30', day_of_week: day as Weekday }), 0, from);
      expect(at && weekdays[at.getUTCDay()]).toBe(day);
      expect(at?.toISOString().slice(11)).toBe('09:30:00.000Z');
      expect(at && at > from && at.getTime() - from.getTime() <= weekS * 1000).toBe(true);
    }
  }
});

describe('server-behaviour 13.3: due', () => {
  const ago = (minutes: number) => new Date(last.getTime() - minutes * 60_000);
  test('server-behaviour 27.3: four failures hold a minute schedule back for 17 minutes', () => {
    expect(nextRun(ago(16), every(60), 4, last)).toEqual(ago(-1));
    expect(nextRun(ago(17), every(60), 4, last)).toEqual(last);
    expect(nextRun(ago(18), every(60), 4, last)).toEqual(ago(1));
  });
  test('a query that never ran is due at once, whatever its time', () => {
    expect(nextRun(null, every(weekS, { time: '09:00', day_of_week: 'Friday' }), 0, last)).toEqual(last);
    expect(next(every(60), 0, null)).toBe(last.toISOString());
  });
  test('failures beyond counting mean never, not a crash', () => {
    expect(next(every(60), 60)).toBeNull();
    expect(next(every(60), 5000)).toBeNull();
    expect(nextRun(ago(1e6), every(60), 5000, last)).toBeNull();
  });
  test('no interval is never', () => expect(nextRun(null, never, 0, last)).toBeNull());
});

describe('server-behaviour 13.2: until', () => {
  test('it ends as the date begins, in UTC', () => {
    expect(hasEnded({ until: '2024-05-02' }, new Date('2024-05-01T23:59:59Z'))).toBe(false);
    expect(hasEnded({ until: '2024-05-02' }, new Date('2024-05-02T00:00:00Z'))).toBe(true);
    expect(hasEnded({ until: null }, last)).toBe(false);
  });
  test('nothing is due after it, not even a query that never ran', () => {
    expect(nextRun(null, every(60, { until: '2024-05-01' }), 0, last)).toBeNull();
    expect(nextRun(new Date('2024-04-01'), every(60, { until: '2024-05-01' }), 0, last)).toBeNull();
  });
  test('a next run that would lie behind it is none', () => {
    expect(next(every(dayS, { time: '09:00', until: '2024-05-02' }))).toBeNull();
    expect(next(every(dayS, { time: '09:00', until: '2024-05-03' }))).toBe('2024-05-02T09:00:00.000Z');
  });
});
