import { createContext } from 'react';

/** Of an uplink record (iot-behaviour 1.11) what the feed reads; a whole record fits as it is. */
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

export interface FeedRequest {
  channel: string;
  devices: readonly string[];
  /** How many recent records of each device come first. */
  tail: number;
}

export interface FeedListener {
  onState: (state: FeedState) => void;
  onUplinks: (records: readonly FeedRecord[]) => void;
  /** Records of a device that came too fast to be told, or while nobody listened. */
  onGap: (device_id: string, dropped: number) => void;
  /** These are not there (any more); the others go on. */
  onMissing?: ((device_ids: readonly string[]) => void) | undefined;
  /** The server will not tell, and why: nothing more comes until somebody asks again. */
  onRefused: (message: string) => void;
}

export interface Choice {
  id: string;
  name: string;
}

/**
 * Where uplinks come from. Whoever has the live socket provides it around the pages:
 * `<UplinkFeedContext value={feed}>`. A record may be told twice (the tail after a reconnection); the picture shows it once.
 */
export interface UplinkFeed {
  /** Subscribes, and reconnects by itself after 1, 2, 4 … 30 s; what it gives back ends that. */
  start: (request: FeedRequest, listener: FeedListener) => () => void;
  /** For the editor; without them ids are typed. */
  listChannels?: () => Promise<readonly Choice[]>;
  listDevices?: (channel: string) => Promise<readonly Choice[]>;
}

/** Null where nothing is live, as on a page that is printed. */
export const UplinkFeedContext = createContext<UplinkFeed | null>(null);
