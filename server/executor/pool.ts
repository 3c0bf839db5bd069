import { availableParallelism } from 'node:os';
import { findConnector } from '../connectors/index.ts';
import type { Logger } from '../platform/log.ts';
import { converse, type Done, type Handlers } from './conversation.ts';
import { ExecutorProcess, type TaskClass } from './executor-process.ts';
import type { ExecutorSettings, Source, Task } from './protocol.ts';
import type { Seal } from './seal.ts';

export { type Done, ExecutorError } from './conversation.ts';

const stopWithinMs = 8000;
const leaveWithinMs = 4000;
const idleMs = 60_000;
const restMs = 1000;
/** An executor that still uses this much memory after its task is ended: the next query would have to answer for it. */
const retiredAboveKb = 400 * 1024;

/** Extra places for short tasks, so that a connection test does not wait for other users' queries. */
const [shortPlaces, sealedShortPlaces] = [4, 2];

/** A start takes a processor for a third of a second: more at once would slow pages down. */
const startingAtOnce = Math.max(1, availableParallelism() >> 1);

const classOf = ({ kind }: Task): TaskClass => (kind === 'run' ? 'query' : 'short');

/** Keeps executor processes warm and gives each task its own process (design 2). */
export class ExecutorPool {
  readonly #settings: ExecutorSettings;
  readonly #log: Logger;
  readonly #places: Record<TaskClass, number>;
  readonly #executors = new Set<ExecutorProcess>();
  readonly #queue: { of: TaskClass; give(executor: ExecutorProcess): void }[] = [];
  /** Pools for engines that run inside their process, created on first use. */
  readonly #sealed = new Map<Seal, ExecutorPool>();
  readonly #seal: Seal | undefined;
  /** Set after a failed start. */
  #restTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(settings: ExecutorSettings, log: Logger, queriesAtOnce: number, seal?: Seal) {
    this.#settings = settings;
    this.#log = log;
    this.#places = { query: queriesAtOnce, short: seal ? sealedShortPlaces : shortPlaces };
    this.#seal = seal;
    if (!seal) this.#spawn();
  }

  async perform(task: Task, handlers: Handlers, signal: AbortSignal): Promise<Done> {
    signal.throwIfAborted();
    // A process that is started after the others were closed would stay.
    if (this.#isClosed) throw new Error('The executors are closed.');
    // security 7: code that breaks out of such an engine finds neither a network nor the passwords of other sources.
    const connector = findConnector(task.source.type);
    if (!this.#seal && connector?.isEmbedded) {
      return this.#sealedBy(connector.isFolderReadOnly ? 'network and writing' : 'network').perform(task, handlers, signal);
    }
    const executor = task.kind === 'stop' || task.kind === 'stopNoted' ? this.#takeAtOnce(task) : await this.#take(task, signal);
    try {
      signal.throwIfAborted();
      handlers.begin?.();
      return await converse(executor, task, handlers, signal, (source, mark) => this.#stopLeft(source, mark));
    } finally {
      this.#release(executor);
    }
  }

  #sealedBy(seal: Seal): ExecutorPool {
    const pool = this.#sealed.get(seal) ?? new ExecutorPool(this.#settings, this.#log, Math.ceil(this.#places.query / 2), seal);
    this.#sealed.set(seal, pool);
    return pool;
  }

  /** Stops the statement of a dead executor from another process, because a busy server does not notice a lost client (design 8). */
  #stopLeft(source: Source, mark: string | undefined): void {
    if (mark === undefined || this.#isClosed) return;
    this.perform({ kind: 'stop', source, mark }, {}, AbortSignal.timeout(stopWithinMs)).catch((error: unknown) =>
      this.#log.warn({ err: error instanceof Error ? error.message : String(error) }, 'a statement of a dead executor was not stopped'),
    );
  }

  /** Takes an executor without waiting, even beyond the limit: waiting tasks may depend on the one that is to be stopped. */
  #takeAtOnce(task: Task): ExecutorProcess {
    const of = classOf(task);
    const executor = this.#findFree(of, task.source.key) ?? this.#spawn();
    executor.busy = of;
    return executor;
  }

  #take(task: Task, signal: AbortSignal): Promise<ExecutorProcess> {
    const of = classOf(task);
    const free = this.#findFree(of, task.source.key);
    if (free) return Promise.resolve(free);
    return new Promise((resolve, reject) => {
      const waiting = {
        of,
        give(executor: ExecutorProcess) {
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

  /** Finds an executor with a connection to the source, any idle one, or starts a new one. Those about to exit do not count. */
  #findFree(of: TaskClass, key?: string): ExecutorProcess | undefined {
    const present = [...this.#executors].filter(({ isLeaving }) => !isLeaving);
    if (this.#isTaken(of)) return undefined;
    const idle = present.filter(({ busy }) => busy === undefined);
    const known = key === undefined ? undefined : idle.find(({ sources }) => sources.has(key));
    const largest = this.#places.query + this.#places.short;
    const maySpawn = !this.#restTimer && present.length < largest && present.filter(({ isStarting }) => isStarting).length < startingAtOnce;
    const free = known ?? idle[0] ?? (maySpawn ? this.#spawn() : undefined);
    if (!free) return undefined;
    free.busy = of;
    clearTimeout(free.idleTimer);
    return free;
  }

  #release(executor: ExecutorProcess): void {
    executor.busy = undefined;
    // Bytes left in the pipe would be taken for those of the next query.
    const isSpent = !executor.pipe.isEmpty || executor.residentKb > retiredAboveKb;
    if (!executor.isLeaving && isSpent) this.#end(executor);
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
    return [...this.#executors].filter(({ isLeaving, busy }) => !isLeaving && busy === of).length >= this.#places[of];
  }

  /** One executor is kept warm for the next task. */
  get #atLeast(): number {
    return this.#seal ? 0 : 1;
  }

  #spawn(): ExecutorProcess {
    const executor = new ExecutorProcess(this.#settings, this.#seal, this.#log);
    executor.once('ready', () => this.#serveNext());
    executor.once('gone', () => {
      this.#executors.delete(executor);
      if (executor.hasFailedToStart) this.#rest();
      this.#goOn();
    });
    this.#executors.add(executor);
    return executor;
  }

  #goOn(): void {
    if (this.#isClosed) return;
    if (!this.#restTimer && this.#executors.size < this.#atLeast) this.#spawn();
    this.#serveNext();
  }

  /** Waits before the next start, when the machine cannot start processes; waiting tasks wait a little longer. */
  #rest(): void {
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => {
      this.#restTimer = undefined;
      this.#goOn();
    }, restMs);
  }

  #end(executor: ExecutorProcess): void {
    this.#executors.delete(executor);
    executor.leave();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restTimer);
    for (const sealed of this.#sealed.values()) await sealed.close();
    const executors = [...this.#executors];
    for (const executor of executors) this.#end(executor);
    await Promise.all(executors.map((executor) => executor.untilGone(leaveWithinMs)));
  }
}
