import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import type { Logger } from '../platform/log.ts';
import { ChunkPipe } from './chunk-pipe.ts';
import { type ExecutorSettings, type FromExecutor, pipeFd, type ToExecutor } from './protocol.ts';
import { withoutNetwork } from './seal.ts';

const heapMb = 384;

export type TaskClass = 'query' | 'short';

/** A process that may be given a task before it is ready. However it ends, and even if it never was, it is `gone` once. */
export class ExecutorProcess extends EventEmitter<{ ready: []; message: [FromExecutor]; gone: [] }> {
  readonly pipe: ChunkPipe;
  /** Sources it holds a connection to. */
  readonly sources = new Set<string>();
  /** With what. */
  busy: TaskClass | undefined;
  idleTimer: NodeJS.Timeout | undefined;
  isStarting = true;
  /** There is no process any more, or it is on its way out: it takes no other task. */
  isLeaving = false;
  isGone = false;
  /** It ended before it was ready, and nobody told it to: the next one would, too. */
  hasFailedToStart = false;
  readonly #child: ChildProcess | undefined;

  constructor(settings: ExecutorSettings, isSealed: boolean, log: Logger) {
    super();
    const onError = ({ message }: Error) => {
      log.warn({ err: message }, 'an executor could not be reached');
      // What could not be started never exits.
      if (this.pid === undefined) this.#go();
    };
    const child = forkChild(isSealed, onError);
    this.#child = child;
    this.pipe = new ChunkPipe(child?.stdio?.[pipeFd] as Duplex | undefined);
    child?.stderr?.on('data', (text: Buffer) => log.debug({ executor: child.pid, text: text.toString().slice(0, 2000) }, 'executor'));
    child?.on('error', onError);
    child?.on('message', (message: FromExecutor) => {
      if (this.isStarting) this.#beReady();
      this.emit('message', message);
    });
    child?.once('exit', () => this.#go());
    this.tell({ kind: 'settings', settings });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isConnected(): boolean {
    return !this.isGone && this.#child?.connected === true;
  }

  tell(message: ToExecutor): void {
    if (this.isConnected) this.#child?.send(message);
  }

  kill(): void {
    this.isLeaving = true;
    if (this.pid !== undefined) this.#child?.kill('SIGKILL');
  }

  /** It stops what it does and goes by itself. */
  leave(): void {
    this.isLeaving = true;
    if (this.isConnected) this.#child?.disconnect();
  }

  /** Resolves when it has gone by itself, or by force if it does not. */
  untilGone(withinMs: number): Promise<void> {
    if (this.isGone) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.kill(), withinMs);
      this.once('gone', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Where the kernel tells; elsewhere the executor watches itself. */
  get residentKb(): number {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  }

  #beReady(): void {
    this.isStarting = false;
    behindOthers(this.pid);
    this.emit('ready');
  }

  #go(): void {
    if (this.isGone) return;
    this.hasFailedToStart = this.isStarting && !this.isLeaving;
    this.isLeaving = true;
    this.isGone = true;
    this.emit('gone');
  }
}

/** Too many processes or files, too little memory: most of that is told as an event later, some is thrown, and then is told later here. */
function forkChild(isSealed: boolean, onError: (error: Error) => void): ChildProcess | undefined {
  try {
    const [execPath = process.execPath, ...before] = isSealed ? [...withoutNetwork(), process.execPath] : [];
    return fork(new URL('./child.ts', import.meta.url), {
      execPath,
      execArgv: [...before, `--max-old-space-size=${heapMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
      // A statement must not find our settings in its process.
      env: { TZ: 'UTC' },
    });
  } catch (error) {
    process.nextTick(onError, error);
    return undefined;
  }
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
