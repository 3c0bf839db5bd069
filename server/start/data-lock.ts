import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFileOnce, hasCode, replaceFile } from './atomic-file.ts';
import { findStartTime } from './process-identity.ts';
import { StartError } from './start-error.ts';

export interface DataLock {
  /** Tells a start that comes meanwhile to wait for us. */
  markStopping(): Promise<void>;
  release(): Promise<void>;
}

interface Holder {
  pid: number;
  isStopping: boolean;
}

/** Longer than any orderly stop. */
const stopPatienceMs = 30_000;

/**
 * One parent for each data folder. The file names the holder by pid and start time, so that neither a file left by a
 * killed parent nor a pid that belongs to another program by now keeps the folder closed.
 */
export async function lockDataFolder(folder: string): Promise<DataLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = lockFile(folder);
  const mine = `${process.pid}\n${await findStartTime(process.pid)}\n`;
  const deadline = performance.now() + stopPatienceMs;
  while (!(await createFileOnce(file, mine))) {
    const theirs = await readFile(file, 'utf8').catch(() => '');
    const holder = await findHolder(theirs);
    if (holder && (!holder.isStopping || performance.now() > deadline)) {
      throw new StartError(
        `The data folder ${folder} is in use by process ${holder.pid}. Stop it first, or set TELLTALE_DATA to another folder.`,
      );
    }
    if (holder) await sleep(50);
    else await removeStale(file, theirs);
  }
  return { markStopping: () => replaceFile(file, `${mine}${stopping}\n`), release: () => release(file, mine) };
}

/** The parent of this folder was killed or is stopping: its roles are on their way out and still hold their ports. */
export async function isBeingLeft(folder: string): Promise<boolean> {
  const left = await readFile(lockFile(folder), 'utf8').catch(() => undefined);
  if (left === undefined) return false;
  return (await findHolder(left))?.isStopping ?? true;
}

async function findHolder(text: string): Promise<Holder | undefined> {
  const [pid, started, state] = text.split('\n');
  if (!pid || !started || (await findStartTime(Number(pid))) !== started) return undefined;
  return { pid: Number(pid), isStopping: state === stopping };
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
  if ((await readFile(file, 'utf8').catch(() => '')).startsWith(mine)) await rm(file, { force: true });
}

const stopping = 'stopping';
const lockFile = (folder: string) => join(folder, 'telltale.pid');
