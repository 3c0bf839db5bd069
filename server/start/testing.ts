import { chmod, rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { makeDataFolder } from '../testing/data-folder.ts';
import { isAlive } from './process-identity.ts';

/** A folder of this test alone, open to the user that PostgreSQL runs as when the tests run as root. */
export async function temporaryFolder(mode = 0o755): Promise<string> {
  const folder = await makeDataFolder('start');
  await chmod(folder, mode);
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A pid without a process. */
export function unusedPid(): number {
  for (let pid = 4_000_000; ; pid--) if (!isAlive(pid)) return pid;
}
