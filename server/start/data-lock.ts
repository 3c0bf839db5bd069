import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileOnce, hasCode } from './atomic-file.ts';
import { findStartTime } from './process-identity.ts';
import { StartError } from './start-error.ts';

export interface DataLock {
  release(): Promise<void>;
}

/**
 * One parent for each data folder. The file names the holder by pid and start time, so that neither a file left by a
 * killed parent nor a pid that belongs to another program by now keeps the folder closed.
 */
export async function lockDataFolder(folder: string): Promise<DataLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = lockFile(folder);
  const mine = `${process.pid} ${await findStartTime(process.pid)}\n`;
  for (let tries = 0; tries < 20; tries++) {
    if (await createFileOnce(file, mine)) return { release: () => release(file, mine) };
    const theirs = await readFile(file, 'utf8').catch(() => '');
    const holder = await findHolder(theirs);
    if (holder !== undefined) {
      throw new StartError(
        `The data folder ${folder} is in use by process ${holder}. Stop it first, or set TELLTALE_DATA to another folder.`,
      );
    }
    await removeStale(file, theirs);
  }
  throw new StartError(`The data folder ${folder} could not be locked: ${file} keeps coming back.`);
}

/** An earlier parent of this folder was killed; its roles may still be on their way out. */
export async function wasAbandoned(folder: string): Promise<boolean> {
  const left = await readFile(lockFile(folder), 'utf8').catch(() => undefined);
  return left !== undefined && (await findHolder(left)) === undefined;
}

async function findHolder(text: string): Promise<number | undefined> {
  const [pid, started] = text.trim().split(/\s+(.*)/s);
  return pid && started && (await findStartTime(Number(pid))) === started ? Number(pid) : undefined;
}

/** Two starts may find the same stale file: the slower one must not remove the lock that the faster one has made since. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await rename(file, aside);
    const moved = await readFile(aside, 'utf8');
    if (moved !== stale) await createFileOnce(file, moved);
    await rm(aside, { force: true });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

async function release(file: string, mine: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === mine) await rm(file, { force: true });
}

const lockFile = (folder: string) => join(folder, 'telltale.pid');
