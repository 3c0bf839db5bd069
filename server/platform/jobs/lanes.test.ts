import { expect, test } from 'vitest';
import { Lanes } from './lanes.ts';

test('a lane has so many slots, and other lanes have their own', () => {
  const lanes = new Lanes();
  expect([lanes.enter(['a/2']), lanes.enter(['a/2']), lanes.enter(['a/2'])]).toEqual([true, true, false]);
  expect(lanes.enter(['b/2'])).toBe(true);
  expect(lanes.full).toEqual(['a/2']);
  lanes.leave(['a/2']);
  expect(lanes.full).toEqual([]);
  expect(lanes.enter(['a/2'])).toBe(true);
});

test('waiting jobs are notified in order, one for each free slot', () => {
  const lanes = new Lanes();
  const told: string[] = [];
  for (let i = 0; i < 2; i++) lanes.enter(['a/2']);
  for (const name of ['first', 'second', 'third']) lanes.waits(['a/2'], () => void (lanes.enter(['a/2']) && told.push(name)));
  lanes.leave(['a/2']);
  expect(told).toEqual(['first']);
  lanes.leave(['a/2']);
  expect(told).toEqual(['first', 'second']);
});

test('a notified job without work passes its slot on', () => {
  const lanes = new Lanes();
  const told: number[] = [];
  lanes.enter(['a/1']);
  const visit = (i: number) => () => {
    told.push(i);
    lanes.enter(['a/1']);
    lanes.leave(['a/1']);
  };
  for (let i = 0; i < 500; i++) lanes.waits(['a/1'], visit(i));
  lanes.leave(['a/1']);
  expect(told).toHaveLength(500);
  expect(lanes.full).toEqual([]);
});

test('a notified job that does not enter does not block those behind it', () => {
  const lanes = new Lanes();
  const told: string[] = [];
  lanes.enter(['a/1']);
  lanes.waits(['a/1'], () => void told.push('left alone'));
  lanes.waits(['a/1'], () => void (lanes.enter(['a/1']) && told.push('entered')));
  lanes.waits(['a/1'], () => void told.push('too early'));
  lanes.leave(['a/1']);
  expect([told, lanes.full]).toEqual([['left alone', 'entered'], ['a/1']]);
});

test('a part of a job waits for its slot, in turn, and gives it back whatever happens', async () => {
  const lanes = new Lanes();
  const { signal } = new AbortController();
  const order: string[] = [];
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const runs = [
    lanes.through('a/1', signal, () => first.promise),
    lanes.through('a/1', signal, async () => {
      order.push('second');
      await second.promise;
      throw new Error('failed');
    }),
    lanes.through('a/1', signal, async () => void order.push('third')),
  ];
  expect([lanes.isFull('a/1'), order]).toEqual([true, []]);
  first.resolve();
  await runs[0];
  second.resolve();
  expect(await Promise.allSettled(runs)).toMatchObject([{ status: 'fulfilled' }, { reason: new Error('failed') }, { status: 'fulfilled' }]);
  expect([lanes.full, order]).toEqual([[], ['second', 'third']]);
});

test('a job that stops waiting takes no slot from those behind', async () => {
  const lanes = new Lanes();
  const [kept, left] = [new AbortController(), new AbortController()];
  lanes.enter(['a/1']);
  const stopped = lanes.through('a/1', left.signal, async () => 'never');
  const next = lanes.through('a/1', kept.signal, async () => 'next');
  left.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  await expect(lanes.through('a/1', left.signal, async () => 'never')).rejects.toThrow('stopped');
  lanes.leave(['a/1']);
  expect(await next).toBe('next');
  expect(lanes.full).toEqual([]);
});

test('a job is in all of its lanes or in none, and waits for the one that is full', () => {
  const lanes = new Lanes();
  const told: string[] = [];
  const go = (who: string, in_: string[]) => () => {
    if (!lanes.waits(in_, go(who, in_)) && lanes.enter(in_)) told.push(who);
  };
  const [ann, bob] = [
    ['source/3', 'ann/2'],
    ['source/3', 'bob/2'],
  ];
  for (const who of ['ann 1', 'ann 2', 'ann 3', 'ann 4']) go(who, ann)();
  go('bob 1', bob)();
  go('bob 2', bob)();
  expect(told).toEqual(['ann 1', 'ann 2', 'bob 1']);
  lanes.leave(ann);
  expect(told.slice(3)).toEqual(['bob 2']);
  lanes.leave(bob);
  expect(told.slice(4)).toEqual(['ann 3']);
  for (const left of [ann, ann, bob]) lanes.leave(left);
  expect([told.slice(5), lanes.full]).toEqual([['ann 4'], []]);
});
