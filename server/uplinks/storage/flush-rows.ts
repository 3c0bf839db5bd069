import { retentionDays } from '@telltale/domain/uplinks/retention.ts';
import type { Match } from '../watchers.ts';
import { CopyRows } from './copy-rows.ts';
import type { RejectionEntry, UplinkEntry } from './entry.ts';
import type { LateTimes } from './late-times.ts';
import type { NewPairs } from './series.ts';

/** The number of bytes kept of a rejected payload (iot-behaviour 1.10). */
const rejectedBytes = 256;

const uplinkColumns =
  'uplink_id, device_pk, received_at, time, first_time, source, fport, fcnt, encoding, raw, meta, status, warnings, errors, points, message_id, packet_id, decoder_version';
const pointColumns = 'time, device_pk, attribute_id, value, value_text, kind, uplink_id';
const entryIdColumns = 'device_pk, message_id, received_at, uplink_id';
export const dueStatement = 'copy telemetry.rollup_due (device_pk, from_time, to_time) from stdin (format binary)';
const matchColumns = 'watcher, uplink_id, subject_id, device_pk, at, payload, writer';
const rejectedColumns = 'uplink_id, channel_pk, device_pk, device_id, time, topic, code, message, payload, bytes';

export interface Counts {
  received: number;
  stored: number;
  duplicate: number;
  rejected: number;
  codes: Record<string, number>;
}

/** Nothing counted yet. */
export const noCounts = (): Counts => ({ received: 0, stored: 0, duplicate: 0, rejected: 0, codes: {} });

/** A reading on its way to disk. */
export interface StoredPoint {
  time: number;
  device_pk: number;
  attribute_id: number;
  value: number | null;
  text: string | null;
  kind: string;
  uplink_id: string | null;
}

/** The rows of one flush, and the statements that insert them; the buffers are reused. */
export class FlushRows {
  readonly #uplinks = new CopyRows(18, 512 * 1024);
  readonly #points = new CopyRows(7, 512 * 1024);
  readonly #staged = new CopyRows(8);
  readonly #rejected = new CopyRows(10, 4096);
  readonly #entryIds = new CopyRows(4, 4096);
  readonly #due = new CopyRows(3, 4096);
  readonly #matches = new CopyRows(7, 4096);

  get #all(): CopyRows[] {
    return [this.#uplinks, this.#points, this.#staged, this.#rejected, this.#entryIds, this.#due, this.#matches];
  }

