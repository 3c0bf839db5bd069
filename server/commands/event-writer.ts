import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../platform/context.ts';
import { isTransient } from '../uplinks/match-queue.ts';
import { applyEvents, type DeliveryEvent } from './progress.ts';

const mostAtOnce = 500;
const [firstPauseMs, longestPauseMs] = [50, 1000];

interface Waiting {
  event: DeliveryEvent;
  done(error?: unknown): void;
}

/**
 * Writes events of many deliveries together: while one transaction runs, the next batch collects. It retries while the database
 * is unreachable, because the network's answer is stored nowhere else.
 */
export class EventWriter {
  readonly #ctx: () => Ctx;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #isInHurry = false;

  constructor(ctx: () => Ctx) {
    this.#ctx = ctx;
  }

  /** Resolves when the event is committed. */
  write(event: DeliveryEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, done: (error) => (error === undefined ? resolve() : reject(error)) });
      this.#writing ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, mostAtOnce);
      try {
        await this.#apply(batch.map(({ event }) => event));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { done } of batch) done(error);
      }
    }
    this.#writing = undefined;
  }

  async #apply(events: readonly DeliveryEvent[]): Promise<void> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        await applyEvents(this.#ctx(), events);
        return;
      } catch (error) {
        if (this.#isInHurry || !isTransient(error)) throw error;
        await delay(pauseMs);
      }
    }
  }

  /** From now on, each event is tried once: the process stops. */
  hurry(): void {
    this.#isInHurry = true;
  }

  async stop(): Promise<void> {
    await this.#writing;
  }
}
