import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

/** Removes folders that killed processes have left; the first group of `name` is the id of the process that made the folder. */
export async function removeAbandoned(parent: string, name: RegExp): Promise<void> {
  for (const entry of await readdir(parent)) {
    const pid = name.exec(entry)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(parent, entry), { recursive: true, force: true }).catch(() => {});
  }
}
