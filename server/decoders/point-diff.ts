import type { PointChange } from '@telltale/domain/decoders/contract.ts';
import { limits } from '@telltale/domain/uplinks/limits.ts';
import type { Point } from '@telltale/domain/uplinks/record.ts';
import { pointTime } from '../uplinks/storage/series.ts';

/** A stored point of a message. Times are in microseconds. */
export interface StoredPoint {
  uplink_id: string;
  name: string;
  time: number;
  value: number | null;
  value_text: string | null;
  kind: string;
}

export interface PointDiff {
  added: StoredPoint[];
  changed: { before: StoredPoint; after: StoredPoint }[];
  gone: StoredPoint[];
  /** All points of the message afterwards. */
  now: StoredPoint[];
}

/** True for attributes that Telltale wrote itself (iot-behaviour 1.5), which decoders must not change. */
export const isOwn = (name: string) => /^(lora|sys)\./.test(name);

const keyOf = ({ name, time }: StoredPoint) => `${time} ${name}`;
const isSame = (one: StoredPoint, other: StoredPoint) =>
  one.kind === other.kind && one.value === other.value && one.value_text === other.value_text;

/** Compares the stored points of a message with its new ones. `hasRoomFor` tells whether the device may have another attribute. */
export function diffPoints(
  uplink: { uplink_id: string; base: number },
  before: readonly StoredPoint[],
  points: readonly Point[],
  hasRoomFor: (name: string) => boolean,
): PointDiff {
  const old = new Map(before.filter(({ name }) => !isOwn(name)).map((point) => [keyOf(point), point]));
  const now = new Map<string, StoredPoint>();
  for (const point of points) {
    const { name, value, text, kind } = point;
    if (!hasRoomFor(name)) continue;
    const stored = { uplink_id: uplink.uplink_id, name, time: pointTime(point, uplink.base), value, value_text: text, kind };
    now.set(keyOf(stored), stored);
  }
  const diff: PointDiff = { added: [], changed: [], gone: [], now: [...now.values()] };
  for (const [key, after] of now) {
    const known = old.get(key);
    if (!known) diff.added.push(after);
    else if (!isSame(known, after)) diff.changed.push({ before: known, after });
  }
  for (const [key, point] of old) if (!now.has(key)) diff.gone.push(point);
  return diff;
}

/** iot-behaviour 1.6: limits the attributes of a device; existing names count first. */
export function attributeRoom(known: Iterable<string>): (name: string) => boolean {
  const names = new Set(known);
  return (name) => {
    if (!names.has(name) && names.size >= limits.attributesPerDevice) return false;
    names.add(name);
    return true;
  };
}

const shown = ({ value, value_text, kind }: StoredPoint) => (kind === 'b' ? value === 1 : (value ?? value_text));
const iso = (micros: number) => new Date(Math.floor(micros / 1000)).toISOString();

export function changesOf({ added, changed, gone }: PointDiff, device_id: string): PointChange[] {
  const change = (what: PointChange['change'], point: StoredPoint, before: PointChange['before'], after: PointChange['after']) => ({
    change: what,
    device_id,
    time: iso(point.time),
    attribute: point.name,
    before,
    after,
  });
  return [
    ...changed.map(({ before, after }) => change('changed', after, shown(before), shown(after))),
    ...added.map((point) => change('added', point, null, shown(point))),
    ...gone.map((point) => change('gone', point, shown(point), null)),
  ];
}
