import { createContext } from 'react';

/** The members of an uplink record (iot-behaviour 1.11) that the feed reads; a whole record fits as it is. */
export interface FeedRecord {
  /** Sortable by time. */
  uplink_id: string;
  device_id: string;
  device_name: string | null;
  received_at: string;
  status: string;
  values: Readonly<Record<string, unknown>>;
  errors?: readonly string[];
}

export type FeedState = 'connecting' | 'live' | 'reconnecting' | 'offline';

interface FeedRequest {
  channel: string;
  devices: readonly string[];
  /** The number of recent records of each device that come first. */
  tail: number;
}

interface FeedListener {
  onState: (state: FeedState) => void;
  onUplinks: (records: readonly FeedRecord[]) => void;
  /** Records of a device that came too fast to be sent, or while the connection was lost. */
  onGap: (device_id: string, dropped: number) => void;
  /** These devices do not exist (any more); the others go on. */
  onMissing?: ((device_ids: readonly string[]) => void) | undefined;
  /** The server refuses, with a reason: nothing more comes until the next request. */
  onRefused: (message: string) => void;
}

export interface Choice {
  id: string;
  name: string;
}

/**
 * The source of uplinks. The owner of the live socket provides it around the pages: `<UplinkFeedContext value={feed}>`. A record may come
 * twice (the tail after a reconnection); the picture shows it once.
 */
export interface UplinkFeed {
  /** Subscribes, and reconnects by itself after 1, 2, 4 … 30 s; the returned function ends that. */
  start: (request: FeedRequest, listener: FeedListener) => () => void;
  /** Lists for the editor; without them ids are typed. */
  listChannels?: () => Promise<readonly Choice[]>;
  listDevices?: (channel: string) => Promise<readonly Choice[]>;
}

/** Null where there is no live data, as on a page that is printed. */
export const UplinkFeedContext = createContext<UplinkFeed | null>(null);
