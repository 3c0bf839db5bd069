/** iot-behaviour 1.5: number, boolean (1 or 0), text, JSON text. */
export type PointKind = 'n' | 'b' | 's' | 'j';

/** One reading. Times are whole microseconds since 1970: a double holds them exactly. */
export interface Point {
  name: string;
  kind: PointKind;
  value: number | null;
  text: string | null;
  /** What the device said; null when it said nothing, then the house assigns one. */
  at: number | null;
  /** Which entry of the message it came from: entries without a time keep their order. */
  entry: number;
  unit: string | null;
}

export interface Position {
  latitude: number;
  longitude: number;
}

export const encodings = ['json', 'senml', 'lpp', 'raw'] as const;
export type Encoding = (typeof encodings)[number];

/** What a payload says, whatever its format. */
export interface ParsedUplink {
  encoding: Encoding;
  points: Point[];
  /** The sender's own id of this message, by which a repetition is recognized. */
  id: string | null;
  /** The ids that the entries of a batch carry, each its own; null where none does. */
  entryIds: readonly (string | null)[] | null;
  meta: Record<string, unknown> | null;
  position: Position | null;
  /** The port that raw bytes came in on. */
  fport: number | null;
  warnings: string[];
  /** What was left out, each with the code it would have been rejected with. */
  errors: string[];
}

/** iot-behaviour 1.10, without what the transport decides. */
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
