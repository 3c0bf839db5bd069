import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import type { ResultReader } from '../connectors/connector.ts';
import { findConnector } from '../connectors/index.ts';
import type { Logger } from '../platform/log.ts';
import type { Chunk } from '../wire/chunk.ts';
import { ChunkPipe, PipeClosedError } from './chunk-pipe.ts';
import { type ExecutorSettings, type Failure, type FromExecutor, pipeFd, type Source, type Task, type ToExecutor } from './protocol.ts';
import { ResultOutbox } from './result-outbox.ts';
import { withoutNetwork } from './seal.ts';

export interface Handlers {
  /** An executor is there: now it is its own time. */
  begin?(): void;
  chunk?(chunk: Chunk): Promise<void>;
  results?: ResultReader;
}

export type Done = Omit<Extract<FromExecutor, { kind: 'done' }>, 'kind'>;

/** A failure that came back from an executor. */
export class ExecutorError extends Error {
  override name = 'ExecutorError';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

const heapMb = 384;
const obeyWithinMs = 2500;
const stopWithinMs = 8000;
const idleMs = 60_000;
const largestResidentKb = 1024 * 1024;
/** One that still holds this much after its task goes: what the last query left behind would be held against the next one. */
const retiredAboveKb = 400 * 1024;

/** Beside those for queries, for what is over soon: nobody waits for a connection test until other people's queries have ended. */
const [shortPlaces, sealedShortPlaces] = [4, 2];

/** A start takes a processor for a third of a second: more of them at once would take it from the pages. */
const startingAtOnce = Math.max(1, availableParallelism() >> 1);

type TaskClass = 'query' | 'short';
const classOf = ({ kind }: Task): TaskClass => (kind === 'run' ? 'query' : 'short');

interface Executor {
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

/** Keeps executor processes warm and gives each task one of its own (design 2). */
export class ExecutorPool {
  readonly #settings: ExecutorSettings;
  readonly #log: Logger;
  readonly #places: Record<TaskClass, number>;
  readonly #executors = new Set<Executor>();
  readonly #queue: { of: TaskClass; give(executor: Executor): void }[] = [];
  /** For engines that run inside their process; made when the first of them is asked. */
  #sealed: ExecutorPool | undefined;
  readonly #isSealed: boolean;
  #isClosed = false;

  constructor(settings: ExecutorSettings, log: Logger, queriesAtOnce: number, isSealed = false) {
    this.#settings = settings;
    this.#log = log;
    this.#places = { query: queriesAtOnce, short: isSealed ? sealedShortPlaces : shortPlaces };
    this.#isSealed = isSealed;
    if (!isSealed) this.#spawn();
  }

  async perform(task: Task, handlers: Handlers, signal: AbortSignal): Promise<Done> {
    signal.throwIfAborted();
    // security 7: whoever breaks out of such an engine finds neither a network nor the passwords of other sources.
    if (!this.#isSealed && findConnector(task.source.type)?.isEmbedded) {
      this.#sealed ??= new ExecutorPool(this.#settings, this.#log, Math.ceil(this.#places.query / 2), true);
      return this.#sealed.perform(task, handlers, signal);
    }
    const executor = task.kind === 'stop' ? this.#takeAtOnce(task) : await this.#take(task, signal);
    try {
      signal.throwIfAborted();
      handlers.begin?.();
      return await this.#run(executor, task, handlers, signal);
    } finally {
      this.#giveBack(executor);
    }
  }

  #run(executor: Executor, task: Task, handlers: Handlers, signal: AbortSignal): Promise<Done> {
    const { process: child } = executor;
    const tell = (message: ToExecutor) => void (child.connected && child.send(message));
    const results = new ResultOutbox(handlers.results, tell);
    return new Promise((resolve, reject) => {
      let killTimer: NodeJS.Timeout | undefined;
      let mark: string | undefined;
      /** All chunks so far. */
      let storing: Promise<void> = Promise.resolve();
      const memory = setInterval(() => residentKb(child.pid) > largestResidentKb && child.kill('SIGKILL'), 500);
      const settle = (end: () => void) => {
        clearInterval(memory);
        clearTimeout(killTimer);
        signal.removeEventListener('abort', abort);
        child.off('message', onMessage).off('exit', onExit);
        results.close();
        end();
      };
      /** The last chunk is stored first: whoever clears up after a failure must find it. */
      const fail = (error: ExecutorError) => {
        const end = () => settle(() => reject(signal.aborted ? signal.reason : error));
        storing.then(end, end);
      };
      const onMessage = (message: FromExecutor) => {
        if (message.kind === 'done')
          void storing.then(
            () => settle(() => resolve(message)),
            (error) => settle(() => reject(error)),
          );
        else if (message.kind === 'failed') {
          if (message.isEnding) {
            executor.isGone = true;
            child.kill('SIGKILL');
            this.#stopLeft(task.source, mark);
          }
          fail(new ExecutorError(message.failure));
        } else if (message.kind === 'runsOn') mark = message.mark;
        else if (message.kind === 'needResult') void results.send(message.id, message.name);
        else if (message.kind === 'resultTaken') results.taken(message.id);
        else if (message.kind === 'chunk') {
          const stored = executor.pipe.take(message.bytes).then((data) => handlers.chunk?.({ ...message.chunk, data }));
          storing = Promise.all([storing, stored]).then(() => {});
          storing.catch(() => {}); // told below
          stored.then(
            () => tell({ kind: 'stored' }),
            (error) => {
              if (error instanceof PipeClosedError) return; // its exit is told below
              executor.isGone = true;
              child.kill('SIGKILL');
              this.#stopLeft(task.source, mark);
              settle(() => reject(error));
            },
          );
        }
      };
      const onExit = () => {
        executor.isGone = true;
        this.#stopLeft(task.source, mark);
        const failure = { message: 'The query was stopped because it took too much memory or its process ended.', isTold: true };
        fail(new ExecutorError(failure));
      };
      const abort = () => {
        tell({ kind: 'abort' });
        const patience = findConnector(task.source.type)?.isBlocking ? 200 : obeyWithinMs;
        killTimer = setTimeout(() => child.kill('SIGKILL'), patience);
      };
      child.on('message', onMessage).on('exit', onExit);
      signal.addEventListener('abort', abort, { once: true });
      executor.sources.add(task.source.key);
      if (!child.connected) return onExit();
      tell({ kind: 'task', task });
    });
  }

