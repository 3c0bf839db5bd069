import { Cron as Croner } from 'croner';
import { describe, expect, test } from 'vitest';
import { nextRuns } from './cron-next.ts';
import { CronFault, parseCron } from './cron-parse.ts';
import { cronSentence } from './cron-words.ts';

const next = (text: string, zone: string, after: string, count: number) =>
  nextRuns(parseCron(text), zone, Date.parse(after), count).map((at) => new Date(at).toISOString().replace('.000Z', 'Z'));

describe('iot-behaviour 3.6: the test vectors', () => {
  test.each([
    ['0 0 00 1/1 * ?*', 'Asia/Kolkata', '2026-01-15T10:00:00Z', ['2026-01-15T18:30:00Z', '2026-01-16T18:30:00Z']],
    ['0 0/5 * * * ? *', 'UTC', '2026-01-15T10:03:10Z', ['2026-01-15T10:05:00Z', '2026-01-15T10:10:00Z', '2026-01-15T10:15:00Z']],
    ['0 0 0/6 1/1 * ? *', 'UTC', '2026-01-15T10:03:10Z', ['2026-01-15T12:00:00Z', '2026-01-15T18:00:00Z']],
    ['0 30 8 ? * MON-FRI *', 'Europe/Berlin', '2026-03-27T10:00:00Z', ['2026-03-30T06:30:00Z', '2026-03-31T06:30:00Z']],
    ['0 0 00 L * ? *', 'UTC', '2026-01-31T00:00:00Z', ['2026-02-28T00:00:00Z', '2026-03-31T00:00:00Z']],
    ['0 0 9 LW * ? *', 'UTC', '2026-01-30T10:00:00Z', ['2026-02-27T09:00:00Z', '2026-03-31T09:00:00Z']],
    ['0 0 9 L-3 * ? *', 'UTC', '2026-02-01T00:00:00Z', ['2026-02-25T09:00:00Z', '2026-03-28T09:00:00Z']],
    ['0 0 9 1W * ? *', 'UTC', '2026-07-31T10:00:00Z', ['2026-08-03T09:00:00Z', '2026-09-01T09:00:00Z']],
    ['0 0 9 15W * ? *', 'UTC', '2026-02-10T00:00:00Z', ['2026-02-16T09:00:00Z', '2026-03-16T09:00:00Z']],
    ['0 0 9 ? * 6#3 *', 'UTC', '2026-02-01T00:00:00Z', ['2026-02-20T09:00:00Z', '2026-03-20T09:00:00Z']],
    ['0 0 9 ? * 4#5 *', 'UTC', '2026-01-01T00:00:00Z', ['2026-04-29T09:00:00Z', '2026-07-29T09:00:00Z']],
    ['0 0 9 ? * 6L *', 'UTC', '2026-02-01T00:00:00Z', ['2026-02-27T09:00:00Z', '2026-03-27T09:00:00Z']],
    ['0 0 9 31 * ? *', 'UTC', '2026-01-31T09:00:00Z', ['2026-03-31T09:00:00Z', '2026-05-31T09:00:00Z']],
    ['0 0 0 29 2 ? *', 'UTC', '2026-01-01T00:00:00Z', ['2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z']],
    ['0 0 22-2 ? * * *', 'UTC', '2026-01-01T21:30:00Z', ['2026-01-01T22:00:00Z', '2026-01-01T23:00:00Z', '2026-01-02T00:00:00Z']],
    ['0 15 10 1 1 ? 2027', 'UTC', '2026-01-01T00:00:00Z', ['2027-01-01T10:15:00Z']],
    ['0 30 2 * * ? *', 'Europe/Berlin', '2026-03-28T12:00:00Z', ['2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z']],
    ['0 30 2 * * ? *', 'Europe/Berlin', '2026-10-24T12:00:00Z', ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z']],
    ['0 30 * * * ? *', 'Europe/Berlin', '2026-10-24T23:45:00Z', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z']],
    ['0 30 * * * ? *', 'Europe/Berlin', '2026-03-29T00:00:00Z', ['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z']],
    ['0 30 2 * * ? *', 'America/New_York', '2026-03-07T12:00:00Z', ['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z']],
    ['0 30 1 * * ? *', 'America/New_York', '2026-10-31T12:00:00Z', ['2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z']],
    ['0 15 2 * * ? *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', ['2026-10-03T15:30:00Z', '2026-10-04T15:15:00Z']],
  ])('%s in %s after %s', (text, zone, after, expected) => {
    expect(next(text, zone, after, expected.length + (text.endsWith('2027') ? 1 : 0))).toEqual(expected);
  });
});

/** Our expressions → the same for croner: its days of the week count from 0, `?` means now, ranges do not wrap. */
const shared: [string, string][] = [
  ['0 * * * * ? *', '0 * * * * *'],
  ['*/10 * * * * ? *', '*/10 * * * * *'],
  ['15,45 * * * * ? *', '15,45 * * * * *'],
  ['0 0/5 * * * ? *', '0 0/5 * * * *'],
  ['0 0/7 * * * ? *', '0 0/7 * * * *'],
  ['0 3/20 * * * ? *', '0 3/20 * * * *'],
  ['0 0,30 * * * ? *', '0 0,30 * * * *'],
  ['30 10-20 * * * ? *', '30 10-20 * * * *'],
  ['0 0 * * * ? *', '0 0 * * * *'],
  ['0 0 0/2 1/1 * ? *', '0 0 0/2 * * *'],
  ['0 0 0/6 1/1 * ? *', '0 0 0/6 * * *'],
  ['0 30 6/3 * * ? *', '0 30 6/3 * * *'],
  ['0 0 8-18 * * ? *', '0 0 8-18 * * *'],
  ['0 0/15 9-17 ? * MON-FRI *', '0 0/15 9-17 * * 1-5'],
  ['0 0 6 * * ? *', '0 0 6 * * *'],
  ['0 45 23 * * ? *', '0 45 23 * * *'],
  ['0 0 0 1/1 * ? *', '0 0 0 * * *'],
  ['0 15 4 1/2 * ? *', '0 15 4 1/2 * *'],
  ['0 15 4 1/3 * ? *', '0 15 4 1/3 * *'],
  ['0 0 12 5/7 * ? *', '0 0 12 5/7 * *'],
  ['0 0 7 ? * MON *', '0 0 7 * * 1'],
  ['0 0 7 ? * 1 *', '0 0 7 * * 0'],
  ['0 0 7 ? * 7 *', '0 0 7 * * 6'],
  ['0 0 7 ? * MON,WED,FRI *', '0 0 7 * * 1,3,5'],
  ['0 0 7 ? * 2-6 *', '0 0 7 * * 1-5'],
  ['0 0 7 ? * SAT,SUN *', '0 0 7 * * 0,6'],
  ['0 20 16 ? * TUE *', '0 20 16 * * 2'],
  ['0 0 5 1 * ? *', '0 0 5 1 * *'],
  ['0 0 5 15 * ? *', '0 0 5 15 * *'],
  ['0 0 5 31 * ? *', '0 0 5 31 * *'],
  ['0 0 5 1,15 * ? *', '0 0 5 1,15 * *'],
  ['0 0 5 10-12 * ? *', '0 0 5 10-12 * *'],
  ['0 0 5 1 1/1 ? *', '0 0 5 1 * *'],
  ['0 0 5 1 1/3 ? *', '0 0 5 1 1/3 *'],
  ['0 0 5 1 7/6 ? *', '0 0 5 1 7 *'],
  ['0 0 5 1 JAN,JUL ? *', '0 0 5 1 1,7 *'],
  ['0 0 5 1 3-5 ? *', '0 0 5 1 3-5 *'],
  ['0 0 5 25 DEC ? *', '0 0 5 25 12 *'],
  ['0 0 5 29 2 ? *', '0 0 5 29 2 *'],
  ['0 0 5 ? JUN-AUG MON *', '0 0 5 * 6-8 1'],
  ['0 0 5 L * ? *', '0 0 5 L * *'],
  ['0 30 22 L * ? *', '0 30 22 L * *'],
  ['0 0 5 L 2 ? *', '0 0 5 L 2 *'],
  ['0 0 5 15W * ? *', '0 0 5 15W * *'],
  ['0 0 5 1W * ? *', '0 0 5 1W * *'],
  ['0 0 5 LW * ? *', '0 0 5 LW * *'],
  ['0 0 5 ? * 6#3 *', '0 0 5 * * 5#3'],
  ['0 0 5 ? * 2#1 *', '0 0 5 * * 1#1'],
  ['0 0 5 ? * MON#2 *', '0 0 5 * * 1#2'],
  ['0 0 5 ? * 4#5 *', '0 0 5 * * 3#5'],
  ['0 0 5 ? * 6L *', '0 0 5 * * 5#L'],
  ['0 0 5 ? * SUNL *', '0 0 5 * * 0#L'],
  ['0 0 5 ? * L *', '0 0 5 * * 6'],
  ['0 0 22-23,0-2 ? * * *', '0 0 0-2,22-23 * * *'],
  ['0 0 22-2 ? * * *', '0 0 0-2,22,23 * * *'],
  ['0 0 5 1 NOV-FEB ? *', '0 0 5 1 1,2,11,12 *'],
  ['0 0 5 ? * SAT-MON *', '0 0 5 * * 0,1,6'],
  ['59 59 23 * * ? *', '59 59 23 * * *'],
  ['0 0 12 ? * WED *', '0 0 12 * * 3'],
  ['5 4 3 2 * ? *', '5 4 3 2 * *'],
  ['0 00 08 ? * MON!TUE *', '0 0 8 * * 1,2'],
  ['0 10 5 ? * mon-fri', '0 10 5 * * 1-5'],
];
/** A day before a change of the clock, and one in between. */
const zones: [string, string][] = [
  ['Europe/Berlin', '2026-03-28T00:00:00Z'],
  ['Europe/Berlin', '2026-10-24T00:00:00Z'],
  ['America/New_York', '2026-03-07T00:00:00Z'],
  ['America/New_York', '2026-10-31T00:00:00Z'],
  ['Asia/Kolkata', '2026-01-15T10:00:00Z'],
  ['Australia/Sydney', '2026-04-03T00:00:00Z'],
  ['Australia/Sydney', '2026-10-02T00:00:00Z'],
  // Within the hour before the change.
  ['Europe/Berlin', '2026-03-29T00:40:00Z'],
  ['America/New_York', '2026-03-08T06:40:00Z'],
  ['Australia/Sydney', '2026-10-03T15:40:00Z'],
  ['Europe/Berlin', '2026-10-25T00:20:00Z'],
  ['America/Sao_Paulo', '2026-06-30T00:00:00Z'],
];

/** `3/20` is written `3-59/20` for croner. */
const largest = [59, 59, 23, 31, 12, 6];
const steps = (text: string) =>
  text
    .split(' ')
    .map((field, place) => field.replace(/^(\d+)\//, `$1-${largest[place]}/`))
    .join(' ');

describe(`${shared.length} expressions run when another implementation says`, () => {
  test.each(zones)('in %s after %s', (zone, after) => {
    const wrong = shared.flatMap(([ours, theirs]) => {
      const expected = new Croner(steps(theirs), { timezone: zone, paused: true })
        .nextRuns(6, new Date(after))
        .map((run) => run.toISOString().replace('.000Z', 'Z'));
      const found = next(ours, zone, after, 6);
      return JSON.stringify(found) === JSON.stringify(expected) ? [] : [{ ours, expected, found }];
    });
    expect(wrong).toEqual([]);
  });
});

describe('what cannot be read is refused with a reason', () => {
  test.each([
    ['', /seven fields/],
    ['* * *', /seven fields/],
    ['0 0 0 1 1 1 2027', 'Support for both day fields is not available, use ? in one of them.'],
    ['0 0 0 ? * ? *', /must not be \?/],
    ['60 * * * * ? *', /Seconds/],
    ['0 0 24 * * ? *', /Hours/],
    ['0 0 0 32 * ? *', /Day of month/],
    ['0 0 0 0 * ? *', /Day of month/],
    ['0 0 0 ? * 8 *', /Day of week/],
    ['0 0 0 ? * FOO *', /Day of week/],
    ['0 0 0 1 13 ? *', /Month/],
    ['0 0 0 1 * ? 1969', /Year/],
    ['0 0/0 * * * ? *', /step/],
    ['0 1-2-3 * * * ? *', /Minutes/],
    ['0 , * * * ? *', /Minutes/],
    ['0 0 0 1,15W * ? *', /W stand/],
    ['0 0 0 ? * 6#3,2#1 *', /#/],
    ['0 0 0 ? * 6#6 *', /1 to 5/],
    ['0 0 0 L-31 * ? *', /30/],
    ["0 0 0 1 * ? *'; drop table x", /seven fields/],
  ])('%s', (text, message) => {
    expect(() => parseCron(text)).toThrow(CronFault);
    expect(() => parseCron(text)).toThrow(message);
  });

  test('days that never come have no next run', () => {
    expect(next('0 0 0 31 2 ? *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual([]);
    expect(next('0 0 0 1 1 ? 2020', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual([]);
  });
});

describe('sentences', () => {
  test.each([
    ['0 0 00 1/1 * ?*', 'At 00:00, every day (UTC).'],
    ['0 0/5 * * * ? *', 'Every 5 minutes, every day (UTC).'],
    ['0 0 0/6 1/1 * ? *', 'At 00:00, 06:00, 12:00 and 18:00, every day (UTC).'],
    ['0 0 0/2 1/1 * ? *', 'Every 2 hours at minute 0, every day (UTC).'],
    ['0 30 8 ? * MON-FRI *', 'At 08:30, Monday to Friday (UTC).'],
    ['0 0 9 LW * ? *', 'At 09:00, on the last weekday of the month (UTC).'],
    ['0 0 9 L-3 * ? *', 'At 09:00, on the 3rd day before the last of the month (UTC).'],
    ['0 0 9 ? * 6#3 *', 'At 09:00, on the 3rd Friday of the month (UTC).'],
    ['0 15 10 1 1 ? 2027', 'At 10:15, on the 1st of the month, in January, in 2027 (UTC).'],
    ['0 0 9 1/3 * ? *', 'At 09:00, every 3 days from the 1st of the month (UTC).'],
    ['* * * * * ? *', 'Every second, every day (UTC).'],
  ])('%s: %s', (text, sentence) => {
    expect(cronSentence(parseCron(text), 'UTC')).toBe(sentence);
  });
});
