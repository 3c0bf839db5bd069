import type { PointKind, Position } from '@telltale/domain/uplinks/record.ts';
import { CopyRows } from './copy-rows.ts';
import { dueStatement, type StoredPoint } from './flush-rows.ts';
import { LateTimes, lateMicros } from './late-times.ts';
import type { WriteConnection } from './write-connection.ts';

/** The newest reading of a series. Objects are kept and overwritten: new ones for each reading made the collector stop everything for 15 ms. */
interface Last {
  time: number;
  value: number | null;
  text: string | null;
  kind: PointKind;
  uplink_id: string | null;
  isDirty: boolean;
  /** On disk as it is here; while it is being written it is neither dirty nor stored. */
  isStored: boolean;
}

/** What is known about a device; only dirty parts are written. */
interface DeviceState {
  series: Map<number, Last>;
  receivedAt: number;
  position: Position | null;
  /** When it was last written that the device was seen, so that a busy device does not cost a row version a second. */
  seenWrittenAt: number;
  isSeenDirty: boolean;
  /** The first report that has not been written yet. */
  since: number;
}

type Device = [pk: number, state: DeviceState];

/** What one transaction writes. */
interface Slice {
  values: { pk: number; id: number; last: Last }[];
  seen: Device[];
}

const seenEveryMs = 10_000;
const timeoutMs = 30_000;
/** The number of devices written in one transaction: it takes some milliseconds, for which uplinks do not notice that a processor is busy. */
const devicesPerSlice = 150;
const mostDevices = 200_000;

/**
 * design 9: last values are not written with every point but once a second, each series once. Values lost in a crash are rebuilt from the
 * points (rebuild.ts).
 */
export class LastValues {
  readonly #devices = new Map<number, DeviceState>();
  /** Devices with parts that are not written yet. */
  #dirty = new Set<number>();
  readonly #rows = { last: new CopyRows(7), seen: new CopyRows(4, 4096), due: new CopyRows(3, 256) };

  note({ device_pk, attribute_id, time, value, text, kind, uplink_id }: StoredPoint): void {
    const { series } = this.#deviceOf(device_pk);
    const known = series.get(attribute_id);
    if (!known) series.set(attribute_id, { time, value, text, kind: kind as PointKind, uplink_id, isDirty: true, isStored: false });
    // Late data never moves "last" backwards. What is stored is compared by the database: points may have been deleted since.
    else if (known.isStored || time >= known.time) {
      known.time = time;
      known.value = value;
      known.text = text;
      known.kind = kind as PointKind;
      known.uplink_id = uplink_id;
      known.isDirty = true;
      known.isStored = false;
    } else return;
    this.#dirty.add(device_pk);
  }

  saw(devicePk: number, receivedAt: number, position: Position | null): void {
    const state = this.#deviceOf(devicePk);
    if (!state.isSeenDirty) state.since = receivedAt;
    state.receivedAt = Math.max(state.receivedAt, receivedAt);
    state.position = position ?? state.position;
    state.isSeenDirty = true;
    if (position) state.seenWrittenAt = 0;
    this.#dirty.add(devicePk);
  }

