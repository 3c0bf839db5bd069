import { expect, test } from 'vitest';
import { firstSourceOf } from './newQueryTemplate.ts';

test('Q2: a new query asks the source chosen last, else IoT data, for which there is a template, else the first', () => {
  const [archive, iot] = [
    { id: 4, type: 'pg' },
    { id: 1, type: 'telltale' },
  ];
  expect(firstSourceOf([archive, iot], 4)).toBe(archive);
  expect(firstSourceOf([archive, iot], 0)).toBe(iot);
  expect(firstSourceOf([archive], 0)).toBe(archive);
  expect(firstSourceOf([], 0)).toBeUndefined();
});
