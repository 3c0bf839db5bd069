import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startExecutors } from '../connectors/testing/executors.ts';
import { targetDatabase } from '../testing/target-database.ts';

const target = await targetDatabase();
const source = { type: 'pg', options: target.options };
const sqlite = { type: 'sqlite', options: { dbpath: 'x.sqlite' } };
const notStarted = 'The server could not start a process for this. Please try again in a moment.';

const node = process.execPath;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-pool-'));
});
afterEach(() => {
  process.execPath = node;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a process that cannot be started', () => {
  test('fails its task with a reason, those behind it are not held up, and one that can be started runs them', async () => {
    process.execPath = join(folder, 'nothing');
    const executors = startExecutors();
    try {
      await expect(executors.run(source, 'select 1 as a')).rejects.toThrow(notStarted);
      const second = executors.run(source, 'select 2 as a');
      await expect(second).rejects.toThrow(notStarted);
      const waiting = executors.run(source, 'select 3 as a');
      process.execPath = node;
      expect((await waiting).rows).toEqual([{ a: 3 }]);
    } finally {
      await executors.close();
    }
  });

  test('waiting for an executor can be aborted', async () => {
    process.execPath = join(folder, 'nothing');
    const executors = startExecutors();
    try {
      await expect(executors.run(source, 'select 1 as a')).rejects.toThrow(notStarted);
      await expect(executors.run(source, 'select 1 as a', { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
    } finally {
      await executors.close();
    }
  });

  test('the same behind the program that takes the network away from it', async () => {
    process.execPath = join(folder, 'nothing');
    const executors = startExecutors(folder);
    try {
      await expect(executors.run(sqlite, 'select 1 as a')).rejects.toThrow(notStarted);
    } finally {
      await executors.close();
    }
  });

  test('is not tried again and again: once a second', async () => {
    const starts = join(folder, 'starts');
    const broken = join(folder, 'broken-node');
    await writeFile(broken, `#!/bin/sh\necho started >> ${starts}\nexit 1\n`);
    await chmod(broken, 0o755);
    process.execPath = broken;
    const count = async () => (await readFile(starts, 'utf8').catch(() => '')).split('\n').length - 1;
    const startedAt = Date.now();
    const executors = startExecutors();
    await expect.poll(count).toBeGreaterThanOrEqual(3);
    expect(await count()).toBeLessThanOrEqual(1 + (Date.now() - startedAt) / 1000);
    await executors.close();
  });

  test('for want of files fails one query, not the worker, which goes on when there are some again', async () => {
    const script = fileURLToPath(new URL('./testing/scarce-files.ts', import.meta.url));
    const worker = ['-c', 'ulimit -n 100; exec "$0" "$@"', node, script, JSON.stringify(source)];
    const { stdout } = await promisify(execFile)('sh', worker);
    expect(JSON.parse(stdout)).toEqual([[{ a: 1 }], notStarted, [{ a: 1 }]]);
  });
});
