import type { FeedRecord } from './uplinkFeed.ts';

export interface DeviceFeed {
  /** The newest record first. */
  records: readonly FeedRecord[];
  /** The number of records left out after a record, by its id; under '' those before any. */
  gaps: ReadonlyMap<string, number>;
  isMissing: boolean;
}

export type DeviceFeeds = ReadonlyMap<string, DeviceFeed>;

const empty: DeviceFeed = { records: [], gaps: new Map(), isMissing: false };

/** A repetition stands beside its original. */
export const keyOf = ({ uplink_id, status }: FeedRecord): string => (status === 'duplicate' ? `${uplink_id} again` : uplink_id);

/** Adds records, each once, the newest first, up to the limit per device. */
export function withRecords(feeds: DeviceFeeds, records: readonly FeedRecord[], maxItems: number): DeviceFeeds {
  const next = new Map(feeds);
  for (const [device, added] of Map.groupBy(records, ({ device_id }) => device_id)) {
    const before = next.get(device) ?? empty;
    const byId = new Map([...before.records, ...added].map((record) => [keyOf(record), record]));
    const kept = [...byId.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1)).slice(0, maxItems);
    const oldest = kept.at(-1)?.uplink_id ?? '';
    const gaps = new Map([...before.gaps].filter(([id]) => id >= oldest));
    next.set(device, { records: kept, gaps: gaps.size === before.gaps.size ? before.gaps : gaps, isMissing: false });
  }
  return next;
}

/** The gap comes after all records so far. */
export function withGap(feeds: DeviceFeeds, device: string, dropped: number): DeviceFeeds {
  const before = feeds.get(device) ?? empty;
  const newest = before.records[0]?.uplink_id ?? '';
  return new Map(feeds).set(device, { ...before, gaps: new Map(before.gaps).set(newest, (before.gaps.get(newest) ?? 0) + dropped) });
}

export function withMissing(feeds: DeviceFeeds, devices: readonly string[]): DeviceFeeds {
  const next = new Map(feeds);
  for (const device of devices) next.set(device, { ...(next.get(device) ?? empty), isMissing: true });
  return next;
}

/** The values to show, in the order of the chosen fields. */
export function shownValues({ values }: FeedRecord, fields: readonly string[]): [name: string, value: unknown][] {
  if (fields.length === 0) return Object.entries(values);
  return fields.map((name) => [name, Object.hasOwn(values, name) ? values[name] : null]);
}
