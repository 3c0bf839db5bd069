import type { ParsedUplink, Point } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from '../../networks/directory.ts';
import type { Outcome, Refused, Source } from '../../networks/uplink-sink.ts';

interface Arrived {
  uplink_id: string;
  /** Microseconds since 1970. */
  receivedAt: number;
  done(outcome: Outcome): void;
}

export interface UplinkEntry extends Arrived {
  kind: 'uplink';
  device: DeviceEntry;
  uplink: ParsedUplink;
  raw: Buffer;
  topic: string;
  source: Source;
  /** What MQTT counts messages by; null where nothing can be repeated. */
  packet_id: number | null;
  /** The sender says that it sent this before. */
  isRepeat: boolean;
}

export interface RejectionEntry extends Arrived, Refused {
  kind: 'rejection';
  /** Counted, but not written down one by one. */
  isQuiet: boolean;
}

/** What the house itself notes about a device: `sys.online` and the like. */
export interface NoteEntry extends Arrived {
  kind: 'note';
  device: DeviceEntry;
  points: Point[];
}

export type Entry = UplinkEntry | RejectionEntry | NoteEntry;

/** Payloads are what takes memory while a message waits. */
export const sizeOf = (entry: Entry): number =>
  entry.kind === 'uplink' ? entry.raw.length : entry.kind === 'rejection' ? entry.payload.length : 0;
