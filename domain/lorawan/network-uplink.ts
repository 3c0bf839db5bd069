import { PointCollector } from '../uplinks/flatten.ts';
import { settleTimes } from '../uplinks/parse.ts';
import { type Parsed, type ParsedUplink, type Point, Refused } from '../uplinks/record.ts';
import { storableJson } from '../uplinks/storable-json.ts';
import { entryTime } from '../uplinks/times.ts';

/** The facts that a network reports about an uplink beside its bytes. */
export interface NetworkFacts {
  /** The output of the network's own formatter; null where it has none. */
  object: Record<string, unknown> | null;
  /** Telltale's own points: radio facts. */
  points: Point[];
  /** The id by which a repetition is recognized (iot-behaviour 1.9). */
  message_id: string | null;
  /** The time of reception at the network, in microseconds; null means the time of arrival here. */
  at: number | null;
  fcnt: number | null;
  meta: Record<string, unknown>;
  warnings: string[];
}

export interface NetworkPayload {
  /** `json` says that the network reported its object alone: what is kept as the payload is text of ours, no bytes of the device. */
  format: 'json' | 'raw';
  fport: number | null;
}

/** The canonical reading of an uplink that the network or our own decoder decoded. */
export function readNetworkUplink(
  facts: NetworkFacts,
  { format, fport }: NetworkPayload,
  clock: { receivedAt: number; oldest: number },
): Parsed {
  try {
    const collector = new PointCollector();
    collector.begin(0, facts.at);
    if (facts.object) collector.flatten(facts.object);
    return { uplink: settleTimes(withFacts(collector.result(format, { fport }), facts), clock) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
}

/** The same with the output of our decoder, which wins over the network's (iot-behaviour 2.5). */
export function decodedNetworkUplink(
  decoded: ParsedUplink,
  { points, at }: NetworkFacts,
  clock: { receivedAt: number; oldest: number },
): ParsedUplink {
  const timed = decoded.points.map((point) => (point.at === null && at !== null ? { ...point, at: entryTime(at, point.entry) } : point));
  try {
    return settleTimes({ ...decoded, points: [...timed, ...points.map((point) => ({ ...point }))] }, clock);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ...decoded, points: [], errors: [...decoded.errors, `${error.refusal.code}: ${error.refusal.message}`] };
  }
}

/** Adds the network's facts to the parsed payload. */
function withFacts(uplink: ParsedUplink, facts: NetworkFacts): ParsedUplink {
  const { points, message_id, meta, warnings } = facts;
  const text = storableJson(meta);
  return {
    ...uplink,
    id: message_id,
    points: [...uplink.points, ...points.map((point) => ({ ...point }))],
    meta: text === null ? null : (JSON.parse(text) as Record<string, unknown>),
    warnings: [...uplink.warnings, ...warnings.slice(0, 10).map((warning) => warning.replace(/\p{Cc}+/gu, ' ').slice(0, 200))],
  };
}
