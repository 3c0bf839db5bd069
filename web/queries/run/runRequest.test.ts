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

test('those of a saved query are the server’s to resolve, who is told whose day is meant where that is not its own', () => {
  const sent = (organizationZone: string) => savedValuesToSend([range], { r: 'd_today' }, 'Europe/Berlin', organizationZone);
  expect(sent('Europe/Berlin')).toEqual({ parameters: { r: 'd_today' } });
  expect(sent('UTC')).toEqual({ parameters: { r: 'd_today' }, time_zone: 'Europe/Berlin' });
});

test('what has no value is not sent, and text that looks like a dynamic date stays text', () => {
  const parameters = [{ name: 'a' }, { name: 'b' }];
  const values = { a: null, b: 'd_today' };
  expect(textValuesToSend(parameters, values, clock)).toEqual({ b: 'd_today' });
  expect(savedValuesToSend(parameters, values, 'UTC', 'UTC')).toEqual({ parameters: { b: 'd_today' } });
});

test('Q5: one selected character is not meant', () => {
  expect(['', 'a', 'ab'].map(isSelectionUsed)).toEqual([false, false, true]);
});
