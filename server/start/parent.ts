import { ConfigError } from '../config.ts';
import type { RoleName } from '../platform/role.ts';
import { hasCode } from './atomic-file.ts';
import { onOrphanedByNpm } from './orphaned.ts';
import { keepRole } from './role-keeper.ts';
import { type Begun, startAll } from './start-all.ts';
import { StartError } from './start-error.ts';

const roleStopTimeoutMs = 15_000;
/** npm forwards a Ctrl-C that the terminal has sent us already: two signals this close count as one. */
const sameSignalMs = 1000;

/** Starts everything in order, watches it, and stops it in the opposite order: roles first, PostgreSQL last. */
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
    if (quit.signal.aborted) return; // the start failed because it is being undone
    console.error(isForTheReader(error) ? error.message : error);
    for (const role of begun.roles) role.kill();
    await stop(1);
  }
}

/** Faults of settings, folders and disks are shown as a message; any other fault is a bug and needs its stack. */
function isForTheReader(error: unknown): error is Error {
  return error instanceof StartError || error instanceof ConfigError || hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR');
}

async function undo(begun: Begun): Promise<void> {
  try {
    await begun.lock?.markStopping();
    await begun.bundling;
    await Promise.all(begun.roles.map((role) => role.stop(roleStopTimeoutMs)));
    // A server that is still starting is waited for, or it would be left behind
    const server = await begun.postgres?.catch(() => undefined);
    await server?.stop();
    await begun.lock?.release();
  } catch (error) {
    begun.log?.error({ err: error }, 'the stop was not clean');
  }
}
