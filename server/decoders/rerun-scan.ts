import type { RerunCounts } from '@telltale/domain/decoders/contract.ts';
import type { Decoded } from '../networks/uplink-decoder.ts';
import type { Db } from '../platform/database.ts';
import { oldestPoint } from '../uplinks/storage/flush-rows.ts';
import { uplinkInput } from './call-input.ts';
import { decodedPoints } from './decoded-points.ts';
import { readAnswer } from './engine/answer.ts';
import type { DecoderPool } from './engine/pool.ts';
import { attributeRoom, diffPoints, isOwn, type PointDiff, type StoredPoint } from './point-diff.ts';
import {
  listAttributeNames,
  listPoints,
  listRerunDevices,
  listUplinks,
  type RerunDevice,
  type RerunUplink,
  type Scope,
} from './reruns.store.ts';

/** Batches are small, so that their locks are short. */
const batchSize = 100;
const usualPort = 1;
/** Times that Telltale assigned lie shortly after the arrival (iot-behaviour 1.5). */
const assignedMicros = 60_000_000;

export interface Redecoded {
  uplink: RerunUplink;
  decoded: Decoded;
  /** Null when the script failed: the points then stay unchanged. */
  diff: PointDiff | null;
  before: StoredPoint[];
  /** Points that Telltale wrote itself; decoding again never changes them. */
  own: StoredPoint[];
}

export interface RerunBatch {
  device: RerunDevice;
  messages: Redecoded[];
}

export const noCounts = (): RerunCounts => ({ uplinks: 0, added: 0, changed: 0, gone: 0, failed: 0, kept: 0 });

export function countBatch(counts: RerunCounts, { messages }: RerunBatch): void {
  for (const { diff, before } of messages) {
    counts.uplinks++;
    counts.added += diff?.added.length ?? 0;
    counts.changed += diff?.changed.length ?? 0;
    counts.gone += diff?.gone.length ?? 0;
    if (diff) continue;
    counts.failed++;
    counts.kept += before.length;
  }
}

interface Script {
  key: string;
  script: string;
  version: number;
}

/** Decodes the messages of a channel again, device by device, oldest first. */
export async function* scanUplinks(db: Db, pool: DecoderPool, scope: Scope, script: Script): AsyncGenerator<RerunBatch> {
  for (const device of await listRerunDevices(db, scope.channel_pk)) {
    let names: string[] | undefined;
    let after: RerunUplink | undefined;
    for (;;) {
      const uplinks = await listUplinks(db, scope, device.pk, after, batchSize);
      if (uplinks.length === 0) break;
      names ??= await listAttributeNames(db, device.pk);
      const hasRoomFor = attributeRoom(names);
      const stored = Map.groupBy(await listPoints(db, device.pk, uplinks), ({ uplink_id }) => uplink_id);
      const decoded = await Promise.all(uplinks.map((uplink) => decode(pool, script, device, uplink)));
      const messages = uplinks.map((uplink, index): Redecoded => {
        const all = stored.get(uplink.uplink_id) ?? [];
        const [own, before] = [all.filter(({ name }) => isOwn(name)), all.filter(({ name }) => !isOwn(name))];
        const answer = decoded[index] as Decoded;
        const diff =
          answer.errors.length > 0 && answer.points.length === 0
            ? null
            : diffPoints(placeOf(uplink, own), before, answer.points, hasRoomFor);
        return { uplink, decoded: answer, diff, before, own };
      });
      yield { device, messages };
      after = uplinks.at(-1);
      if (uplinks.length < batchSize) break;
    }
  }
}

/** The base time for readings without a time of their own: where they were stored at arrival. Networks report when they heard a message. */
function placeOf({ uplink_id, received_at, first, source }: RerunUplink, own: readonly StoredPoint[]): { uplink_id: string; base: number } {
  if (source !== 'mqtt' && source !== 'http') return { uplink_id, base: own[0]?.time ?? first };
  const isAssigned = first >= received_at && first < received_at + assignedMicros;
  return { uplink_id, base: isAssigned ? first : received_at };
}

async function decode(pool: DecoderPool, { key, script, version }: Script, device: RerunDevice, uplink: RerunUplink): Promise<Decoded> {
  const { channel_id, device_id, dev_eui, variables } = device;
  const input = uplinkInput({
    bytes: uplink.raw,
    fport: uplink.fport ?? usualPort,
    receivedAtMs: Math.floor(uplink.received_at / 1000),
    device: { channel_id, device_id, dev_eui },
    variables,
  });
  const answer = readAnswer(await pool.run(key, script, { command: 'decodeUplink', input, withLog: false }));
  return decodedPoints(answer, version, uplink.received_at, oldestPoint(Date.now() * 1000));
}
