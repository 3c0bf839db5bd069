import { parseJson, readJson } from './json.ts';
import { limits } from './limits.ts';
import { readLpp } from './lpp.ts';
import { type Parsed, type ParsedUplink, Refused, refuse } from './record.ts';
import { readSenml } from './senml.ts';
import { shiftClock } from './times.ts';

export interface Payload {
  /** The format of the topic; `auto` looks at the first byte. */
  format: 'auto' | 'json' | 'senml' | 'lpp' | 'raw';
  fport: number | null;
  bytes: Uint8Array;
  /** The bytes as UTF-8 text, null when they are invalid. */
  text: string | null;
  device_id: string;
  /** Microseconds since 1970. */
  receivedAt: number;
  /** Older points are not stored. */
  oldest: number;
}

/** iot-behaviour 1.5: parses bytes to one canonical reading, or returns the reason why there is none. */
export function parseUplink(payload: Payload): Parsed {
  if (payload.bytes.length > limits.payloadBytes)
    return refuse('too_large', `A payload has at most ${limits.payloadBytes} bytes, this one has ${payload.bytes.length}.`);
  if (payload.bytes.length === 0) return refuse('bad_json', 'The payload is empty.');
  try {
    return { uplink: settleTimes(read(payload), payload) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
}

function read({ format, fport, bytes, text, device_id, receivedAt }: Payload): ParsedUplink {
  if (format === 'lpp') return readLpp(bytes);
  if (format === 'raw') return rawUplink(fport);
  if (text === null) throw new Refused('bad_json', 'The payload is not valid UTF-8.');
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (format === 'auto' && !jsonStart.test(json)) throw new Refused('bad_json', 'The payload is not JSON.');
  const value = parseJson(json);
  if (format !== 'senml') return readJson(value, device_id, receivedAt);
  const isPack = Array.isArray(value) && value.every((record) => typeof record === 'object' && record !== null && !Array.isArray(record));
  if (!isPack || value.length === 0) throw new Refused('bad_shape', 'A SenML pack is a list of records.');
  return readSenml(value, device_id, receivedAt);
}

/** An uplink of raw bytes, for a decoder or only for display. */
export const rawUplink = (fport: number | null): ParsedUplink => ({
  encoding: 'raw',
  points: [],
  id: null,
  entryIds: null,
  meta: null,
  position: null,
  fport,
  warnings: [],
  errors: [],
});

const jsonStart = /^[\s]*[{["\d\-tf]/;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** iot-behaviour 1.5: whether the bytes do not begin like JSON; then a decoder reads them where there is one. */
export function isForDecoder(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length > limits.payloadBytes) return false;
  let place = byteOrderMark.every((byte, index) => bytes[index] === byte) ? 3 : 0;
  while (place < bytes.length && isBlank(bytes[place])) place++;
  return place === bytes.length || !jsonStart.test(String.fromCharCode(bytes[place] ?? 0));
}

const isBlank = (byte: number | undefined) => byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);

/** Corrects wrong clocks; readings older than the retention are left out (design 9). */
export function settleTimes(uplink: ParsedUplink, { receivedAt, oldest }: Pick<Payload, 'receivedAt' | 'oldest'>): ParsedUplink {
  if (shiftClock(uplink.points, receivedAt)) uplink.warnings.push('clock_shifted');
  const tooOld = uplink.points.filter(({ at }) => at !== null && at < oldest);
  if (tooOld.length === 0) return uplink;
  if (tooOld.length === uplink.points.length) throw new Refused('bad_time', 'The readings are older than what is kept.');
  uplink.errors.push(`bad_time: ${tooOld.length} readings are older than what is kept`);
  uplink.points = uplink.points.filter(({ at }) => at === null || at >= oldest);
  return uplink;
}
