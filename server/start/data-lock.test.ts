import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isBeingLeft, lockDataFolder } from './data-lock.ts';
import { findStartTime } from './process-identity.ts';
import { temporaryFolder, unusedPid } from './testing.ts';

function sleeper(): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child as ChildProcess & { pid: number };
}

describe('data lock', () => {
  test('is held by one, given back, and taken again', async () => {
    const folder = join(await temporaryFolder(), 'new', 'data');
    const lock = await lockDataFolder(folder);
    await expect(lockDataFolder(folder)).rejects.toThrow(
      `The data folder ${folder} is in use by process ${process.pid}. Stop it first, or set TELLTALE_DATA to another folder.`,
    );
    await lock.release();
    await expect(stat(join(folder, 'telltale.pid'))).rejects.toThrow('ENOENT');
    await (await lockDataFolder(folder)).release();
  });

  test('held by another live process is refused', async () => {
    const folder = await temporaryFolder();
    const { pid } = sleeper();
    await writeFile(join(folder, 'telltale.pid'), `${pid}\n${await findStartTime(pid)}\n`);
    await expect(lockDataFolder(folder)).rejects.toThrow(`in use by process ${pid}`);
    expect(await isBeingLeft(folder)).toBe(false);
  });

  test('of a parent that is stopping is waited for', async () => {
    const folder = await temporaryFolder();
    const first = await lockDataFolder(folder);
    expect(await isBeingLeft(folder)).toBe(false);
    await first.markStopping();
    expect(await isBeingLeft(folder)).toBe(true);
    const second = lockDataFolder(folder);
    setTimeout(() => void first.release(), 200);
    await (await second).release();
  });

  test.each(['dead', 'reused', 'damaged', 'empty'])('left in a %s state does not keep the folder closed', async (state) => {
    const folder = await temporaryFolder();
    const text = { dead: `${unusedPid()}\n12345\n`, reused: `${sleeper().pid}\n1\n`, damaged: 'what?', empty: '' }[state] ?? '';
    await writeFile(join(folder, 'telltale.pid'), text);
    expect(await isBeingLeft(folder)).toBe(true);
    const lock = await lockDataFolder(folder);
    expect(await readFile(join(folder, 'telltale.pid'), 'utf8')).toMatch(`${process.pid}\n`);
    await lock.release();
  });

  test('goes to exactly one of many that find the same stale file', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'telltale.pid'), `${unusedPid()}\n12345\n`);
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataFolder(folder)));
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  });
});
