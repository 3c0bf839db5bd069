import { expect, test } from 'vitest';
import { AskTogether } from './ask-together.ts';

const doubled = () => {
  const asked: number[][] = [];
  const together = new AskTogether<number, number>(async (numbers) => {
    asked.push(numbers);
    await new Promise((resolve) => setImmediate(resolve));
    if (numbers.includes(13)) throw new Error('13');
    return numbers.map((number) => number * 2);
  }, 100);
  return { asked, together };
};

test('questions of one moment are asked together, each gets its own answer, and what comes meanwhile is the next lot', async () => {
  const { asked, together } = doubled();
  const first = Array.from({ length: 250 }, (_, n) => together.ask(n + 100));
  const later = first[0]?.then(() => together.ask(5));
  expect(await Promise.all(first)).toEqual(Array.from({ length: 250 }, (_, n) => 2 * (n + 100)));
  expect(await later).toBe(10);
  expect(asked.map(({ length }) => length)).toEqual([100, 100, 51]);
});

test('a failure reaches the callers that shared the request, and no later ones', async () => {
  const { together } = doubled();
  const some = await Promise.allSettled([together.ask(12), together.ask(13)]);
  expect(some.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await together.ask(14)).toBe(28);
});
