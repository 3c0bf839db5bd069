import { expect, test } from 'vitest';
import { isSelectionUsed, savedValuesToSend, textValuesToSend } from './runRequest.ts';

const clock = { now: new Date('2026-11-15T05:00:00Z'), timeZone: 'UTC' };
const range = { name: 'r', type: 'datetime-range' };

test('Q4: dynamic dates are resolved when the query runs', () => {
  const day = { name: 'd', type: 'date' };
  expect(textValuesToSend([range, day], { r: 'd_today', d: 'd_yesterday' }, clock)).toEqual({
    r: { start: '2026-11-15 00:00', end: '2026-11-15 23:59' },
    d: '2026-11-14',
  });
});

test('dynamic dates of a saved query are sent by name, with the zone in which the server resolves them', () => {
  const sent = savedValuesToSend([range], { r: 'd_today' }, 'Europe/Berlin');
  expect(sent).toEqual({ parameters: { r: 'd_today' }, time_zone: 'Europe/Berlin' });
});

test('what has no value is not sent, and text that looks like a dynamic date stays text', () => {
  const parameters = [{ name: 'a' }, { name: 'b' }];
  const values = { a: null, b: 'd_today' };
  expect(textValuesToSend(parameters, values, clock)).toEqual({ b: 'd_today' });
  expect(savedValuesToSend(parameters, values, 'UTC')).toEqual({ parameters: { b: 'd_today' }, time_zone: 'UTC' });
});

test('Q5: one selected character is not meant', () => {
  expect(['', 'a', 'ab'].map(isSelectionUsed)).toEqual([false, false, true]);
});
