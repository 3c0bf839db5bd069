import { expect, test } from 'vitest';
import { Lanes } from './lanes.ts';

test('a lane has so many places, and other lanes have their own', () => {
  const lanes = new Lanes();
  expect([lanes.enter('a', 2), lanes.enter('a', 2), lanes.enter('a', 2)]).toEqual([true, true, false]);
  expect(lanes.enter('b', 2)).toBe(true);
  expect(lanes.full).toEqual(['a']);
  lanes.leave('a');
  expect(lanes.full).toEqual([]);
  expect(lanes.enter('a', 2)).toBe(true);
});

test('whoever waits is told in order, one for each place that becomes free', () => {
  const lanes = new Lanes();
  const told: string[] = [];
  for (let i = 0; i < 2; i++) lanes.enter('a', 2);
  for (const name of ['first', 'second', 'third']) lanes.whenFree('a', () => void told.push(name));
  lanes.leave('a');
  expect(told).toEqual(['first']);
  lanes.leave('a');
  expect(told).toEqual(['first', 'second']);
});

test('one that is told and finds nothing to do passes the place on', () => {
  const lanes = new Lanes();
  const told: number[] = [];
  lanes.enter('a', 1);
  const visit = (i: number) => () => {
    told.push(i);
    lanes.enter('a', 1);
    lanes.leave('a');
  };
  for (let i = 0; i < 500; i++) lanes.whenFree('a', visit(i));
  lanes.leave('a');
  expect(told).toHaveLength(500);
  expect(lanes.full).toEqual([]);
});
