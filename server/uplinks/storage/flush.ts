import { dayOf } from '@telltale/domain/uplinks/retention.ts';
import type { Outcome } from '../../networks/uplink-sink.ts';
import type { Match, Watchers } from '../watchers.ts';
import type { Entry, UplinkEntry } from './entry.ts';
import { type Counts, FlushRows, noCounts, type StoredPoint } from './flush-rows.ts';
import type { LastValues } from './last-values.ts';
import { LateTimes, lateMicros } from './late-times.ts';
import type { Partitions } from './partitions.ts';
import { findRepetitions, mayHoldRepetitions, messageKeys, type RepeatedEntries } from './repetitions.ts';
import { NewPairs, pointTime, type SeriesBook, UnknownNames } from './series.ts';
import { type WriteConnection, WriteFault } from './write-connection.ts';

export interface StoreParts {
  /** The id of this process. */
  writer: string;
  series: SeriesBook;
  last: LastValues;
  partitions: Partitions;
  watchers?: Watchers | undefined;
}

/** Notifications are short; with more devices than fit in one, all listeners look. */
const longestNotice = 7500;

/** A writer of a shard: its connection, its buffers and the count of its commits. */
export class FlushSlot {
  readonly slot: number;
  readonly #parts: StoreParts;
  readonly #connection: WriteConnection;
  readonly #rows = new FlushRows();
  #seq = 0;
  /** The flush whose outcome is unknown, because the connection broke while it was written. */
  #unsureOf: Flush | undefined;
  #hasLocks = false;
  isBusy = false;

  constructor(slot: number, connection: WriteConnection, parts: StoreParts) {
    this.slot = slot;
    this.#connection = connection;
    this.#parts = parts;
  }

