import { messageIdWindowMs, packetIdWindowMs } from '@telltale/domain/uplinks/limits.ts';
import type { Entry, UplinkEntry } from './entry.ts';
import type { WriteConnection } from './write-connection.ts';

/** The entries of a batch that were stored before, by index, and the ids of the new ones. */
export interface RepeatedEntries {
  indexes: Set<number>;
  newIds: string[];
}

export interface Repetitions {
  /** Messages that have been stored before, with their uplink ids. */
  whole: Map<Entry, string>;
  entries: Map<UplinkEntry, RepeatedEntries>;
}

const hasIds = ({ uplink }: UplinkEntry) => uplink.id !== null || uplink.entryIds !== null;
const idsOf = ({ uplink }: UplinkEntry): readonly (string | null)[] => (uplink.id === null ? (uplink.entryIds ?? []) : [uplink.id]);
const mayRepeat = (entry: Entry): entry is UplinkEntry => entry.kind === 'uplink' && (entry.isRepeat || hasIds(entry));

/** The keys of messages and entries that have ids of their own. */
export const messageKeys = (batch: readonly Entry[]): string[] =>
  batch.filter(mayRepeat).flatMap((entry) => idsOf(entry).flatMap((id) => (id === null ? [] : [`${entry.device.pk} ${id}`])));

export const mayHoldRepetitions = (batch: readonly Entry[]): boolean => batch.some(mayRepeat);

/**
 * iot-behaviour 1.9: finds the messages that were stored before. A message, or an entry of a batch, with an id of its own is recognised by
 * it; one that its sender marks as a repetition, by its packet id and its bytes. The flush before this one has ended.
 */
export async function findRepetitions(connection: WriteConnection, batch: readonly Entry[]): Promise<Repetitions> {
  const candidates = batch.filter(mayRepeat);
  // A killed writer may have left a transaction that is still being committed: it locks its mark until then.
  if (candidates.some(({ isRepeat }) => isRepeat)) await connection.query('select from console.ingest_marks for share');
  const known = new Known(
    await knownIds(connection, candidates.filter(hasIds)),
    await knownPackets(
      connection,
      candidates.filter(({ uplink, packet_id, isRepeat }) => isRepeat && uplink.id === null && packet_id !== null),
    ),
  );
  const found: Repetitions = { whole: new Map(), entries: new Map() };
  for (const entry of batch) if (entry.kind === 'uplink') recognize(entry, known, found);
  return found;
}

function recognize(entry: UplinkEntry, known: Known, found: Repetitions): void {
  const original = entry.uplink.id === null ? known.packet(entry) : undefined;
  if (original) {
    found.whole.set(entry, original);
    return;
  }
  if (!hasIds(entry)) return;
  const ids = idsOf(entry);
  const indexes = new Set<number>();
  const newIds: string[] = [];
  let first: string | undefined;
  for (const [index, id] of ids.entries()) {
    if (id === null) continue;
    const before = known.id(entry, id);
    if (before === undefined) newIds.push(id);
    else indexes.add(index);
    first ??= before;
  }
  if (first !== undefined && indexes.size === ids.length) found.whole.set(entry, first);
  else if (entry.uplink.entryIds) found.entries.set(entry, { indexes, newIds });
}

/** Messages on disk, and messages that wait for the same flush. */
class Known {
  readonly #ids: Map<string, string>;
  readonly #stored: Map<UplinkEntry, string>;
  readonly #packets = new Map<string, UplinkEntry[]>();

  constructor(ids: Map<string, string>, stored: Map<UplinkEntry, string>) {
    this.#ids = ids;
    this.#stored = stored;
  }

  id({ device, uplink_id }: UplinkEntry, id: string): string | undefined {
    const key = `${device.pk} ${id}`;
    const original = this.#ids.get(key);
    if (original === undefined) this.#ids.set(key, uplink_id);
    return original;
  }

  packet(entry: UplinkEntry): string | undefined {
    const { device, packet_id, raw, topic, isRepeat } = entry;
    if (packet_id === null) return undefined;
    const stored = this.#stored.get(entry);
    if (stored) return stored;
    const key = `${device.pk} ${packet_id}`;
    const before = this.#packets.get(key) ?? [];
    const original = isRepeat ? before.find((other) => other.topic === topic && other.raw.equals(raw)) : undefined;
    if (!original) this.#packets.set(key, [...before, entry]);
    return original?.uplink_id;
  }
}

const since = (entries: UplinkEntry[], windowMs: number) =>
  new Date(Math.min(...entries.map(({ receivedAt }) => receivedAt)) / 1000 - windowMs).toISOString();

async function knownIds(connection: WriteConnection, entries: UplinkEntry[]): Promise<Map<string, string>> {
  if (entries.length === 0) return new Map();
  const wanted = entries.flatMap((entry) => idsOf(entry).flatMap((id) => (id === null ? [] : [{ pk: entry.device.pk, id }])));
  const rows = await connection.query<{ device_pk: number; message_id: string; uplink_id: string }>(
    `select w.device_pk, w.message_id, found.uplink_id from unnest($1::int[], $2::text[]) as w(device_pk, message_id)
     cross join lateral (
       select uplink_id from telemetry.uplink u where u.device_pk = w.device_pk and u.message_id = w.message_id and u.received_at > $3
       union all
       select uplink_id from telemetry.entry_id e where e.device_pk = w.device_pk and e.message_id = w.message_id and e.received_at > $3
       limit 1) found`,
    [wanted.map(({ pk }) => pk), wanted.map(({ id }) => id), since(entries, messageIdWindowMs)],
  );
  return new Map(rows.map(({ device_pk, message_id, uplink_id }) => [`${device_pk} ${message_id}`, uplink_id]));
}

async function knownPackets(connection: WriteConnection, entries: UplinkEntry[]): Promise<Map<UplinkEntry, string>> {
  if (entries.length === 0) return new Map();
  const rows = await connection.query<{ index: number; uplink_id: string }>(
    `select distinct on (index) index - 1 as index, u.uplink_id
     from unnest($1::int[], $2::int[], $3::bytea[], $4::text[], $5::int[]) with ordinality as w(device_pk, packet_id, raw, encoding, fport, index)
     join telemetry.uplink u on u.device_pk = w.device_pk and u.packet_id = w.packet_id and u.raw = w.raw and u.encoding = w.encoding
       and u.fport is not distinct from w.fport and u.received_at > $6`,
    [
      entries.map(({ device }) => device.pk),
      entries.map(({ packet_id }) => packet_id),
      entries.map(({ raw }) => raw),
      entries.map(({ uplink }) => uplink.encoding),
      entries.map(({ uplink }) => uplink.fport),
      since(entries, packetIdWindowMs),
    ],
  );
  return new Map(rows.map(({ index, uplink_id }) => [entries[index] as UplinkEntry, uplink_id]));
}
