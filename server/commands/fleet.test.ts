import { expect, test } from 'vitest';
import { runCommandFleet } from '../testing/command-fleet.ts';

test('iot-behaviour 3.4: with loss, repetitions, disorder, kill -9 and a database that is away every delivery ends in one state, and none is believed that is not true', async () => {
  const seen = await runCommandFleet({ devices: 20, commands: 3, loss: 0.3, kills: 2, timeoutMs: 120_000 });
  expect(seen).toMatchObject({ kills: 2, open: 0, falselySeen: 0, sent: 60 });
  expect(seen.mostAttempts).toBeLessThanOrEqual(seen.allowedAttempts);
  expect(Object.keys(seen.states).filter((state) => state !== 'succeeded' && state !== 'failed')).toEqual([]);
  expect(seen.states.succeeded).toBeGreaterThan(45);
});