  #deviceOf(pk: number): DeviceState {
    let state = this.#devices.get(pk);
    if (!state) {
      state = { series: new Map(), receivedAt: 0, position: null, seenWrittenAt: 0, isSeenDirty: false, since: 0 };
      this.#devices.set(pk, state);
    }
    return state;
  }

  /**
   * Writes everything noted so far, some devices at a time; `pause` is awaited between two transactions with the milliseconds that the last one
   * took. After a fault (such as two writers of the same series) what was not written stays dirty. `isLast` leaves nothing for later.
   */
  async write(connection: WriteConnection, writer: string, isLast: boolean, pause: (tookMs: number) => Promise<void>): Promise<void> {
    if (this.#dirty.size === 0) return;
    const settledAt = new Date().toISOString();
    const due = [...this.#dirty];
    let isFirst = true;
    for (let at = 0; at < due.length; at += devicesPerSlice) {
      const isEnd = at + devicesPerSlice >= due.length;
      const slice = this.#take(due.slice(at, at + devicesPerSlice), isLast);
      if (slice.values.length === 0 && slice.seen.length === 0 && (!isEnd || isFirst)) continue;
      isFirst = false;
      const startedAt = performance.now();
      await this.#writeSlice(connection, slice, isEnd ? markStatement(writer, settledAt) : undefined);
      if (!isEnd) await pause(performance.now() - startedAt);
    }
    if (this.#devices.size > mostDevices) for (const pk of this.#devices.keys()) if (!this.#dirty.has(pk)) this.#devices.delete(pk);
  }

  /** Takes what is due of these devices; it counts as written from here on. */
  #take(pks: readonly number[], isLast: boolean): Slice {
    const slice: Slice = { values: [], seen: [] };
    const now = Date.now();
    for (const pk of pks) {
      const state = this.#deviceOf(pk);
      for (const [id, last] of state.series) {
        if (!last.isDirty) continue;
        last.isDirty = false;
        slice.values.push({ pk, id, last });
      }
      if (state.isSeenDirty && (isLast || now - state.seenWrittenAt >= seenEveryMs)) slice.seen.push([pk, state]);
      else if (state.isSeenDirty) continue;
      this.#dirty.delete(pk);
    }
    return slice;
  }

  async #writeSlice(connection: WriteConnection, { values, seen }: Slice, mark: string | undefined): Promise<void> {
    const now = Date.now();
    // Rollups of the last minutes cover the devices that were seen in them, so a late write reports its minutes.
    const late = new LateTimes();
    for (const [pk, { since, receivedAt }] of seen) if (now * 1000 - since > lateMicros) late.noteSpan(pk, since, receivedAt);
    const before = seen.map(([, { since }]) => since);
    for (const [, state] of seen) Object.assign(state, { isSeenDirty: false, seenWrittenAt: now });
    try {
      const copies = this.#copies(values, seen, late);
      await connection.write(this.#text(values.length > 0, seen.length > 0, mark), copies, timeoutMs);
      for (const { last } of values) last.isStored = !last.isDirty;
    } catch (error) {
      for (const { pk, last } of values) {
        last.isDirty = true;
        this.#dirty.add(pk);
      }
      for (const [place, [pk, state]] of seen.entries()) {
        Object.assign(state, { isSeenDirty: true, seenWrittenAt: 0, since: before[place] });
        this.#dirty.add(pk);
      }
      throw error;
    }
  }

  #text(hasValues: boolean, hasSeen: boolean, mark: string | undefined): string {
    return [
      hasValues &&
        `create temp table if not exists new_last (like telemetry.metric_last) on commit delete rows;
         copy new_last (device_pk, attribute_id, time, value, value_text, kind, uplink_id) from stdin (format binary);
         merge into telemetry.metric_last last using new_last on last.device_pk = new_last.device_pk and last.attribute_id = new_last.attribute_id
         when matched and new_last.time >= last.time then update set time = new_last.time, value = new_last.value,
           value_text = new_last.value_text, kind = new_last.kind, uplink_id = new_last.uplink_id
         when not matched then insert (device_pk, attribute_id, time, value, value_text, kind, uplink_id)
           values (new_last.device_pk, new_last.attribute_id, new_last.time, new_last.value, new_last.value_text, new_last.kind, new_last.uplink_id);
         update telemetry.device_attribute known set last_seen = new_last.time, last_kind = new_last.kind from new_last
         where known.device_pk = new_last.device_pk and known.attribute_id = new_last.attribute_id
           and (known.last_seen < new_last.time - interval '1 hour' or known.last_kind <> new_last.kind)`,
      hasSeen &&
        `create temp table if not exists new_seen (device_pk integer, seen_at timestamptz, latitude float8, longitude float8) on commit delete rows;
         copy new_seen from stdin (format binary);
         insert into telemetry.device_state as state (device_pk, last_seen_at, latitude, longitude)
         select device_pk, seen_at, latitude, longitude from new_seen where exists (select from telemetry.device where id = device_pk)
         order by device_pk
         on conflict (device_pk) do update set last_seen_at = greatest(state.last_seen_at, excluded.last_seen_at),
           latitude = coalesce(excluded.latitude, state.latitude), longitude = coalesce(excluded.longitude, state.longitude)`,
      this.#rows.due.count > 0 && dueStatement,
      mark,
    ]
      .filter(Boolean)
      .join(';\n');
  }

  #copies(values: Slice['values'], seen: readonly Device[], late: LateTimes): Buffer[] {
    const rows = this.#rows;
    for (const each of Object.values(rows)) each.clear();
    for (const [pk, from, to] of late) rows.due.row().int4(pk).time(from).time(to);
    for (const { pk, id, last } of values)
      rows.last.row().int4(pk).int4(id).time(last.time).float8(last.value).text(last.text).ascii(last.kind).text(last.uplink_id);
    for (const [pk, { receivedAt, position }] of seen) {
      rows.seen
        .row()
        .int4(pk)
        .time(receivedAt)
        .float8(position?.latitude ?? null)
        .float8(position?.longitude ?? null);
    }
    return [rows.last, rows.seen, rows.due].filter(({ count }) => count > 0).map((each) => each.bytes());
  }
}

/** Everything that was received before this time has been written. */
const markStatement = (writer: string, settledAt: string) =>
  `update console.ingest_marks set settled_at = '${settledAt}' where writer = '${writer}'`;
