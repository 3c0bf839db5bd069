import { availableParallelism } from 'node:os';
import { decoderLimits } from '@telltale/domain/decoders/limits.ts';
import { EngineThread } from './engine-thread.ts';
import type { EngineCall, EngineResult } from './protocol.ts';
import { timedOut } from './timed-out.ts';

/** A script is proven after this many calls with at most this average time, and no time-out within `cleanMs`. */
const proof = { calls: 20, averageMs: 5, cleanMs: 60_000 };
const largestBatch = 64;
/** A slow channel may fill only a part of the queue, and all slow ones together have a queue of their own beside it. */
const largestShare = decoderLimits.queue / 5;
const unprovenQueue = decoderLimits.queue / 2;

interface Waiting extends EngineCall {
  done(result: EngineResult): void;
}

interface Line {
  key: string;
  script: string;
  waiting: Waiting[];
  calls: number;
  averageMs: number;
  timedOutAt: number;
  usedAt: number;
}

export interface PoolOptions {
  /** The number of threads for proven scripts; one more is for all others. */
  threads?: number;
}

/**
 * Threads that run the scripts of channels (iot-behaviour 4.3). Scripts that are new, slow or recently stopped run on a separate thread,
 * one call at a time in turn, so that proven scripts never wait for them.
 */
export class DecoderPool {
  readonly #lines = new Map<string, Line>();
  readonly #threads: EngineThread[] = [];
  readonly #most: number;
  #waiting = 0;
  #isScheduled = false;
  #isStopped = false;

  constructor({ threads = Math.max(1, availableParallelism() - 1) }: PoolOptions = {}) {
    this.#most = threads;
  }

  /** `key` identifies the script: equal keys mean equal texts. */
  run(key: string, script: string, call: EngineCall): Promise<EngineResult> {
    const line = this.#lineOf(key, script);
    if (this.#isStopped || this.#isFullFor(line)) {
      return Promise.resolve({ fault: { code: 'decoder_busy', message: 'Too many messages wait for their decoder.' }, ms: 0 });
    }
    return new Promise((done) => {
      line.waiting.push({ ...call, done });
      this.#waiting++;
      this.#schedule();
    });
  }

  #isFullFor(line: Line): boolean {
    if (!this.#isProven(line)) return line.waiting.length >= largestShare || this.#unprovenWaiting() >= unprovenQueue;
    return this.#waiting >= decoderLimits.queue && this.#waiting - this.#unprovenWaiting() >= decoderLimits.queue;
  }

  #unprovenWaiting(): number {
    let sum = 0;
    for (const line of this.#lines.values()) if (line.waiting.length > 0 && !this.#isProven(line)) sum += line.waiting.length;
    return sum;
  }

  /** Answers the waiting calls of a script with this result, without running them. */
  drop(key: string, result: EngineResult): void {
    const line = this.#lines.get(key);
    if (!line) return;
    const dropped = line.waiting;
    line.waiting = [];
    this.#waiting -= dropped.length;
    for (const { done } of dropped) done(result);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const key of this.#lines.keys())
      this.drop(key, { fault: { code: 'decoder_busy', message: 'The decoder is being stopped.' }, ms: 0 });
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  #lineOf(key: string, script: string): Line {
    const known = this.#lines.get(key);
    if (known) return known;
    if (this.#lines.size > 2000) this.#forgetIdleLines();
    const line: Line = { key, script, waiting: [], calls: 0, averageMs: 0, timedOutAt: Number.NEGATIVE_INFINITY, usedAt: 0 };
    this.#lines.set(key, line);
    return line;
  }

  #forgetIdleLines(): void {
    const idle = [...this.#lines.values()].filter(({ waiting }) => waiting.length === 0).sort((a, b) => a.usedAt - b.usedAt);
    for (const { key } of idle.slice(0, idle.length / 2)) this.#lines.delete(key);
  }

  #isProven({ calls, averageMs, timedOutAt }: Line): boolean {
    return calls >= proof.calls && averageMs <= proof.averageMs && performance.now() - timedOutAt > proof.cleanMs;
  }

  /** Dispatches in the next turn, so that messages that arrive together form one batch. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const isForProven of [true, false]) {
      for (;;) {
        const line = this.#nextLine(isForProven);
        const thread = line && this.#idleThread(isForProven);
        if (!line || !thread) break;
        this.#send(thread, line, isForProven ? largestBatch : 1);
      }
    }
  }

  #nextLine(isForProven: boolean): Line | undefined {
    let next: Line | undefined;
    for (const line of this.#lines.values()) {
      if (line.waiting.length === 0 || this.#isProven(line) !== isForProven) continue;
      if (!next || line.usedAt < next.usedAt) next = line;
    }
    return next;
  }

  #idleThread(isForProven: boolean): EngineThread | undefined {
    const ofKind = this.#threads.filter((thread) => thread.isForProven === isForProven);
    const idle = ofKind.find((thread) => !thread.isBusy);
    if (idle || ofKind.length >= (isForProven ? this.#most : 1)) return idle;
    const made = new EngineThread(isForProven);
    this.#threads.push(made);
    return made;
  }

  #send(thread: EngineThread, line: Line, most: number): void {
    const batch = line.waiting.splice(0, most);
    line.usedAt = performance.now();
    const answer = (place: number, result: EngineResult) => {
      this.#waiting--;
      this.#note(line, result);
      batch[place]?.done(result);
    };
    void thread.run(line.key, line.script, batch, answer).then((stuck) => {
      // The thread was ended: its current call took too long, and the others run again on another thread.
      if (stuck) {
        answer(stuck.place, { fault: timedOut(decoderLimits.hardMs), ms: decoderLimits.hardMs });
        line.waiting.unshift(...batch.slice(stuck.answered).filter((_, index) => index !== stuck.place - stuck.answered));
      }
      this.#schedule();
    });
  }

  #note(line: Line, result: EngineResult): void {
    line.calls++;
    // The first call also loads the script, so it does not count for the average.
    const weight = line.calls <= 1 ? 0 : Math.max(0.05, 1 / line.calls);
    line.averageMs += (result.ms - line.averageMs) * weight;
    if ('fault' in result && result.fault.code === 'decoder_timeout') line.timedOutAt = performance.now();
  }
}
