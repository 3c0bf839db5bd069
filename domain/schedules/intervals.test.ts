import { describe, expect, test } from 'vitest';
import { queryRefreshIntervals } from '../organization/settings.ts';
import { everyText, intervalGroups, intervalText, refreshText } from './intervals.ts';

describe('Q9: intervals read in their largest unit', () => {
  test.each([
    [30, '30 seconds', 'Every 30 seconds'],
    [60, '1 minute', 'Every minute'],
    [300, '5 minutes', 'Every 5 minutes'],
    [5400, '90 minutes', 'Every 90 minutes'],
    [3600, '1 hour', 'Every hour'],
    [43200, '12 hours', 'Every 12 hours'],
    [86400, '1 day', 'Every day'],
    [604800, '1 week', 'Every week'],
    [1209600, '2 weeks', 'Every 2 weeks'],
    [2592000, '30 days', 'Every 30 days'],
  ])('%i', (seconds, text, every) => {
    expect(intervalText(seconds)).toBe(text);
    expect(everyText(seconds)).toBe(every);
  });
  test('nothing is Never', () => expect([everyText(null), everyText(0), refreshText(null)]).toEqual(['Never', 'Never', 'Never']));
  test('the whole sentence', () => {
    expect(refreshText({ interval: 604800, time: '09:00', day_of_week: 'Monday' })).toBe('Refreshes every week at 09:00 on Monday');
    expect(refreshText({ interval: 300, time: null, day_of_week: null })).toBe('Refreshes every 5 minutes');
  });
});

test('screens 7: grouped as minutes, hours, days, weeks', () => {
  const groups = intervalGroups(queryRefreshIntervals);
  expect(groups.map(({ unit, intervals }) => `${unit} ${intervals.length}`)).toEqual(['minute 5', 'hour 12', 'day 2', 'week 2']);
  expect(groups[2]?.intervals).toEqual([86400, 2592000]);
});
