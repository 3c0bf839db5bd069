import { ConfigError } from '../config.ts';
import type { RoleName } from '../platform/role.ts';
import { keepRole } from './role-keeper.ts';
import { type Begun, startAll } from './start-all.ts';
import { StartError } from './start-error.ts';

const rolePatienceMs = 15_000;
/** npm passes on a Ctrl-C that the terminal has sent us already: two signals this close are one. */
const sameSignalMs = 1000;

/** Starts everything in order, watches over it, and stops it in the opposite order: roles first, PostgreSQL last. */
export async function runParent(names: RoleName[]): Promise<void> {
  const begun: Begun = { roles: names.map(keepRole) }; // at once: they load their modules meanwhile
  let stoppingSince: number | undefined;

  async function stop(exitCode: number): Promise<void> {
    stoppingSince = performance.now();
    await undo(begun);
    process.exit(exitCode);
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppingSince === undefined) void stop(0);
      else if (performance.now() - stoppingSince > sameSignalMs) for (const role of begun.roles) role.kill();
    });
  }
  process.on('uncaughtException', (error) => {
    begun.log?.fatal({ err: error }, 'the parent cannot go on');
    if (stoppingSince === undefined) void stop(1);
  });

  try {
    await startAll(begun);
  } catch (error) {
    if (stoppingSince !== undefined) return; // what was being started is being stopped: no wonder
    console.error(error instanceof StartError || error instanceof ConfigError ? error.message : error);
    for (const role of begun.roles) role.kill();
    await stop(1);
  }
}

async function undo({ roles, postgres, lock, log }: Begun): Promise<void> {
  try {
    await Promise.all(roles.map((role) => role.stop(rolePatienceMs)));
    const server = await postgres?.catch(() => undefined); // one that is still starting is waited for, or it would be left behind
    await server?.stop();
    await lock?.release();
  } catch (error) {
    log?.error({ err: error }, 'the stop was not clean');
  }
}
