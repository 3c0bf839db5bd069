import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { bundleFolder } from '../platform/bundle.ts';
import { compileCacheEnvironment } from '../platform/compile-cache.ts';
import type { Logger } from '../platform/log.ts';
import { ChunkPipe } from './chunk-pipe.ts';
import { type ExecutorSettings, type FromExecutor, pipeFd, type ToExecutor } from './protocol.ts';
import { path, type Seal, sealing } from './seal.ts';

const heapMb = 384;

export type TaskClass = 'query' | 'short';

/** A process that accepts a task before it is ready. It emits `gone` exactly once, even when it never started. */
export class ExecutorProcess extends EventEmitter<{ ready: []; message: [FromExecutor]; gone: [] }> {
  readonly pipe: ChunkPipe;
  /** Keys of the sources that it is connected to. */
  readonly sources = new Set<string>();
  /** The class of its current task. */
  busy: TaskClass | undefined;
  idleTimer: NodeJS.Timeout | undefined;
  isStarting = true;
  /** True when the process has ended or is about to: it takes no other task. */
  isLeaving = false;
  isGone = false;
  /** True when it ended by itself before it was ready: the next one would fail, too. */
  hasFailedToStart = false;
  readonly #child: ChildProcess | undefined;

  constructor(settings: ExecutorSettings, seal: Seal | undefined, log: Logger) {
    super();
    const onError = ({ message }: Error) => {
      log.warn({ err: message }, 'an executor could not be reached');
      // A process that could not start never exits.
      if (this.pid === undefined) this.#go();
    };
    const child = forkChild(settings.filesFolder, seal, onError);
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

  /** Asks the process to stop its work and exit. */
  leave(): void {
    this.isLeaving = true;
    if (this.isConnected) this.#child?.disconnect();
  }

  /** Resolves when the process has exited; kills it after `withinMs`. */
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

  /** The memory as the kernel reports it; on other systems the executor checks itself. */
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

/** Starts a child process. A lack of processes, files or memory mostly arrives as an event; thrown errors are passed on in the same way. */
function forkChild(filesFolder: string, seal: Seal | undefined, onError: (error: Error) => void): ChildProcess | undefined {
  try {
    const [execPath = process.execPath, ...before] = seal ? [...sealing(seal, filesFolder), process.execPath] : [];
    const bundle = bundleFolder();
    return fork(new URL('./child.ts', import.meta.url), bundle ? [bundle] : [], {
      execPath,
      execArgv: [...before, `--max-old-space-size=${heapMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
      // A statement must not find our settings in its process.
      env: { TZ: 'UTC', ...compileCacheEnvironment, ...(seal && path) },
    });
  } catch (error) {
    process.nextTick(onError, error);
    return undefined;
  }
}

/**
 * Lowers the priority of queries, so that pages come first when processors are busy: with 4 the slowest pages beside fifty users take a
 * third of the time, with 10 a fifth, but then a large result alone takes a fifth longer. It applies after the start, for which a user
 * waits.
 */
const nice = 4;

function behindOthers(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, nice);
  } catch {} // it has ended, or the system does not allow it
}
