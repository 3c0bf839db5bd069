import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { isAlive } from './is-alive.ts';

test('a process is alive until it has ended, also one that its parent has not collected', async () => {
  // The shell starts a child that ends at once, prints its id, and becomes a program that never reaps its children.
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
  expect([isAlive(pid), isAlive(parent.pid ?? 0), isAlive(process.pid)]).toEqual([true, true, true]);
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(isAlive(parent.pid ?? 0)).toBe(true);
  const ended = new Promise((resolve) => parent.once('exit', resolve));
  parent.kill('SIGKILL');
  await ended;
  expect(isAlive(parent.pid ?? 0)).toBe(false);
});

test('a group is alive as long as one of its processes is', async () => {
  const leader = spawn('sh', ['-c', 'sleep 60 & echo $!; exit 0'], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const group = -(leader.pid ?? 0);
  const left = Number(await new Promise((resolve) => leader.stdout.once('data', resolve)));
  await expect.poll(() => isAlive(-group)).toBe(false);
  expect(isAlive(group)).toBe(true);
  process.kill(left, 'SIGKILL');
});
