import { readConfig } from '../config.ts';
import { keepCompileCache } from '../platform/compile-cache.ts';
import { fromDatabaseError } from '../platform/errors.ts';
import { createLogger, type Logger } from '../platform/log.ts';
import type { RoleName, RoleResources, RunningRole, StartRole } from '../platform/role.ts';
import type { FromRole, ToRole } from './role-messages.ts';

/** Without a parent nobody waits for us, and the next parent wants the ports. */
const orphanPatienceMs = 5000;

/** The life of one role process: load, wait for the resources, run, stop with the parent. */
export async function runRole(role: RoleName): Promise<void> {
  let log: Logger = createLogger('info', { role });
  let running: Promise<RunningRole> | undefined;
  let isStopping = false;

  async function stop(): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    try {
      await (await running)?.stop();
      process.exit(0);
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    log.fatal({ err: error }, 'the role cannot go on');
    log.flush();
    process.exit(1);
  }

  process.on('uncaughtException', fail);
  // graphile-worker does not wait for its own writes: a connection that breaks under one is no reason to end the rest.
  process.on('unhandledRejection', (error) => {
    if (fromDatabaseError(error)?.status === 503) log.warn({ err: error }, 'a database connection was lost under a write');
    else fail(error);
  });
  process.on('SIGINT', () => {}); // Ctrl-C reaches the whole terminal group: the parent decides the order
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', () => void stop());
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), orphanPatienceMs).unref();
    void stop();
  });

  const loaded: Promise<{ start: StartRole }> = import(`../roles/${role}.ts`);
  loaded.catch(() => {}); // told when it is needed
  process.on('message', (message: ToRole) => {
    if (message.kind === 'stop') void stop();
    else if (!isStopping) running = begin(message.resources);
  });

  async function begin(resources: RoleResources): Promise<RunningRole> {
    const config = readConfig();
    log = createLogger(config.logLevel, { role, pid: process.pid }, config.logFolder);
    const started = await (await loaded).start({ ...resources, config, log });
    process.send?.({ kind: 'ready' } satisfies FromRole);
    keepCompileCache();
    return started;
  }
}
