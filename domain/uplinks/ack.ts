import { PointCollector } from './flatten.ts';
import { limits } from './limits.ts';
import { type Point, type Refusal, Refused, refuse } from './record.ts';

/** iot-behaviour 3.3: a device's answer to a command. */
export interface CommandAnswer {
  id: string;
  ok: boolean;
  /** The reason of a failure, in the device's words. */
  error: string | null;
  /** All other members of the answer. */
  data: object | null;
}

export function readAck(bytes: Uint8Array, text: string | null): { answer: CommandAnswer } | { refusal: Refusal } {
  if (bytes.length > limits.payloadBytes) return refuse('too_large', `A payload has at most ${limits.payloadBytes} bytes.`);
  let said: unknown;
  try {
    said = JSON.parse(text ?? '');
  } catch {
    return refuse('bad_json', 'The payload is not valid JSON.');
  }
  const { id, ok, error, data } = (typeof said === 'object' && said !== null ? said : {}) as Record<string, unknown>;
  const isId = typeof id === 'string' && id !== '' && id.length <= limits.messageIdLength && !id.includes('\0');
  if (!isId || typeof ok !== 'boolean') return refuse('bad_shape', 'An answer has the id of its command and ok, true or false.');
  return {
    answer: {
      id,
      ok,
      error: typeof error === 'string' ? error.replaceAll('\0', '').slice(0, 200).toWellFormed() : null,
      data: typeof data === 'object' ? data : null,
    },
  };
}

/** The data of an answer as points: flattened like an uplink, under a prefix that devices cannot use themselves. */
export function ackPoints(data: object): Point[] {
  const collector = new PointCollector();
  collector.begin(0, null);
  try {
    collector.flatten(data);
  } catch (error) {
    // The answer counts, even if its data has more values than a message may have: the first of them are kept.
    if (!(error instanceof Refused)) throw error;
  }
  return collector.points.slice(0, limits.points).map((point) => ({ ...point, name: `sys.ack.${point.name}`.slice(0, 128) }));
}
