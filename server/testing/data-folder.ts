import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeAbandoned } from '../platform/abandoned-folders.ts';

/** A file system in memory, which Linux has. */
const memory = '/dev/shm';
/** Several times what all tests that run at once keep. */
const plenty = 8 * 1024 ** 3;
let place: Promise<string> | undefined;

/**
 * Creates an empty folder for data that no test wants back after the machine was switched off. It lies in memory where there is plenty:
 * copying the 900 files of a database takes a tenth of the processor time there.
 */
export async function makeDataFolder(name: string): Promise<string> {
  place ??= findPlace();
  return mkdtemp(join(await place, `telltale-${name}-${process.pid}-`));
}

async function findPlace(): Promise<string> {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  if (Math.min(free, freemem()) < plenty || !(await runsPrograms(memory))) return tmpdir();
  await removeAbandoned(memory, /^telltale-.*?-(\d+)-/).catch(() => {});
  return memory;
}

/** PostgreSQL is copied beside its data where its user cannot read the package; some systems run no programs that lie in memory. */
async function runsPrograms(folder: string): Promise<boolean> {
  const program = join(folder, `telltale-program-${process.pid}-`);
  try {
    await writeFile(program, '#!/bin/sh\n', { mode: 0o700 });
    await promisify(execFile)(program);
    return true;
  } catch {
    return false;
  } finally {
    await rm(program, { force: true });
  }
}
