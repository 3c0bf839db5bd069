/** iot-behaviour 1.5: number, boolean (1 or 0), text, JSON text. */
export type PointKind = 'n' | 'b' | 's' | 'j';

/** One reading. Times are whole microseconds since 1970: a double holds them exactly. */
export interface Point {
  name: string;
  kind: PointKind;
  value: number | null;
  text: string | null;
  /** The time that the device sent; null when it sent none, and Telltale assigns one. */
  at: number | null;
  /** The index of the entry in the message: entries without a time keep their order. */
  entry: number;
  unit: string | null;
}

export interface Position {
  latitude: number;
  longitude: number;
}

export const encodings = ['json', 'senml', 'lpp', 'raw'] as const;
type Encoding = (typeof encodings)[number];

/** The parsed contents of a payload of any format. */
export interface ParsedUplink {
  encoding: Encoding;
  points: Point[];
  /** The sender's own id of this message, by which a repetition is recognized. */
  id: string | null;
  /** The ids of the entries of a batch; null where none has one. */
  entryIds: readonly (string | null)[] | null;
  meta: Record<string, unknown> | null;
  position: Position | null;
  /** The port of raw bytes. */
  fport: number | null;
  /** The version of the channel's script that made the points. */
  decoder_version?: number;
  warnings: string[];
  /** Codes of the parts that were left out, as in a rejection. */
  errors: string[];
}

/** iot-behaviour 1.10, without the codes that the transport decides. */
const rejectionCodes = [
  'bad_json',
  'bad_shape',
  'too_large',
  'too_many_points',
  'bad_time',
  'senml_version',
  'unknown_device',
  'device_disabled',
  'rate_limited',
  // Ours: limits on what a key may create.
  'too_many_devices',
  'too_many_sessions',
  'session_evicted',
  'forbidden_topic',
  'blocked',
  'locked_out',
  'packet_too_large',
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

/** A message that will never be readable: acknowledged and reported, not retried for ever. */
export interface Refusal {
  code: RejectionCode;
  message: string;
}

export type Parsed = { uplink: ParsedUplink } | { refusal: Refusal };

export const refuse = (code: RejectionCode, message: string): { refusal: Refusal } => ({ refusal: { code, message } });

/** Thrown inside the readers, caught by parseUplink. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(code: RejectionCode, message: string) {
    super(message);
    this.refusal = { code, message };
  }
}
