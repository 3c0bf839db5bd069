import { expect, test } from 'vitest';
import { fitLabels, middleCut } from './axis-labels.ts';

test.each([
  ['sensor', 6, 'sensor'],
  ['cold-store-north-01', 11, 'cold-…th-01'],
  ['cold-store-north-02', 11, 'cold-…th-02'],
  ['Kühlhaus 🧊 Süd', 8, 'Kühl…Süd'],
  ['abc', 2, 'ab'],
  ['abc', 0, 'a'],
])('%s in %i letters is %s', (text, most, expected) => {
  expect(middleCut(text, most)).toBe(expected);
});

const names = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${text}-${at + 10}`);

test.each([
  ['few short labels lie flat as they are', names(5, 'm'), 600, { most: 4, tilt: 0 }],
  ['long ones are shortened while they can be told apart', names(5, 'warehouse-north-cold-store'), 600, { most: 16, tilt: 0 }],
  ['many are tilted', names(30, 'warehouse-north'), 600, { most: 18, tilt: 40 }],
  ['those that would look alike are tilted', ['north-a1-station-room', 'north-a2-station-room'], 170, { most: 21, tilt: 40 }],
] as const)('%s', (_, labels, width, expected) => {
  expect(fitLabels(labels, width, 400)).toEqual(expected);
});

test('no label takes no room', () => {
  expect(fitLabels([], 0, 0)).toEqual({ most: 0, tilt: 0 });
});
