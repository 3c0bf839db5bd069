import type { Db } from '../platform/database.ts';
import { type DirectoryRow, listChannels, listDevices, readClock } from './directory.store.ts';
import { field, type HistoryStore } from './history-store.ts';
import { channelColumns, deviceColumns } from './history-tables.ts';

/** Channels and devices in ClickHouse, as schema `app` shows them: a row is written when it is new, changed or gone. */
export class DirectoryCopy {
  readonly #store: HistoryStore;
  readonly #known = { device: new Map<number, string>(), channel: new Map<number, string>() };
  #isLoaded = false;

  constructor(store: HistoryStore) {
    this.#store = store;
  }

  hasDevice(pk: number): boolean {
    return this.#known.device.has(pk);
  }

  async refresh(db: Db): Promise<void> {
    if (!this.#isLoaded) await this.#load();
    // The database's clock: that of the next process that copies may be behind ours.
    const version = await readClock(db);
    await this.#copy('channel', channelColumns, await listChannels(db), version);
    await this.#copy('device', deviceColumns, await listDevices(db), version);
  }

  /** What another process left there: rows that are gone by now have to be deleted. */
  async #load(): Promise<void> {
    const { database } = this.#store.address;
    for (const table of ['device', 'channel'] as const) {
      const rows = await this.#store.rows(`SELECT ${table}_pk FROM ${database}.${table} FINAL WHERE is_deleted = 0`);
      for (const [pk] of rows) this.#known[table].set(Number(pk), '');
    }
    this.#isLoaded = true;
  }

  async #copy(table: 'device' | 'channel', columns: string, rows: readonly DirectoryRow[], version: number): Promise<void> {
    const known = this.#known[table];
    const lineOf = ({ values, times }: DirectoryRow) =>
      [...values.map(field), ...times.map((time) => (time === null ? '\\N' : this.#store.moment(time)))].join('\t');
    const lines = new Map(rows.map((row) => [row.pk, lineOf(row)]));
    const changed = [...lines].filter(([pk, line]) => known.get(pk) !== line);
    const gone = [...known.keys()].filter((pk) => !lines.has(pk));
    await this.#store.insert(
      table,
      columns,
      changed.map(([, line]) => `${line}\t${version}\t0`),
    );
    await this.#store.insert(
      table,
      `${table}_pk, version, is_deleted`,
      gone.map((pk) => `${pk}\t${version}\t1`),
    );
    for (const [pk, line] of changed) known.set(pk, line);
    for (const pk of gone) known.delete(pk);
  }
}
