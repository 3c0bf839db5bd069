import { expect, test } from 'vitest';
import { CoalescedTask } from './coalesced-task.ts';

test('requests of one turn are one round, a request during a round is another', async () => {
  let count = 0;
  const rounds = new CoalescedTask(async () => {
    if (++count === 1) rounds.request();
    await Promise.resolve();
  });
  rounds.request();
  rounds.request();
  await rounds.settled();
  expect(count).toBe(2);
});

test('a request at any moment around the end of a round is served', async () => {
  for (let turns = 0; turns < 20; turns++) {
    let count = 0;
    const rounds = new CoalescedTask(async () => void count++);
    rounds.request();
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const before = count;
    rounds.request();
    await rounds.settled();
    expect(count, `after ${turns} turns`).toBeGreaterThan(before);
  }
});