  clear(): void {
    for (const rows of this.#all) rows.clear();
  }

  uplink(
    { uplink_id, device, receivedAt, source, raw, uplink, fcnt, packet_id }: UplinkEntry,
    times: { time: number; first: number },
  ): void {
    const { fport, encoding, meta, warnings, errors, points, id, decoder_version } = uplink;
    this.#uplinks
      .row()
      .ascii(uplink_id)
      .int4(device.pk)
      .time(receivedAt)
      .time(times.time)
      .time(times.first === times.time ? null : times.first)
      .ascii(source)
      .int2(fport)
      .int8(fcnt)
      .ascii(encoding)
      .bytea(raw)
      .jsonb(meta)
      .ascii(errors.length > 0 ? 'partial' : 'stored')
      .texts(warnings)
      .texts(errors)
      .int4(points.length)
      .text(id)
      .int4(packet_id)
      .int4(decoder_version ?? null);
  }

  /** iot-behaviour 1.9: stores the id by which an entry of a batch is recognised when it comes again. */
  entryId({ device, receivedAt, uplink_id }: UplinkEntry, id: string): void {
    this.#entryIds.row().int4(device.pk).text(id).time(receivedAt).ascii(uplink_id);
  }

  /** Minutes that have to be counted again (rollups.ts). */
  due(late: LateTimes): void {
    for (const [pk, from, to] of late) this.#due.row().int4(pk).time(from).time(to);
  }

  match({ watcher, uplink_id, subject_id, device_pk, at, payload }: Match, writer: string): void {
    this.#matches.row().ascii(watcher).ascii(uplink_id).int4(subject_id).int4(device_pk);
    this.#matches
      .time(Date.parse(at) * 1000)
      .jsonb(payload)
      .uuid(writer);
  }

  /** A time that Telltale assigned is new; one of the device's own may exist already, and is then replaced. */
  point(point: StoredPoint, isOwnTime: boolean): void {
    const rows = isOwnTime ? this.#staged : this.#points;
    rows.row().time(point.time).int4(point.device_pk).int4(point.attribute_id).float8(point.value).text(point.text).ascii(point.kind);
    if (point.uplink_id === null) rows.null();
    else rows.ascii(point.uplink_id);
    if (isOwnTime) rows.int4(rows.count);
  }

  rejection({ uplink_id, channel, device, device_id, receivedAt, topic, code, message, payload }: RejectionEntry): void {
    this.#rejected
      .row()
      .ascii(uplink_id)
      .int4(channel.pk)
      .int4(device?.pk ?? null)
      .text(withoutNul(device_id))
      .time(receivedAt)
      .text(withoutNul(topic))
      .text(code)
      .text(withoutNul(message))
      .bytea(payload.subarray(0, rejectedBytes))
      .int4(payload.length);
  }

  /** Writes a whole flush in one transaction. The mark comes first: a look at its outcome waits for the end of the transaction. */
  statements(mark: { writer: string; slot: number; seq: number; counts: Counts }, pairs: NewPairs, notice: string | undefined): string {
    const { writer, slot, seq, counts } = mark;
    const { received, stored, duplicate, rejected, codes } = counts;
    return [
      `insert into console.ingest_marks as m (writer, slot, seq, received, stored, duplicate, rejected, codes)
       values ('${writer}', ${slot}, ${seq}, ${received}, ${stored}, ${duplicate}, ${rejected}, '${JSON.stringify(codes)}')
       on conflict (writer, slot) do update set seq = excluded.seq, received = m.received + excluded.received,
         stored = m.stored + excluded.stored, duplicate = m.duplicate + excluded.duplicate, rejected = m.rejected + excluded.rejected
         ${rejected > 0 ? `, codes = ${addedCodes('m.codes', 'excluded.codes')}` : ''}`,
      this.#uplinks.count > 0 && `copy telemetry.uplink (${uplinkColumns}) from stdin (format binary)`,
      this.#points.count > 0 && `copy telemetry.metric_point (${pointColumns}) from stdin (format binary)`,
      this.#staged.count > 0 &&
        `copy staged_point (${pointColumns}, ord) from stdin (format binary);
         insert into telemetry.metric_point (${pointColumns})
         select distinct on (device_pk, attribute_id, time) ${pointColumns} from staged_point order by device_pk, attribute_id, time, ord desc
         on conflict (device_pk, attribute_id, time) do update set value = excluded.value, value_text = excluded.value_text,
           kind = excluded.kind, uplink_id = excluded.uplink_id`,
      this.#rejected.count > 0 && `copy telemetry.uplink_rejected (${rejectedColumns}) from stdin (format binary)`,
      this.#entryIds.count > 0 && `copy telemetry.entry_id (${entryIdColumns}) from stdin (format binary)`,
      this.#due.count > 0 && dueStatement,
      this.#matches.count > 0 && `copy console.uplink_matches (${matchColumns}) from stdin (format binary)`,
      pairs.byDevice.size > 0 && pairStatement(pairs),
      notice !== undefined && `notify telltale_uplinks, '${notice}'`,
    ]
      .filter(Boolean)
      .join(';\n');
  }

  copies(): Buffer[] {
    return this.#all.filter(({ count }) => count > 0).map((rows) => rows.bytes());
  }
}

/** Foreign text without U+0000, the one character that the database cannot keep. */
const withoutNul = (text: string) => text.replaceAll('\0', '');

/** The sums of two objects of counts by code, as SQL. */
export const addedCodes = (left: string, right: string): string =>
  `(select coalesce(jsonb_object_agg(key, n), '{}') from (select key, sum(value::bigint) as n
    from (select * from jsonb_each_text(${left}) union all select * from jsonb_each_text(${right})) each group by key) summed)`;

/** The pairs are sorted, so that two writers never deadlock. */
function pairStatement(pairs: NewPairs): string {
  const rows = [...pairs.byDevice].flatMap(([pk, ids]) => [...ids].map((id) => [pk, id] as const));
  rows.sort(([pkA, idA], [pkB, idB]) => pkA - pkB || idA - idB);
  return `insert into telemetry.device_attribute (device_pk, attribute_id, first_seen, last_seen, last_kind)
    select w.device_pk, w.attribute_id, now(), now(), a.kind_seen
    from (values ${rows.map(([pk, id]) => `(${pk}, ${id})`).join(',')}) as w(device_pk, attribute_id)
    join telemetry.attribute a on a.id = w.attribute_id join telemetry.device d on d.id = w.device_pk
    order by 1, 2 on conflict do nothing`;
}

/** Points before this time are not stored any more. */
export const oldestPoint = (nowMicros: number): number => nowMicros - (retentionDays.point - 1) * 86_400_000_000;
