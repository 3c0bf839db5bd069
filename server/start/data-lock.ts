import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFileOnce, replaceFile } from './atomic-file.ts';
import { findStartTime } from './process-identity.ts';
import { StartError } from './start-error.ts';

export interface DataLock {
  /** Makes a concurrent start wait for us. */
  markStopping(): Promise<void>;
  release(): Promise<void>;
}

interface Holder {
  pid: number;
  isStopping: boolean;
}

/** Longer than any orderly stop. */
const stopTimeoutMs = 30_000;

/**
 * Allows one parent for each data folder. The file names the holder by pid and start time, so that neither a file left by a killed parent
 * nor a pid that belongs to another program by now keeps the folder locked.
 */
export async function lockDataFolder(folder: string): Promise<DataLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = lockFile(folder);
  const mine = `${process.pid}\n${await findStartTime(process.pid)}\n`;
  const deadline = performance.now() + stopTimeoutMs;
  while (!(await createFileOnce(file, mine, passing))) {
    const theirs = await read(file);
    if (theirs === undefined) continue; // released meanwhile
    const holder = await findHolder(theirs);
    if (holder && (!holder.isStopping || performance.now() > deadline)) {
      throw new StartError(
        `The data folder ${folder} is in use by process ${holder.pid}. Stop it first, or set TELLTALE_DATA to another folder.`,
      );
    }
    if (holder) await sleep(50);
    else await removeStale(file, theirs, mine);
  }
  return { markStopping: () => replaceFile(file, `${mine}${stopping}\n`, passing), release: () => release(file, mine) };
}

/** Whether the parent of this folder was killed or is stopping: its roles are ending and still hold their ports. */
export async function isBeingLeft(folder: string): Promise<boolean> {
  const left = await read(lockFile(folder));
  if (left === undefined) return false;
  return (await findHolder(left))?.isStopping ?? true;
}

async function findHolder(text: string): Promise<Holder | undefined> {
  const [pid, started, state] = text.split('\n');
  if (!pid || !started || (await findStartTime(Number(pid))) !== started) return undefined;
  return { pid: Number(pid), isStopping: state === stopping };
}

/**
 * Two starts may find the same stale file, and the slower one must not remove the lock that the faster one has made since: only the holder
 * of the right to remove this very text removes it, after another look.
 */
async function removeStale(file: string, stale: string, mine: string): Promise<void> {
  const right = `${file}.${createHash('sha256').update(stale).digest('hex').slice(0, 12)}.tmp`;
  if (!(await createFileOnce(right, mine, passing))) {
    const isHeld = await findHolder((await read(right)) ?? mine);
    if (isHeld) await sleep(20);
    else await rm(right, { force: true }); // its holder was killed at exactly this point
    return;
  }
  try {
    if ((await read(file)) === stale) await rm(file, { force: true });
  } finally {
    await rm(right, { force: true });
  }
}

async function release(file: string, mine: string): Promise<void> {
  if ((await read(file))?.startsWith(mine)) await rm(file, { force: true });
}

const stopping = 'stopping';
const passing = { durable: false };
const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);
const lockFile = (folder: string) => join(folder, 'telltale.pid');