  /** A server that computes does not notice that its client is dead, so another process stops what this one ran (design 8). */
  #stopLeft(source: Source, mark: string | undefined): void {
    if (mark === undefined || this.#isClosed) return;
    this.perform({ kind: 'stop', source, mark }, {}, AbortSignal.timeout(stopWithinMs)).catch((error: unknown) =>
      this.#log.warn({ err: error instanceof Error ? error.message : String(error) }, 'a statement of a dead executor was not stopped'),
    );
  }

  /** Those that wait for their turn are waiting for what is to be stopped: this one may be one more than there should be. */
  #takeAtOnce(task: Task): Executor {
    const of = classOf(task);
    const executor = this.#findFree(of, task.source.key) ?? this.#spawn();
    executor.busy = of;
    return executor;
  }

  #take(task: Task, signal: AbortSignal): Promise<Executor> {
    const of = classOf(task);
    const free = this.#findFree(of, task.source.key);
    if (free) return Promise.resolve(free);
    return new Promise((resolve, reject) => {
      const waiting = {
        of,
        give(executor: Executor) {
          signal.removeEventListener('abort', leave);
          resolve(executor);
        },
      };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(waiting);
    });
  }

  /** One that already has a connection to the source, any idle one, or a new one. Those on their way out do not count. */
  #findFree(of: TaskClass, key?: string): Executor | undefined {
    const present = [...this.#executors].filter(({ isGone }) => !isGone);
    if (this.#isTaken(of)) return undefined;
    const idle = present.filter(({ busy }) => busy === undefined);
    const known = key === undefined ? undefined : idle.find(({ sources }) => sources.has(key));
    const largest = this.#places.query + this.#places.short;
    const maySpawn = present.length < largest && present.filter(({ isStarting }) => isStarting).length < startingAtOnce;
    const free = known ?? idle[0] ?? (maySpawn ? this.#spawn() : undefined);
    if (!free) return undefined;
    free.busy = of;
    clearTimeout(free.idleTimer);
    return free;
  }

  #giveBack(executor: Executor): void {
    executor.busy = undefined;
    // What is left in the pipe would be taken for the next query's.
    const isSpent = !executor.pipe.isEmpty || residentKb(executor.process.pid) > retiredAboveKb;
    if (!executor.isGone && isSpent) this.#end(executor);
    executor.idleTimer = setTimeout(() => this.#executors.size > this.#atLeast && this.#end(executor), idleMs).unref();
    this.#serveNext();
  }

  #serveNext(): void {
    while (this.#queue.length > 0 && !this.#isClosed) {
      const next = this.#queue.findIndex(({ of }) => !this.#isTaken(of));
      const free = next < 0 ? undefined : this.#findFree(this.#queue[next]?.of ?? 'query');
      if (!free) return;
      this.#queue.splice(next, 1)[0]?.give(free);
    }
  }

  #isTaken(of: TaskClass): boolean {
    return [...this.#executors].filter(({ isGone, busy }) => !isGone && busy === of).length >= this.#places[of];
  }

  /** One is kept warm for whoever asks next. */
  get #atLeast(): number {
    return this.#isSealed ? 0 : 1;
  }

  #spawn(): Executor {
    const [execPath = process.execPath, ...before] = this.#isSealed ? [...withoutNetwork(), process.execPath] : [];
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
    child.stderr?.on('data', (text: Buffer) => this.#log.debug({ executor: child.pid, text: text.toString().slice(0, 2000) }, 'executor'));
    child.on('error', (error) => this.#log.warn({ err: error.message }, 'an executor could not be reached'));
    child.once('message', () => {
      executor.isStarting = false;
      behindOthers(child.pid);
      this.#serveNext();
    });
    child.once('exit', () => {
      executor.isGone = true;
      this.#executors.delete(executor);
      if (!this.#isClosed && this.#executors.size < this.#atLeast) this.#spawn();
      this.#serveNext();
    });
    child.send({ kind: 'settings', settings: this.#settings } satisfies ToExecutor);
    this.#executors.add(executor);
    return executor;
  }

  #end(executor: Executor): void {
    executor.isGone = true;
    this.#executors.delete(executor);
    if (executor.process.connected) executor.process.disconnect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sealed?.close();
    const children = [...this.#executors].map(({ process: child }) => child);
    for (const executor of [...this.#executors]) this.#end(executor);
    await Promise.all(
      children.map(
        (child) =>
          new Promise<void>((resolve) => {
            if (child.exitCode !== null || child.signalCode !== null) return resolve();
            const timer = setTimeout(() => child.kill('SIGKILL'), 4000);
            child.once('exit', () => {
              clearTimeout(timer);
              resolve();
            });
          }),
      ),
    );
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

/** Where the kernel tells; elsewhere the executor watches itself. */
function residentKb(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
