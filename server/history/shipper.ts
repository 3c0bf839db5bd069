import { retentionDays } from '@telltale/domain/uplinks/retention.ts';
import type { Db } from '../platform/database.ts';
import { DirectoryCopy } from './directory-copy.ts';
import { ExpiredReadings } from './expired-readings.ts';
import { HistoryStore } from './history-store.ts';
import { insertReadings } from './insert-readings.ts';
import { deleteSent, listWaiting, type WaitingReading } from './outbox.store.ts';

const mostAtOnce = 50_000;
const directoryEveryMs = 5000;
const retentionEveryMs = 3_600_000;
/** A backlog is worked off for this long before others get their turn. */
const budgetMs = 10_000;

/** Takes readings from the outbox to ClickHouse: at least once, and what comes twice counts once (history-tables.ts). */
export class Shipper {
  readonly #store: HistoryStore;
  readonly #directory: DirectoryCopy;
  readonly #expired: ExpiredReadings;
  /** When channels and devices are compared next. */
  #directoryAt = Number.NEGATIVE_INFINITY;
  #retentionAt = Number.NEGATIVE_INFINITY;

  constructor(url: string) {
    this.#store = new HistoryStore(url);
    this.#directory = new DirectoryCopy(this.#store);
    this.#expired = new ExpiredReadings(this.#store);
  }

  /** Sends what waits. A fault leaves it in the outbox, and the next turn sends it again. */
  async ship(db: Db): Promise<number> {
    await this.#store.prepare();
    const until = performance.now() + budgetMs;
    let sent = 0;
    if (performance.now() >= this.#directoryAt) await this.#copyDirectory(db);
    for (;;) {
      const { ids, readings } = await listWaiting(db, mostAtOnce);
      if (ids.length === 0) break;
      // The views show readings of devices that are known there.
      if (readings.some(({ device_pk }) => !this.#directory.hasDevice(device_pk))) await this.#copyDirectory(db);
      await this.#insert(readings);
      await deleteSent(db, ids);
      sent += readings.length;
      if (performance.now() >= until) break;
    }
    if (performance.now() - this.#retentionAt >= retentionEveryMs) {
      await this.#dropExpired();
      await this.#expired.delete(db);
    }
    return sent;
  }

  async #insert(readings: readonly WaitingReading[]): Promise<void> {
    for (const target of ['point', 'last', 'hour'] as const)
      await insertReadings(
        this.#store,
        target,
        readings.filter((reading) => reading.target === target),
      );
  }

  async #copyDirectory(db: Db): Promise<void> {
    const begun = performance.now();
    await this.#directory.refresh(db);
    // With very many devices it takes a twentieth of the time.
    this.#directoryAt = performance.now() + Math.max(directoryEveryMs, 20 * (performance.now() - begun));
  }

  /** iot-behaviour 1.8: drops months whose last day is older than the retention. */
  async #dropExpired(now = Date.now()): Promise<void> {
    const { database } = this.#store.address;
    const oldest = new Date(now - retentionDays.point * 86_400_000);
    const month = oldest.getUTCFullYear() * 100 + oldest.getUTCMonth() + 1;
    const rows = await this.#store.rows(
      `SELECT DISTINCT partition FROM system.parts WHERE database = '${database}' AND table = 'point' AND active`,
    );
    for (const [partition = ''] of rows)
      if (/^\d{6}$/.test(partition) && Number(partition) < month)
        await this.#store.ask(`ALTER TABLE ${database}.point DROP PARTITION ${partition}`);
    this.#retentionAt = performance.now();
  }
}
