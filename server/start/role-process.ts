import { readConfig } from '../config.ts';
import { keepCompileCache } from '../platform/compile-cache.ts';
import { fromDatabaseError } from '../platform/errors.ts';
import { createLogger, type Logger } from '../platform/log.ts';
import type { RoleName, RoleResources, RunningRole, StartRole } from '../platform/role.ts';
import type { FromRole, ToRole } from './role-messages.ts';

/** An orphaned role exits after this time, because the next parent needs the ports. */
const orphanExitMs = 5000;

/** Named one by one, because a bundle contains what is named. */
const loaders: Record<RoleName, () => Promise<{ start: StartRole }>> = {
  web: () => import('../roles/web.ts'),
  worker: () => import('../roles/worker.ts'),
  ingest: () => import('../roles/ingest.ts'),
  demo: () => import('../roles/demo.ts'),
};

/** The life cycle of one role process: load, wait for the resources, run, stop with the parent. */
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
  // A connection that breaks under a statement nobody waits for must not end the process: its timers repeat the work.
  process.on('unhandledRejection', (error) => {
    if (fromDatabaseError(error)?.status === 503) log.warn({ err: error }, 'a database connection was lost under a statement');
    else fail(error);
  });
  process.on('SIGINT', () => {}); // Ctrl-C reaches the whole terminal group; the parent decides the order of stopping
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', () => void stop());
  function leave(): void {
    setTimeout(() => process.exit(1), orphanExitMs).unref();
    void stop();
  }
  process.on('disconnect', leave);
  // A parent that was killed while this process loaded has disconnected before the listener was there.
  if (!process.connected) process.exit(1);

  const loaded = loaders[role]();
  loaded.catch(() => {}); // reported when the module is needed
  process.on('message', (message: ToRole) => {
    if (message.kind === 'stop') void stop();
    else if (!isStopping) {
      running = begin(message.resources);
      // A role that cannot start exits, so that the parent starts it again: a database may be away for a moment.
      running.catch(fail);
    }
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
