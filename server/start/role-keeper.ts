import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { roleEnvironment } from '../config.ts';
import { compileCacheEnvironment } from '../platform/compile-cache.ts';
import type { Logger } from '../platform/log.ts';
import type { RoleName, RoleResources } from '../platform/role.ts';
import { createBackoff } from './backoff.ts';
import type { FromRole, ToRole } from './role-messages.ts';

const main = join(import.meta.dirname, '..', 'main.ts');

/**
 * Linux shares processors between sessions first, and each connection of PostgreSQL is a session of its own: roles in one session together
 * got the share of one connection, and pages waited 350 ms beside fifty users, now 90. A session of its own also leaves Ctrl-C to the
 * parent.
 */
const isOwnSession = process.platform === 'linux';

/** Roles without waiting users get less processor time where it is short, as with `nice` among the processes of one session. */
const givesWay: Partial<Record<RoleName, number>> = { worker: 5 };

function giveWay({ pid }: ChildProcess, role: RoleName): void {
  const nice = givesWay[role];
  if (!isOwnSession || !pid || nice === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice));
  } catch {} // the process is gone, or the system has no such priorities
}

/**
 * A burst makes V8 expect that messages live long, and it allocates them among old objects from then on, also when they live 10 ms: each
 * collection then took twice as long, and every ten seconds one of the old objects delayed all messages by 80 ms.
 */
const flags: Partial<Record<RoleName, string[]>> = { ingest: ['--no-allocation-site-pretenuring'] };

export interface RoleKeeper {
  /** Hands the resources over and resolves when the role is ready for the first time. */
  start(resources: RoleResources, log: Logger, onDeath: (pid: number) => void): Promise<void>;
  /** Resolves when the process is gone; after this time it is killed. */
  stop(timeoutMs: number): Promise<void>;
  kill(): void;
}

/**
 * Keeps one role running in a process of its own. The process is started at once, so that it loads its modules while the database starts,
 * and started again whenever it dies.
 */
export function keepRole(role: RoleName): RoleKeeper {
  const quit = new AbortController();
  const backoff = createBackoff();
  const firstReady = Promise.withResolvers<void>();
  let duty: { resources: RoleResources; log: Logger; onDeath: (pid: number) => void } | undefined;
  let child = launch();

  function launch(): ChildProcess {
    const started = spawn(process.execPath, [...(flags[role] ?? []), main, role], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...roleEnvironment(), ...compileCacheEnvironment },
      detached: isOwnSession,
    });
    giveWay(started, role);
    backoff.started();
    started.on('message', (message: FromRole) => message.kind === 'ready' && firstReady.resolve());
    started.on('error', () => {}); // a broken channel is followed by the exit, which is handled
    started.once('exit', (code, signal) => void replace(started, code, signal));
    return started;
  }

  async function replace(dead: ChildProcess, code: number | null, signal: string | null): Promise<void> {
    if (quit.signal.aborted) return;
    const waitMs = backoff.nextWaitMs();
    if (dead.pid) duty?.onDeath(dead.pid);
    duty?.log.error({ ended_role: role, pid: dead.pid, exit_code: code, signal, retry_ms: waitMs }, 'a role ended and is started again');
    await sleep(waitMs, undefined, { signal: quit.signal }).catch(() => {});
    if (quit.signal.aborted) return;
    child = launch();
    if (duty) tell(child, { kind: 'start', resources: duty.resources });
  }

  return {
    start: (resources, log, onDeath) => {
      duty = { resources, log, onDeath };
      tell(child, { kind: 'start', resources });
      return firstReady.promise;
    },
    stop: async (timeoutMs) => {
      quit.abort();
      if (isOver(child)) return;
      const gone = new Promise((done) => child.once('exit', done));
      tell(child, { kind: 'stop' });
      const killer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      await gone;
      clearTimeout(killer);
    },
    kill: () => {
      quit.abort();
      child.kill('SIGKILL');
    },
  };
}

function tell(child: ChildProcess, message: ToRole): void {
  if (child.connected) child.send(message, () => {}); // a dying role cannot listen; its exit is handled
}

function isOver(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}
