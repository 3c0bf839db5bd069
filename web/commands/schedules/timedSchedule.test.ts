import { expect, test } from 'vitest';
import { firstPlan } from './cronPlan.ts';
import { builderOf, isInBuilder, newBuilder, timedOf, withCron, withHeader, withPlan } from './timedSchedule.ts';

const now = new Date('2026-07-01T10:20:00Z');

test('A9: a new schedule is the default expression in the default zone', () => {
  expect(timedOf(newBuilder(now))).toEqual({ type: 'r', schedule: '0 0 00 1/1 * ?*', timezone: 'Asia/Kolkata' });
});

test('a one-time schedule starts at the next full hour of its zone', () => {
  expect(timedOf(withHeader(newBuilder(now), 'One Time'))).toEqual({
    type: 'o',
    schedule: '2026-07-01 16:00:00',
    timezone: 'Asia/Kolkata',
  });
});

test('another header writes its own expression and keeps what was chosen before', () => {
  const minutes = withPlan(newBuilder(now), { ...firstPlan, header: 'Minutes', minutes: 15 });
  expect(minutes.cron).toBe('0 0/15 * 1/1 * ? *');
  const back = withHeader(withHeader(minutes, 'Weekly'), 'Minutes');
  expect(back.cron).toBe('0 0/15 * 1/1 * ? *');
});

test('free text moves the builder where it can, and stays where it cannot', () => {
  const hourly = withCron(newBuilder(now), '0 0 0/6 1/1 * ? *');
  expect(hourly.header).toBe('Hourly');
  expect(isInBuilder(hourly)).toBe(true);
  const third = withCron(hourly, '0 0 9 ? * 6#3 *');
  expect(third.header).toBe('Hourly');
  expect(isInBuilder(third)).toBe(false);
  expect(timedOf(third).schedule).toBe('0 0 9 ? * 6#3 *');
});

test('a saved schedule is read back', () => {
  const saved = { type: 'r', schedule: '0 30 8 ? * MON-FRI *', timezone: 'Europe/Berlin' } as const;
  expect(timedOf(builderOf(saved, now))).toEqual(saved);
  const once = { type: 'o', schedule: '2026-08-01 08:00:00', timezone: 'UTC' } as const;
  expect(timedOf(builderOf(once, now))).toEqual(once);
});
