import type { ParsedUplink, Point } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from '../../networks/directory.ts';
import type { Outcome, Refused, Source } from '../../networks/uplink-sink.ts';
import type { Match } from '../watchers.ts';

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
  /** A LoRaWAN network's count of frames. */
  fcnt: number | null;
  /** The MQTT packet id; null where messages cannot be repeated. */
  packet_id: number | null;
  /** The sender marks the message as a repetition. */
  isRepeat: boolean;
  /** Matches of the watchers, which look once, however many attempts storing takes. */
  matches?: readonly Match[] | undefined;
}

export interface RejectionEntry extends Arrived, Refused {
  kind: 'rejection';
  /** The rejection is counted, but not stored. */
  isQuiet: boolean;
}

/** Points that Telltale itself records about a device: `sys.online` and the like. */
interface NoteEntry extends Arrived {
  kind: 'note';
  device: DeviceEntry;
  points: Point[];
}

export type Entry = UplinkEntry | RejectionEntry | NoteEntry;

/** The size of an entry: payloads take most of the memory of a waiting message. */
export const sizeOf = (entry: Entry): number =>
  entry.kind === 'uplink' ? entry.raw.length : entry.kind === 'rejection' ? entry.payload.length : 0;
