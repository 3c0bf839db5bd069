import { describe, expect, test } from 'vitest';
import { never, readSchedule, Schedule } from './schedule.ts';

describe('server-behaviour 13.1: a stored schedule', () => {
  test.each([
    [
      { interval: 60, time: null, day_of_week: null, until: null },
      { ...never, interval: 60 },
    ],
    [{ interval: 60 }, { ...never, interval: 60 }],
    [
      { interval: 60, time: '', day_of_week: '', until: '' },
      { ...never, interval: 60 },
    ],
    [
      { interval: '3600', time: null },
      { ...never, interval: 3600 },
    ],
    [
      { interval: 604800, time: '09:00', day_of_week: 'Monday', until: '2024-02-29' },
      { interval: 604800, time: '09:00', day_of_week: 'Monday', until: '2024-02-29' },
    ],
    // A schedule that upstream disabled for good runs again (W24).
    [
      { interval: 60, disabled: true },
      { ...never, interval: 60 },
    ],
  ])('%j', (stored, schedule) => expect(readSchedule(stored)).toEqual({ schedule, problem: null }));

  test.each([[null], [undefined], [{}], [never]])('never: %j', (stored) =>
    expect(readSchedule(stored)).toEqual({ schedule: null, problem: null }),
  );

  test.each([
    [{ interval: 'soon' }, 'The interval must be a number of seconds.'],
    [{ interval: 0 }, 'The interval must be a number of seconds.'],
    [{ interval: -60 }, 'The interval must be a number of seconds.'],
    [{ interval: 1e12 }, 'The interval is too long.'],
    [{ interval: 86400, time: '25:00' }, 'The time must be HH:mm.'],
    [{ interval: 86400, time: '9:00' }, 'The time must be HH:mm.'],
    [{ interval: 604800, day_of_week: 'Montag' }, 'The day must be an English week day.'],
    [{ interval: 60, until: '2023-02-29' }, 'The end must be a date, YYYY-MM-DD.'],
    [{ interval: 60, until: 'tomorrow' }, 'The end must be a date, YYYY-MM-DD.'],
    [{ interval: 60, until: '2024-01-01 10:00' }, 'The end must be a date, YYYY-MM-DD.'],
  ])('W24: a bad one is reported, not thrown and not silent: %j', (stored, problem) => {
    expect(readSchedule(stored)).toEqual({ schedule: null, problem });
  });

  test.each([['text'], [5], [[1]], [true]])('W24: %j is no schedule', (stored) => {
    expect(readSchedule(stored)).toEqual({ schedule: null, problem: expect.any(String) });
  });

  test('the wire takes missing keys and gives all four', () =>
    expect(Schedule.parse({ interval: 60 })).toEqual({ ...never, interval: 60 }));
});