  /** Determines everything that is needed before rows can be written; in the order of arrival, one flush after the other. */
  async prepare(batch: readonly Entry[], previous: Promise<unknown>): Promise<Flush> {
    const { series } = this.#parts;
    const flush = new Flush(batch);
    const strangers = flush.devices().filter((pk) => !series.deviceOf(pk));
    if (strangers.length > 0) await series.loadDevices(this.#connection, strangers);
    if (mayHoldRepetitions(batch)) {
      await previous;
      const ids = messageKeys(batch);
      if (ids.length > 0) await this.#lock(ids);
      const found = await findRepetitions(this.#connection, batch);
      flush.repetitions = found.whole;
      flush.leaveOut(found.entries);
      // Another process may have stored the original a moment ago.
      if (found.whole.size > 0) await this.#parts.watchers?.catchUp([...found.whole.keys()].flatMap(({ device }) => device?.pk ?? []));
    }
    const unknown = new UnknownNames();
    flush.resolve(series, unknown);
    if (unknown.size > 0) {
      await series.learn(this.#connection, unknown);
      flush.resolve(series, new UnknownNames());
    }
    flush.assignTimes(series);
    if (this.#parts.watchers) flush.watch(this.#parts.watchers);
    return flush;
  }

  /**
   * The same message may come by MQTT to one process and by HTTP to another at one moment: the second process looks for it after the first
   * has stored it. All keys are locked by one statement and in one order, so there is no deadlock; a broken connection releases them.
   */
  async #lock(ids: readonly string[]): Promise<void> {
    this.#hasLocks = true;
    await this.#connection.query(
      'select pg_advisory_lock(key) from (select distinct hashtextextended(id, 20251) as key from unnest($1::text[]) as id order by 1) keys',
      [ids],
    );
  }

  /** Call after the flush has been written or given up. */
  async unlock(): Promise<void> {
    if (!this.#hasLocks) return;
    this.#hasLocks = false;
    if (this.#connection.isOpen) await this.#connection.query('select pg_advisory_unlock_all()').catch(() => {});
  }

  /** Resolves when the flush is on disk. A fault leaves nothing behind, and the same flush can be written again. */
  async write(flush: Flush, timeoutMs: number): Promise<void> {
    // The connection broke during an earlier attempt: nothing is written again before the outcome of that attempt is known. It may have
    // been an attempt at another flush, which was given up: its outcome says nothing about this one.
    const unsureOf = this.#unsureOf;
    if (unsureOf && (await this.#wasWritten()) && unsureOf === flush) return;
    const { partitions, writer } = this.#parts;
    const { uplinkDays, pointDays, entryIdDays } = flush.days();
    try {
      await partitions.ensure('uplink', uplinkDays);
      await partitions.ensure('metric_point', pointDays);
      await partitions.ensure('entry_id', entryIdDays);
    } catch (error) {
      throw new WriteFault(error instanceof Error ? error : new Error(String(error)), false);
    }
    this.#rows.clear();
    flush.fill(this.#rows);
    for (const match of flush.matches) this.#rows.match(match, writer);
    const mark = { writer, slot: this.slot, seq: this.#seq + 1, counts: flush.counts() };
    try {
      await this.#connection.write(this.#rows.statements(mark, flush.pairs, flush.notice()), this.#rows.copies(), timeoutMs);
    } catch (error) {
      this.#unsureOf = error instanceof WriteFault && error.isUnknown ? flush : undefined;
      if (!this.#unsureOf || !(await this.#wasWritten())) throw error;
      return;
    }
    this.#seq++;
  }

  /** Reads the mark, which a lost transaction locks until it has ended, to learn the outcome. */
  async #wasWritten(): Promise<boolean> {
    const rows = await this.#connection.query<{ seq: number }>(
      'select seq from console.ingest_marks where writer = $1 and slot = $2 for update',
      [this.#parts.writer, this.slot],
    );
    this.#unsureOf = undefined;
    if ((rows[0]?.seq ?? 0) <= this.#seq) return false;
    this.#seq++;
    return true;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

/** The messages of one transaction with the facts about them. */
export class Flush {
  readonly batch: readonly Entry[];
  repetitions = new Map<Entry, string>();
  pairs = new NewPairs();
  /** Set when a time that was thought to be new is not: then all points are inserted with a conflict check. */
  isCareful = false;
  /** Ids of new entries, by the batch that brings them. */
  #entryIds = new Map<UplinkEntry, readonly string[]>();
  #attributes = new Map<Entry, (number | null)[]>();
  readonly #times = new Map<Entry, number>();
  readonly matches: Match[] = [];

  constructor(batch: readonly Entry[]) {
    this.batch = batch;
  }

  devices(): number[] {
    return this.batch.flatMap(({ kind, device }) => (kind === 'rejection' || !device ? [] : [device.pk]));
  }

  /** Removes entries of a batch that have been stored before; the others are stored as usual. */
  leaveOut(repeated: Map<UplinkEntry, RepeatedEntries>): void {
    for (const [entry, { indexes, newIds }] of repeated) {
      if (newIds.length > 0) this.#entryIds.set(entry, newIds);
      if (indexes.size === 0) continue;
      const { uplink } = entry;
      uplink.points = uplink.points.filter((point) => !indexes.has(point.entry));
      if (!uplink.warnings.includes('duplicate_entries')) uplink.warnings.push('duplicate_entries');
    }
  }

  resolve(series: SeriesBook, unknown: UnknownNames): void {
    this.pairs = new NewPairs();
    for (const entry of this.batch) {
      if (entry.kind === 'rejection' || this.repetitions.has(entry)) continue;
      this.#attributes.set(entry, series.resolve(entry.device, pointsOf(entry), unknown, this.pairs));
    }
  }

  /** Attributes beyond the limit are named in the errors of their message (iot-behaviour 1.6). */
  assignTimes(series: SeriesBook): void {
    for (const [entry, ids] of this.#attributes) {
      const points = pointsOf(entry);
      if (entry.kind === 'uplink' && ids.includes(null)) {
        const left = points.filter((_, index) => ids[index] === null).map(({ name }) => name);
        entry.uplink.errors.push(
          `too_many_attributes: ${left.slice(0, 3).join(', ')} ${left.length > 3 ? `and ${left.length - 3} more ` : ''}not stored`,
        );
        entry.uplink.points = points.filter((_, index) => ids[index] !== null);
        this.#attributes.set(
          entry,
          ids.filter((id) => id !== null),
        );
      }
      const entries = points.length === 0 ? 1 : (points.at(-1)?.entry ?? 0) + 1;
      this.#times.set(entry, series.assignTime(entry.device?.pk ?? 0, entry.receivedAt, entries));
    }
  }

  /** Shows new messages to the watchers; duplicates match nothing. */
  watch(watchers: Watchers): void {
    for (const entry of this.batch) {
      if (entry.kind !== 'uplink' || this.repetitions.has(entry)) continue;
      if (!('matches' in entry)) entry.matches = watchers.match(entry, this.#times.get(entry) ?? entry.receivedAt);
      if (entry.matches) this.matches.push(...entry.matches);
    }
  }

  days(): { uplinkDays: Set<number>; pointDays: Set<number>; entryIdDays: Set<number> } {
    const [uplinkDays, pointDays] = [new Set<number>(), new Set<number>()];
    const entryIdDays = new Set([...this.#entryIds.keys()].map(({ receivedAt }) => dayOf(receivedAt)));
    for (const entry of this.#attributes.keys()) {
      if (entry.kind === 'uplink') uplinkDays.add(dayOf(entry.receivedAt));
      const assigned = this.#times.get(entry) ?? entry.receivedAt;
      for (const point of pointsOf(entry)) pointDays.add(dayOf(pointTime(point, assigned)));
    }
    return { uplinkDays, pointDays, entryIdDays };
  }

  fill(rows: FlushRows): void {
    for (const [entry, ids] of this.#entryIds) for (const id of ids) rows.entryId(entry, id);
    const late = new LateTimes();
    const now = Date.now() * 1000;
    for (const entry of this.batch) {
      if (entry.kind === 'rejection') {
        if (!entry.isQuiet) rows.rejection(entry);
      } else if (!this.repetitions.has(entry)) {
        let [time, first] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
        this.#eachPoint(entry, (point, isOwnTime) => {
          time = Math.max(time, point.time);
          first = Math.min(first, point.time);
          // Points that Telltale itself records do not count as activity of the device.
          if (entry.kind === 'note' || Math.abs(now - point.time) > lateMicros) late.note(point.device_pk, point.time);
          rows.point(point, isOwnTime || this.isCareful);
        });
        if (entry.kind === 'uplink') {
          const assigned = this.#times.get(entry) ?? entry.receivedAt;
          rows.uplink(entry, time === Number.NEGATIVE_INFINITY ? { time: assigned, first: assigned } : { time, first });
        }
      }
    }
    rows.due(late);
  }

  #eachPoint(entry: Exclude<Entry, { kind: 'rejection' }>, visit: (point: StoredPoint, isOwnTime: boolean) => void): void {
    const ids = this.#attributes.get(entry) ?? [];
    const assigned = this.#times.get(entry) ?? entry.receivedAt;
    const uplink_id = entry.kind === 'uplink' ? entry.uplink_id : null;
    const device_pk = entry.device.pk;
    pointsOf(entry).forEach((point, place) => {
      const { at, value, text, kind } = point;
      const attribute_id = ids[place];
      if (attribute_id == null) return;
      visit({ time: pointTime(point, assigned), device_pk, attribute_id, value, text, kind, uplink_id }, at !== null);
    });
  }

  /** The figures that these messages add to those of their writer. */
  counts(): Counts {
    const counts = noCounts();
    for (const entry of this.batch) {
      if (entry.kind === 'note') continue;
      counts.received++;
      if (entry.kind === 'rejection') {
        counts.rejected++;
        counts.codes[entry.code] = (counts.codes[entry.code] ?? 0) + 1;
      } else if (this.repetitions.has(entry)) counts.duplicate++;
      else counts.stored++;
    }
    return counts;
  }

  /**
   * Ids only: devices that reported, connected or disconnected, and repetitions with their originals (design 4); and when the earliest
   * message came, in milliseconds, because the commit may be late. Listeners read the tables.
   */
  notice(): string | undefined {
    const parts = new Set<string>();
    let cameAt = Number.POSITIVE_INFINITY;
    for (const entry of this.batch) {
      if (!entry.device || (entry.kind === 'rejection' && entry.isQuiet)) continue;
      const original = this.repetitions.get(entry);
      parts.add(original ? `${entry.device.pk}=${original}` : String(entry.device.pk));
      cameAt = Math.min(cameAt, entry.receivedAt);
    }
    if (parts.size === 0) return undefined;
    const text = [...parts].join(' ');
    return `${text.length > longestNotice ? '*' : text} @${Math.floor(cameAt / 1000)}`;
  }

  /** Called after the flush is on disk: updates last values and calls the waiting callbacks. */
  remember(last: LastValues): void {
    for (const [entry] of this.#attributes) {
      if (entry.kind === 'rejection') continue;
      this.#eachPoint(entry, (point) => last.note(point));
      if (entry.kind === 'uplink') last.saw(entry.device.pk, entry.receivedAt, entry.uplink.position);
    }
  }

  release(): void {
    for (const entry of this.batch) entry.done(this.#outcome(entry));
  }

  #outcome(entry: Entry): Outcome {
    const { uplink_id } = entry;
    if (entry.kind === 'rejection') return { status: 'rejected', uplink_id, code: entry.code, message: entry.message };
    const original = this.repetitions.get(entry);
    if (original) return { status: 'duplicate', uplink_id: original };
    if (entry.kind === 'note') return { status: 'stored', uplink_id, points: entry.points.length, warnings: [], errors: [] };
    const { points, warnings, errors } = entry.uplink;
    return { status: errors.length > 0 ? 'partial' : 'stored', uplink_id, points: points.length, warnings, errors };
  }
}

const pointsOf = (entry: Entry) => (entry.kind === 'uplink' ? entry.uplink.points : entry.kind === 'note' ? entry.points : []);
