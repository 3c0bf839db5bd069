import type { FeedRecord } from './uplinkFeed.ts';

export interface DeviceFeed {
  /** The newest first. */
  records: readonly FeedRecord[];
  /** Not told, because they came too fast. */
  dropped: number;
}

export type DeviceFeeds = ReadonlyMap<string, DeviceFeed>;

/** New records, each once, the newest first, as many of a device as are kept. */
export function withRecords(feeds: DeviceFeeds, records: readonly FeedRecord[], maxItems: number): DeviceFeeds {
  const next = new Map(feeds);
  for (const [device, added] of Map.groupBy(records, ({ device_id }) => device_id)) {
    const { records: before = [], dropped = 0 } = next.get(device) ?? {};
    const byId = new Map([...before, ...added].map((record) => [record.uplink_id, record]));
    const sorted = [...byId.values()].sort((a, b) => (a.uplink_id < b.uplink_id ? 1 : -1));
    next.set(device, { records: sorted.slice(0, maxItems), dropped });
  }
  return next;
}

export function withGap(feeds: DeviceFeeds, device: string, dropped: number): DeviceFeeds {
  const { records = [], dropped: before = 0 } = feeds.get(device) ?? {};
  return new Map(feeds).set(device, { records, dropped: before + dropped });
}

/** The values to show, in the order of the chosen fields. */
export function shownValues({ values }: FeedRecord, fields: readonly string[]): [name: string, value: unknown][] {
  if (fields.length === 0) return Object.entries(values);
  return fields.map((name) => [name, Object.hasOwn(values, name) ? values[name] : null]);
}
