import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import type { Logger } from '../platform/log.ts';
import { ChunkPipe } from './chunk-pipe.ts';
import { type ExecutorSettings, pipeFd, type ToExecutor } from './protocol.ts';
import { withoutNetwork } from './seal.ts';

const heapMb = 384;

export type TaskClass = 'query' | 'short';

export interface Executor {
  process: ChildProcess;
  pipe: ChunkPipe;
  isStarting: boolean;
  /** With what. */
  busy: TaskClass | undefined;
  /** Sources it holds a connection to. */
  sources: Set<string>;
  idleTimer: NodeJS.Timeout | undefined;
  isGone: boolean;
}

/** A new process; it may be given a task before it is ready. */
export function startExecutor(
  settings: ExecutorSettings,
  isSealed: boolean,
  log: Logger,
  { onReady, onExit }: { onReady(executor: Executor): void; onExit(executor: Executor): void },
): Executor {
  const [execPath = process.execPath, ...before] = isSealed ? [...withoutNetwork(), process.execPath] : [];
  const child = fork(new URL('./child.ts', import.meta.url), {
    execPath,
    execArgv: [...before, `--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    // A statement must not find our settings in its process.
    env: { TZ: 'UTC' },
  });
  const executor: Executor = {
    process: child,
    pipe: new ChunkPipe(child.stdio[pipeFd] as unknown as Duplex),
    isStarting: true,
    busy: undefined,
    sources: new Set(),
    idleTimer: undefined,
    isGone: false,
  };
  child.stderr?.on('data', (text: Buffer) => log.debug({ executor: child.pid, text: text.toString().slice(0, 2000) }, 'executor'));
  child.on('error', (error) => log.warn({ err: error.message }, 'an executor could not be reached'));
  child.once('message', () => {
    executor.isStarting = false;
    behindOthers(child.pid);
    onReady(executor);
  });
  child.once('exit', () => {
    executor.isGone = true;
    onExit(executor);
  });
  child.send({ kind: 'settings', settings } satisfies ToExecutor);
  return executor;
}

/** Resolves when the process has gone by itself, or by force if it does not. */
export function untilGone(child: ChildProcess, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * Rows wait for pages where processors are short: with 4 the slowest pages beside fifty people take a third of the time, with
 * 10 a fifth, but then a large result alone takes a fifth longer. Not while it starts, which somebody waits for.
 */
const nice = 4;

function behindOthers(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, nice);
  } catch {} // gone already, or not allowed
}

/** Where the kernel tells; elsewhere the executor watches itself. */
export function residentKb(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
