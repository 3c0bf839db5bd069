import { expect, test } from 'vitest';
import { bytesText, durationText, timerText } from './durationText.ts';

test('complaint 8: runtimes are exact enough to be compared', () => {
  expect([0.0204, 0.5, 1.24, 12, 59.97, 90, 3600, 7500].map(durationText)).toEqual([
    '0.02 s',
    '0.5 s',
    '1.2 s',
    '12 s',
    '1 min',
    '1 min 30 s',
    '1 h',
    '2 h 5 min',
  ]);
  expect([null, undefined, Number.NaN].map(durationText)).toEqual(['-', '-', '-']);
  expect([0, 0.003].map(durationText)).toEqual(['0 s', '< 0.01 s']);
});

test('the timer of a run', () => {
  expect([0, 999, 61_000, 3_661_000].map(timerText)).toEqual(['00:00', '00:00', '01:01', '01:01:01']);
});

test('Q9: bytes in steps of 1024', () => {
  expect([0, 1023, 1024, 1536, 5 * 1024 ** 5, 5000 * 1024 ** 5].map(bytesText)).toEqual([
    '0 bytes',
    '1023 bytes',
    '1 KB',
    '1.5 KB',
    '5 PB',
    '5000 PB',
  ]);
});
