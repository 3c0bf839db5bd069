import { expect, test } from 'vitest';
import { localSchedule } from './localSchedule.ts';

test('Q3: a time is kept in UTC and shown in local time, with its day', () => {
  const stored = { interval: 604_800, time: '22:15', day_of_week: 'Sunday', until: null };
  expect(localSchedule(stored, 120)).toMatchObject({ time: '00:15', day_of_week: 'Monday' });
  expect(localSchedule({ interval: 300 }, 120)).toMatchObject({ interval: 300, time: null });
  expect(localSchedule(null)).toBeNull();
});
