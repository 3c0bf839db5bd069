import { expect, test } from 'vitest';
import { isSelectionUsed, valuesToSend } from './runRequest.ts';

const clock = { now: new Date('2026-11-15T05:00:00Z'), timeZone: 'UTC' };
const range = { name: 'r', type: 'datetime-range' };

test('Q4: dynamic dates are resolved when the query runs', () => {
  const day = { name: 'd', type: 'date' };
  expect(valuesToSend([range, day], { r: 'd_today', d: 'd_yesterday' }, clock, false)).toEqual({
    r: { start: '2026-11-15 00:00', end: '2026-11-15 23:59' },
    d: '2026-11-14',
  });
});

test('the server may resolve them where its day is the viewer’s', () => {
  expect(valuesToSend([range], { r: 'd_today' }, clock, true)).toEqual({ r: 'd_today' });
});

test('what has no value is not sent, and text that looks like a dynamic date stays text', () => {
  expect(valuesToSend([{ name: 'a' }, { name: 'b' }], { a: null, b: 'd_today' }, clock, false)).toEqual({ b: 'd_today' });
});

test('Q5: one selected character is not meant', () => {
  expect(['', 'a', 'ab'].map(isSelectionUsed)).toEqual([false, false, true]);
});
