import { ConfigError } from '../config.ts';
import type { RoleName } from '../platform/role.ts';
import { hasCode } from './atomic-file.ts';
import { onOrphanedByNpm } from './orphaned.ts';
import { keepRole } from './role-keeper.ts';
import { type Begun, startAll } from './start-all.ts';
import { StartError } from './start-error.ts';

const rolePatienceMs = 15_000;
/** npm passes on a Ctrl-C that the terminal has sent us already: two signals this close are one. */
const sameSignalMs = 1000;

/** Starts everything in order, watches over it, and stops it in the opposite order: roles first, PostgreSQL last. */
export async function runParent(names: RoleName[]): Promise<void> {
  const quit = new AbortController();
  const begun: Begun = { roles: names.map(keepRole), quit: quit.signal }; // at once: they load their modules meanwhile
  let stoppingSince = 0;

  async function stop(exitCode: number): Promise<void> {
    if (quit.signal.aborted) return;
    quit.abort();
    stoppingSince = performance.now();
    await undo(begun);
    process.exit(exitCode);
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!quit.signal.aborted) void stop(0);
      else if (performance.now() - stoppingSince > sameSignalMs) for (const role of begun.roles) role.kill();
    });
  }
  onOrphanedByNpm(() => void stop(0));
  process.on('uncaughtException', (error) => {
    begun.log?.fatal({ err: error }, 'the parent cannot go on');
    void stop(1);
  });

  try {
    await startAll(begun);
  } catch (error) {
    if (quit.signal.aborted) return; // what was being started is being stopped: no wonder
    console.error(isForTheReader(error) ? error.message : error);
    for (const role of begun.roles) role.kill();
    await stop(1);
  }
}

/** Settings, and folders or disks that cannot be used, are the reader's business; anything else is ours and needs its stack. */
function isForTheReader(error: unknown): error is Error {
  return error instanceof StartError || error instanceof ConfigError || hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR');
}

async function undo(begun: Begun): Promise<void> {
  try {
    await begun.lock?.markStopping();
    await Promise.all(begun.roles.map((role) => role.stop(rolePatienceMs)));
    const server = await begun.postgres?.catch(() => undefined); // one that is still starting is waited for, or it would be left behind
    await server?.stop();
    await begun.lock?.release();
  } catch (error) {
    begun.log?.error({ err: error }, 'the stop was not clean');
  }
}
