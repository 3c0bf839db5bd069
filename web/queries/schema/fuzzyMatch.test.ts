import { expect, test } from 'vitest';
import { fuzzyMatch, marksIn } from './fuzzyMatch.ts';

test.each([
  ['device_id', 'ice', [[3, 6]]],
  [
    'device_id',
    'DEVID',
    [
      [0, 4],
      [8, 9],
    ],
  ],
  [
    'app.device',
    'dvc',
    [
      [4, 5],
      [6, 7],
      [8, 9],
    ],
  ],
  ['device_id', 'vid', null],
  ['device_id', 'idd', null],
  ['device_id', '', null],
])('complaint 11: in %s, %s is found at %j', (name, word, spans) => {
  expect(fuzzyMatch(name, word)).toEqual(spans);
});

test('a letter that changes its length in lower case is left alone', () => {
  expect(fuzzyMatch('İd_x', 'id')).toBeNull();
});

test('what several words found is marked once', () => {
  expect(marksIn('device_id', ['dev', 'vice', 'id'])).toEqual([
    [0, 6],
    [7, 9],
  ]);
  expect(marksIn('time', ['dev'])).toEqual([]);
});
