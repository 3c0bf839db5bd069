import { messageIdWindowMs, packetIdWindowMs } from '@telltale/domain/uplinks/limits.ts';
import type { Entry, UplinkEntry } from './entry.ts';
import type { WriteConnection } from './write-connection.ts';

const mayRepeat = (entry: Entry): entry is UplinkEntry => entry.kind === 'uplink' && (entry.isRepeat || entry.uplink.id !== null);

export const mayHoldRepetitions = (batch: readonly Entry[]): boolean => batch.some(mayRepeat);

/**
 * iot-behaviour 1.9: which of these have been stored before, and as what. A message with an id of its own is known by it; one
 * that its sender marks as a repetition, by its packet id and its bytes. The flush before this one has ended.
 */
export async function findRepetitions(connection: WriteConnection, batch: readonly Entry[]): Promise<Map<Entry, string>> {
  const found = new Map<Entry, string>();
  const candidates = batch.filter(mayRepeat);
  const byId = candidates.filter(({ uplink }) => uplink.id !== null);
  const byPacket = candidates.filter(({ uplink, packet_id }) => uplink.id === null && packet_id !== null);
  for (const [index, uplinkId] of await knownIds(connection, byId)) found.set(byId[index] as Entry, uplinkId);
  for (const [index, uplinkId] of await knownPackets(connection, byPacket)) found.set(byPacket[index] as Entry, uplinkId);
  amongThemselves(batch, found);
  return found;
}

type Hit = { index: number; uplink_id: string };
const pairsOf = (rows: Hit[]) => rows.map(({ index, uplink_id }) => [index, uplink_id] as const);
const since = (entries: UplinkEntry[], windowMs: number) =>
  new Date(Math.min(...entries.map(({ receivedAt }) => receivedAt)) / 1000 - windowMs).toISOString();

async function knownIds(connection: WriteConnection, entries: UplinkEntry[]) {
  if (entries.length === 0) return [];
  const rows = await connection.query<Hit>(
    `select distinct on (index) index - 1 as index, u.uplink_id
     from unnest($1::int[], $2::text[]) with ordinality as w(device_pk, message_id, index)
     join telemetry.uplink u on u.device_pk = w.device_pk and u.message_id = w.message_id and u.received_at > $3`,
    [entries.map(({ device }) => device.pk), entries.map(({ uplink }) => uplink.id), since(entries, messageIdWindowMs)],
  );
  return pairsOf(rows);
}

async function knownPackets(connection: WriteConnection, entries: UplinkEntry[]) {
  if (entries.length === 0) return [];
  // A writer that was killed may have left a transaction that is still being committed: it holds its mark until it is.
  await connection.query('select from console.ingest_marks for share');
  const rows = await connection.query<Hit>(
    `select distinct on (index) index - 1 as index, u.uplink_id
     from unnest($1::int[], $2::int[], $3::bytea[]) with ordinality as w(device_pk, packet_id, raw, index)
     join telemetry.uplink u on u.device_pk = w.device_pk and u.packet_id = w.packet_id and u.raw = w.raw and u.received_at > $4`,
    [
      entries.map(({ device }) => device.pk),
      entries.map(({ packet_id }) => packet_id),
      entries.map(({ raw }) => raw),
      since(entries, packetIdWindowMs),
    ],
  );
  return pairsOf(rows);
}

/** The original may be waiting for the same flush. */
function amongThemselves(batch: readonly Entry[], found: Map<Entry, string>): void {
  const ids = new Map<string, string>();
  const packets = new Map<string, UplinkEntry[]>();
  for (const entry of batch) {
    if (entry.kind !== 'uplink' || found.has(entry)) continue;
    const { device, uplink, packet_id, raw, uplink_id } = entry;
    if (uplink.id !== null) {
      const key = `${device.pk} ${uplink.id}`;
      const original = ids.get(key);
      if (original) found.set(entry, original);
      else ids.set(key, uplink_id);
    } else if (packet_id !== null) {
      const key = `${device.pk} ${packet_id}`;
      const before = packets.get(key) ?? [];
      const original = entry.isRepeat ? before.find((other) => other.raw.equals(raw)) : undefined;
      if (original) found.set(entry, original.uplink_id);
      else packets.set(key, [...before, entry]);
    }
  }
}
