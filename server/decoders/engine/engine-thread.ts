import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { decoderLimits } from '@telltale/domain/decoders/limits.ts';
import type { Batch, BatchPart, EngineCall, EngineCode, EngineResult, WorkerSetup } from './protocol.ts';

const watchEveryMs = 50;
/**
 * The number of checks of a running call before its CPU time is measured, and the maximum: ten seconds, because a thread that gets no
 * processor for a while is not stuck, and one that is stuck burns CPU time and ends much earlier.
 */
const measureAfter = 2;
const longest = 200;
const mostKnown = 500;
/** A script may nest calls as deep as its own stack allows, and each call takes some of the thread's stack. */
const stackSizeMb = 16;

declare const WebAssembly: { compile(bytes: Uint8Array): Promise<EngineCode> };

let compiled: Promise<EngineCode> | undefined;
const engineCode = (): Promise<EngineCode> => {
  const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  compiled ??= readFile(path).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
};

/** The position of a batch when its thread was ended: the number of answers, and the call that did not end. */
export interface Stuck {
  answered: number;
  place: number;
}

const cpuMs = async (worker: Worker): Promise<number> => {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1000;
};

interface Running {
  worker: Worker;
  begun: Int32Array;
  /** Scripts that the worker has received. */
  known: Set<string>;
}

/** A thread with an engine. A call that does not end terminates the thread, and the next batch gets a new one. */
export class EngineThread {
  readonly isForProven: boolean;
  isBusy = false;
  #running: Promise<Running> | undefined;
  #batches = 0;

  constructor(isForProven: boolean) {
    this.isForProven = isForProven;
  }

  /** Runs a batch and calls `answer` for each result; returns the position when the thread had to be ended. */
  async run(
    key: string,
    script: string,
    calls: readonly EngineCall[],
    answer: (place: number, result: EngineResult) => void,
  ): Promise<Stuck | undefined> {
    this.isBusy = true;
    try {
      const running = await this.#start();
      const stuck = await this.#carry(running, key, script, calls, answer);
      if (stuck) await this.stop();
      return stuck;
    } catch (error) {
      await this.stop();
      for (let place = 0; place < calls.length; place++)
        answer(place, { fault: { code: 'decoder_busy', message: `The decoder cannot start: ${String(error)}` }, ms: 0 });
      return undefined;
    } finally {
      this.isBusy = false;
    }
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.then(
      ({ worker }) => worker.terminate(),
      () => {},
    );
  }

  #start(): Promise<Running> {
    this.#running ??= this.#open();
    return this.#running;
  }

  async #open(): Promise<Running> {
    const begun = new Int32Array(new SharedArrayBuffer(4));
    const setup: WorkerSetup = { wasm: await engineCode(), begun };
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: setup,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb },
    });
    // An idle thread does not keep the process alive.
    worker.unref();
    await new Promise<void>((ready, fail) => {
      worker.once('message', () => ready());
      // The exit event covers later errors.
      worker.on('error', fail);
      worker.once('exit', () => fail(new Error('its thread ended')));
    });
    return { worker, begun, known: new Set() };
  }

  #carry(
    { worker, begun, known }: Running,
    key: string,
    script: string,
    calls: readonly EngineCall[],
    answer: (place: number, result: EngineResult) => void,
  ): Promise<Stuck | undefined> {
    const id = ++this.#batches;
    const forget = known.size >= mostKnown;
    if (forget) known.clear();
    const isKnown = known.has(key);
    known.add(key);
    const plain = calls.map(({ command, input, withLog }) => ({ command, input, withLog }));
    const before = Atomics.load(begun, 0);
    let answered = 0;
    return new Promise((resolve) => {
      let [seen, standing, burnt]: [number, number, number | undefined] = [before, 0, undefined];
      const end = (stuck?: Stuck) => {
        clearInterval(watch);
        worker.off('message', hear);
        worker.off('exit', giveUp);
        worker.unref();
        resolve(stuck);
      };
      const giveUp = () => end({ answered, place: Math.max(answered, Atomics.load(begun, 0) - before - 1) });
      const hear = (part: BatchPart) => {
        if (part.id !== id) return;
        for (const [index, result] of part.results.entries()) answer(part.from + index, result);
        answered = part.from + part.results.length;
        if (answered === calls.length) end();
      };
      const watch = setInterval(() => {
        const now = Atomics.load(begun, 0);
        // Nothing has started: the thread is waiting for the processor.
        if (now !== seen || now === before) [seen, standing, burnt] = [now, 0, undefined];
        else if (++standing === measureAfter) cpuMs(worker).then((ms) => (burnt = ms), giveUp);
        else if (standing >= longest) giveUp();
        else if (standing * watchEveryMs >= decoderLimits.hardMs && burnt !== undefined) {
          const [then, call] = [burnt, seen];
          // A thread that could not run because of others is not stuck.
          cpuMs(worker).then((ms) => ms - then >= decoderLimits.softMs && seen === call && giveUp(), giveUp);
        }
      }, watchEveryMs);
      worker.on('message', hear);
      worker.on('exit', giveUp);
      worker.ref();
      worker.postMessage({ id, key, script: isKnown ? undefined : script, calls: plain, forget } satisfies Batch);
    });
  }
}
