import { defaultCron } from '@telltale/domain/commands/schedule.ts';
import { expect, test } from 'vitest';
import { type CronPlan, cronOf, firstPlan, headersFault, planOf } from './cronPlan.ts';

const plan = (changes: Partial<CronPlan>): CronPlan => ({ ...firstPlan, ...changes });

test.each<[string, Partial<CronPlan>]>([
  ['0 0/5 * 1/1 * ? *', { header: 'Minutes', minutes: 5 }],
  ['0 0 0/6 1/1 * ? *', { header: 'Hourly', hours: 6 }],
  ['0 30 8 1/3 * ? *', { header: 'Daily', daily: 'every', days: 3, hour: 8, minute: 30 }],
  ['0 30 8 ? * MON-FRI *', { header: 'Daily', daily: 'weekday', hour: 8, minute: 30 }],
  ['0 0 22 ? * MON,TUE,SUN *', { header: 'Weekly', weekly: ['MON', 'TUE', 'SUN'], hour: 22 }],
  ['0 15 9 31 1/1 ? *', { header: 'Monthly', monthly: 'day', day: 31, hour: 9, minute: 15 }],
  ['0 0 0 L * ? *', { header: 'Monthly', monthly: 'last' }],
  ['0 0 9 LW * ? *', { header: 'Monthly', monthly: 'lastWeekday', hour: 9 }],
  ['0 0 9 L-3 * ? *', { header: 'Monthly', monthly: 'before', before: 3, hour: 9 }],
])('A5: the builder writes %s and reads it again', (cron, changes) => {
  expect(cronOf(plan(changes))).toBe(cron);
  expect(planOf(cron)).toEqual(plan(changes));
});

test('A9: the default expression is every day at midnight', () => {
  expect(planOf(defaultCron)).toEqual(plan({ header: 'Daily', days: 1, hour: 0, minute: 0 }));
});

test.each([
  '0 0/90 * * * ? *',
  '0 0 9 ? * 6#3 *',
  '0 15 10 1 1 ? 2027',
  '30 0 0 1/1 * ? *',
  '0 0 9 15W * ? *',
  '0 0 22-2 ? * * *',
  '0 0 0/24 1/1 * ? *',
  'nonsense',
  '',
])('only free text can hold %j', (cron) => {
  expect(planOf(cron)).toBeNull();
});

test('six fields and other spellings of every day are read', () => {
  expect(planOf('0 0/5 * * * ?')).toEqual(plan({ header: 'Minutes', minutes: 5 }));
  expect(planOf('0 0 */6 * * ? *')).toEqual(plan({ header: 'Hourly', hours: 6 }));
  expect(planOf('0 30 8 * * ? *')).toEqual(plan({ header: 'Daily', hour: 8, minute: 30 }));
});

test('A5: a builder without headers, or with one that does not exist, says so', () => {
  expect(headersFault([])).toBe('Atleast one header is required.');
  expect(headersFault(['Daily', 'Yearly'])).toBe('Invalid header');
  expect(headersFault(['Daily', 'One Time'])).toBeNull();
});
