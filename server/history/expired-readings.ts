import { retentionCutoff } from '@telltale/domain/uplinks/retention.ts';
import type { Db } from '../platform/database.ts';
import { type ChannelRetention, listRetentions } from './directory.store.ts';
import { field, type HistoryStore } from './history-store.ts';

const tables = ['point', 'hour'] as const;
/** Conditions of one statement: a server reads at most 256 KiB of text. */
const channelsAtOnce = 100;

/**
 * iot-behaviour 1.8: deletes readings and hours that channels with a retention of their own keep no longer. A deletion rewrites the parts that
 * it touches, so each channel gets one a day at most, together with others, and only when it has something older. Last values stay.
 */
export class ExpiredReadings {
  readonly #store: HistoryStore;
  /** The cutoff up to which a table was looked at for a channel. */
  readonly #done = new Map<string, number>();

  constructor(store: HistoryStore) {
    this.#store = store;
  }

  async delete(db: Db, now = new Date()): Promise<void> {
    const channels = await listRetentions(db);
    for (const table of tables) {
      const cutoffOf = ({ retention_days }: ChannelRetention) => retentionCutoff(retention_days, now).getTime();
      const keyOf = ({ channel_pk }: ChannelRetention) => `${table} ${channel_pk}`;
      const due = channels.filter((channel) => this.#done.get(keyOf(channel)) !== cutoffOf(channel));
      if (due.length === 0 || (await this.#isDeleting(table))) continue;
      for (let at = 0; at < due.length; at += channelsAtOnce) {
        const some = due.slice(at, at + channelsAtOnce);
        await this.#deleteOf(table, some, now);
        for (const channel of some) this.#done.set(keyOf(channel), cutoffOf(channel));
      }
    }
  }

  /** True while the server works on an earlier deletion. */
  async #isDeleting(table: string): Promise<boolean> {
    const rows = await this.#store.rows(
      `SELECT 1 FROM system.mutations WHERE database = '${this.#store.address.database}' AND table = '${table}' AND is_done = 0 LIMIT 1`,
    );
    return rows.length > 0;
  }

  async #deleteOf(table: string, channels: readonly ChannelRetention[], now: Date): Promise<void> {
    const name = `${this.#store.address.database}.${table}`;
    const conditions = channels.map((channel) => conditionOf(channel, retentionCutoff(channel.retention_days, now)));
    const found = new Set(
      (await this.#store.rows(`SELECT DISTINCT channel_pk FROM ${name} WHERE ${conditions.join(' OR ')}`)).map(([pk]) => Number(pk)),
    );
    const older = conditions.filter((_, place) => found.has(channels[place]?.channel_pk ?? 0));
    if (older.length > 0) await this.#store.ask(`ALTER TABLE ${name} DELETE WHERE ${older.join(' OR ')}`);
  }
}

/** The id finds the rows by the key of the table; the number tells a channel from a deleted one that had the same id. */
const conditionOf = ({ channel_pk, channel_id }: ChannelRetention, cutoff: Date): string =>
  `(channel_id = '${field(channel_id).replaceAll("'", "\\'")}' AND channel_pk = ${channel_pk} AND time < toDateTime(${cutoff.getTime() / 1000}))`;
