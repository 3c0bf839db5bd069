import type { PointKind, Position } from '@telltale/domain/uplinks/record.ts';
import { CopyRows } from './copy-rows.ts';
import { dueStatement } from './flush-rows.ts';
import { LateTimes, lateMicros } from './late-times.ts';
import type { WriteConnection } from './write-connection.ts';

interface Last {
  time: number;
  value: number | null;
  text: string | null;
  kind: PointKind;
  uplink_id: string | null;
}

interface Seen {
  receivedAt: number;
  position: Position | null;
  /** The time of the last write, so that a busy device does not cost a row version a second. */
  writtenAt: number;
  isDirty: boolean;
  /** The first report that has not been written yet. */
  since: number;
}

const seenEveryMs = 10_000;
const timeoutMs = 30_000;

/**
 * design 9: last values are not written with every point but once a second, each series once. Values lost in a crash are rebuilt from the
 * points (rebuild.ts).
 */
export class LastValues {
  #values = new Map<number, Map<number, Last>>();
  readonly #seen = new Map<number, Seen>();
  readonly #rows = { last: new CopyRows(7), seen: new CopyRows(4, 4096), due: new CopyRows(3, 256) };

  note(devicePk: number, attributeId: number, last: Last): void {
    const device = this.#values.get(devicePk);
    if (!device) {
      this.#values.set(devicePk, new Map([[attributeId, last]]));
      return;
    }
    const known = device.get(attributeId);
    // Late data never moves "last" backwards.
    if (!known || last.time >= known.time) device.set(attributeId, last);
  }

  saw(devicePk: number, receivedAt: number, position: Position | null): void {
    const seen = this.#seen.get(devicePk);
    if (!seen) this.#seen.set(devicePk, { receivedAt, position, writtenAt: 0, isDirty: true, since: receivedAt });
    else {
      seen.receivedAt = Math.max(seen.receivedAt, receivedAt);
      seen.position = position ?? seen.position;
      if (!seen.isDirty) seen.since = receivedAt;
      seen.isDirty = true;
      if (position) seen.writtenAt = 0;
    }
  }

  /**
   * Writes everything noted so far; after a fault (such as two writers of the same series) it is noted again, unless a newer value has
   * come. `isLast` leaves nothing for later.
   */
  async write(connection: WriteConnection, writer: string, isLast = false): Promise<void> {
    const values = this.#values;
    const now = Date.now();
    const settledAt = new Date(now).toISOString();
    const seen = [...this.#seen].filter(([, each]) => each.isDirty && (isLast || now - each.writtenAt >= seenEveryMs));
    // Rollups of the last minutes cover the devices that were seen in them, so a late write reports its minutes.
    const late = new LateTimes();
    for (const [pk, { since, receivedAt }] of seen) if (now * 1000 - since > lateMicros) late.noteSpan(pk, since, receivedAt);
    const before = seen.map(([, { since }]) => since);
    if (values.size === 0 && seen.length === 0) return;
    this.#values = new Map();
    for (const [, each] of seen) Object.assign(each, { isDirty: false, writtenAt: now });
    try {
      const copies = this.#copies(values, seen, late);
      await connection.write(this.#text(values.size > 0, seen.length > 0, writer, settledAt), copies, timeoutMs);
    } catch (error) {
      for (const [pk, series] of values) for (const [id, last] of series) this.note(pk, id, last);
      for (const [place, [, each]] of seen.entries()) Object.assign(each, { isDirty: true, writtenAt: 0, since: before[place] });
      throw error;
    }
    if (this.#seen.size > 200_000) for (const [pk, each] of this.#seen) if (!each.isDirty) this.#seen.delete(pk);
  }

  #text(hasValues: boolean, hasSeen: boolean, writer: string, settledAt: string): string {
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
      `update console.ingest_marks set settled_at = '${settledAt}' where writer = '${writer}'`,
    ]
      .filter(Boolean)
      .join(';\n');
  }

  #copies(values: Map<number, Map<number, Last>>, seen: [number, Seen][], late: LateTimes): Buffer[] {
    const rows = this.#rows;
    for (const each of Object.values(rows)) each.clear();
    for (const [pk, from, to] of late) rows.due.row().int4(pk).time(from).time(to);
    for (const [pk, series] of values) {
      for (const [id, { time, value, text, kind, uplink_id }] of series)
        rows.last.row().int4(pk).int4(id).time(time).float8(value).text(text).ascii(kind).text(uplink_id);
    }
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
