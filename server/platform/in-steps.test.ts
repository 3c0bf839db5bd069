import { setImmediate } from 'node:timers/promises';
import { substituting } from '@telltale/domain/parameters/substitute.ts';
import { applyingAutoLimit } from '@telltale/domain/sql/auto-limit.ts';
import type { Steps } from '@telltale/domain/steps.ts';
import { expect, test } from 'vitest';
import { inSteps } from './in-steps.ts';

const long = `select {{a}}, ${'1,'.repeat(300_000)}1`;
const options = { now: new Date(0), timeZone: 'UTC', undeclared: 'text', dropdowns: 'unchecked' } as const;

/** The number of turns that other work had before it was done. */
async function turnsWhile<T>(work: Promise<T>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let turns = 0;
  while (!isDone) {
    await setImmediate();
    turns++;
  }
  await done;
  return turns;
}

test('security 32: others have their turns while a long text is bound or limited', async () => {
  const binding = inSteps(long.length, () => substituting(long, 'postgres', [], { a: 7 }, options));
  expect(await turnsWhile(binding)).toBeGreaterThan(5);
  const limiting = inSteps(long.length, () => applyingAutoLimit(long.replace('{{a}}', '7'), 'postgres'));
  expect(await turnsWhile(limiting)).toBeGreaterThan(3);
});

test('security 32: long texts wait for each other, short ones for nobody, and a failure holds up nobody', async () => {
  const order: string[] = [];
  function* noted(name: string, count: number): Steps<void> {
    order.push(`${name} begins`);
    const until = performance.now() + count;
    while (performance.now() < until) yield;
    order.push(`${name} ends`);
    if (name === 'first') throw new Error('no text');
  }
  const all = [
    inSteps(1_000_000, () => noted('first', 60)).catch(() => {}),
    inSteps(1_000_000, () => noted('second', 0)),
    inSteps(10, () => noted('short', 0)),
  ];
  await Promise.all(all);
  expect(order).toEqual(['short begins', 'short ends', 'first begins', 'first ends', 'second begins', 'second ends']);
});
