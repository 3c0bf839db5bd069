import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/log.ts';
import type { Entry } from './entry.ts';
import { FairQueue } from './fair-queue.ts';
import { type Flush, FlushSlot, type StoreParts } from './flush.ts';
import { WriteConnection, WriteFault } from './write-connection.ts';

export interface ShardTiming {
  /** A flush starts when this has passed since its first message, or one of the sizes is reached. */
  gatherMs: number;
  messages: number;
  bytes: number;
  /** The longest time a message waits for the database. */
  timeoutMs: number;
}

/** iot-behaviour 1.9. */
export const usualTiming: ShardTiming = { gatherMs: 5, messages: 2000, bytes: 1024 * 1024, timeoutMs: 30_000 };

const missingPartition = '23514';
const alreadyThere = '23505';
/** Only errors about the rows themselves will be the same next time. */
const isTransient = (fault: WriteFault) => fault.isUnknown || !/^(0A|21|22|23|42|54)...$/.test(fault.code ?? '');

/**
 * Messages of some devices on their way to disk. Two flushes are under way at a time, each on a connection of its own; the second one's
 * messages are released after the first's, so acknowledgements leave in the order of arrival (design 9).
 */
export class Shard {
  readonly #slots: FlushSlot[];
  readonly #parts: StoreParts;
  readonly #timing: ShardTiming;
  readonly #log: Logger;
  readonly #queue = new FairQueue();
  #timer: NodeJS.Timeout | undefined;
  #prepared: Promise<unknown> = Promise.resolve();
  #released: Promise<unknown> = Promise.resolve();

  constructor(index: number, databaseUrl: string, parts: StoreParts, timing: ShardTiming, log: Logger) {
    this.#slots = [0, 1].map((each) => new FlushSlot(index * 2 + each, new WriteConnection(databaseUrl, log), parts));
    this.#parts = parts;
    this.#timing = timing;
    this.#log = log;
  }

  push(entry: Entry): void {
    this.#queue.push(entry);
    if (this.#isFull()) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), this.#timing.gatherMs);
  }

  #isFull(): boolean {
    return this.#queue.length >= this.#timing.messages || this.#queue.bytes >= this.#timing.bytes;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const slot = this.#slots.find(({ isBusy }) => !isBusy);
    if (!slot || this.#queue.length === 0) return;
    const batch = this.#queue.take(this.#timing.messages, this.#timing.bytes);
    slot.isBusy = true;
    const before = this.#released;
    this.#released = this.#carry(slot, batch, before).finally(() => {
      slot.isBusy = false;
      // Messages that gathered meanwhile have waited long enough.
      if (this.#queue.length > 0) this.#start();
    });
    if (this.#isFull()) this.#start();
  }

  async #carry(slot: FlushSlot, batch: Entry[], before: Promise<unknown>): Promise<void> {
    const until = Date.now() + this.#timing.timeoutMs;
    const preparing = this.#prepared.then(() => this.#patiently(until, () => slot.prepare(batch, before)));
    this.#prepared = preparing.catch(() => {});
    try {
      const stored = await preparing.then(
        (flush) => this.#store(slot, flush, until),
        (fault) => this.#storeHalves(slot, batch, fault, until),
      );
      await slot.unlock();
      await before;
      for (const flush of stored) {
        this.#parts.series.settle(flush.pairs, true);
        flush.remember(this.#parts.last);
        flush.release();
        if (flush.matches.length > 0) this.#parts.watchers?.hand(flush.matches);
      }
    } catch (error) {
      await slot.unlock();
      this.#log.error({ err: error, messages: batch.length }, 'uplinks could not be stored; their senders will send them again');
      await before;
      const flush = await preparing.catch(() => undefined);
      if (flush) this.#parts.series.settle(flush.pairs, false);
      this.#parts.watchers?.forget(new Set(batch.flatMap(({ device }) => (device ? [device.pk] : []))));
      for (const entry of batch) entry.done({ status: 'unavailable' });
    }
  }

  /** A row that the database refuses for good is found by halving, so that the other messages are stored (0.2.2). */
  async #store(slot: FlushSlot, flush: Flush, until: number): Promise<Flush[]> {
    const fault = await this.#write(slot, flush, until);
    return fault ? this.#storeHalves(slot, flush.batch, fault, until) : [flush];
  }

  async #storeHalves(slot: FlushSlot, batch: readonly Entry[], fault: unknown, until: number): Promise<Flush[]> {
    if (!(fault instanceof WriteFault) || isTransient(fault)) throw fault;
    const [first, ...others] = batch;
    if (first && others.length === 0) {
      this.#log.error({ err: fault, uplink: first.uplink_id }, 'the database refuses an uplink');
      return this.#store(slot, await slot.prepare([refusedBy(first, fault)], Promise.resolve()), until);
    }
    const middle = Math.ceil(batch.length / 2);
    const stored: Flush[] = [];
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      const parts = await slot.prepare(half, Promise.resolve()).then(
        (flush) => this.#store(slot, flush, until),
        (reason) => this.#storeHalves(slot, half, reason, until),
      );
      stored.push(...parts);
    }
    return stored;
  }

  /** Returns the fault if it is permanent; temporary ones are waited out. */
  async #write(slot: FlushSlot, flush: Flush, until: number): Promise<WriteFault | undefined> {
    let forgets = 3;
    try {
      await this.#patiently(
        until,
        () => slot.write(flush, Math.max(1000, until - Date.now())),
        (fault) => {
          if (fault.code === alreadyThere && !flush.isCareful) {
            flush.isCareful = true;
            return true;
          }
          if (fault.code === missingPartition && forgets-- > 0) {
            this.#parts.partitions.forget();
            return true;
          }
          return false;
        },
      );
      return undefined;
    } catch (error) {
      if (error instanceof WriteFault && !isTransient(error)) return error;
      throw error;
    }
  }

  /** Retries until it works or the time is over; `adapts` says that another attempt will be a different one. */
  async #patiently<T>(until: number, act: () => Promise<T>, adapts?: (fault: WriteFault) => boolean): Promise<T> {
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
      try {
        return await act();
      } catch (error) {
        if (error instanceof WriteFault && adapts?.(error)) continue;
        if (!(error instanceof WriteFault) || !isTransient(error) || Date.now() + pauseMs > until) throw error;
        this.#log.debug({ err: error.message }, 'the database is away; uplinks wait');
        await delay(pauseMs);
      }
    }
  }

  /** Resolves when all present messages are stored. */
  async drain(): Promise<void> {
    while (this.#queue.length > 0 || this.#slots.some(({ isBusy }) => isBusy)) {
      this.#start();
      await this.#released;
      await delay(1);
    }
  }

  async close(): Promise<void> {
    await this.drain();
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }
}

function refusedBy(entry: Entry, fault: WriteFault): Entry {
  if (entry.kind !== 'uplink') throw fault;
  const { uplink_id, receivedAt, done, device, raw, topic } = entry;
  const message = 'The database does not take this message.';
  const where = { channel: device.channel, device, device_id: device.device_id, topic };
  return { kind: 'rejection', uplink_id, receivedAt, done, ...where, code: 'bad_shape', message, payload: raw, isQuiet: false };
}
