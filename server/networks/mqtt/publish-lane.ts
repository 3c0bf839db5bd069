import { readUserProperties, type UserProperties } from './version5/properties.ts';

/** A PUBLISH of QoS 0 or 1, read from bytes in which it lies whole. */
export interface Published {
  /** The topic's bytes, one character each. */
  topic: string;
  payload: Buffer;
  qos: 0 | 1;
  isRepeat: boolean;
  /** 0 with QoS 0. */
  messageId: number;
  userProperties?: UserProperties | undefined;
}

/** Protocol levels of CONNECT whose PUBLISH the lane reads: MQTT 3.1, 3.1.1 and 5. */
const knownLevels = [3, 4, 5];
/** A later level may lay out its packets differently: the broker decides on those. */
export const isKnownLevel = (level: number): boolean => knownLevels.includes(level);

const publishType = 3;
const longestHeader = 5;

/**
 * Takes what devices mostly say out of a connection's bytes before the broker sees them: its parser, its queue and its answer
 * cost more than to read, store and acknowledge a message. What the lane does not take, and what it does not know, goes the broker's
 * way: QoS 2, packets that come in several pieces, topic aliases, everything that is no PUBLISH. The bytes have been followed before, so lengths
 * are possible ones (framing-guard.ts).
 */
export class PublishLane {
  readonly #take: (published: Published) => boolean;
  readonly #heard: () => void;
  readonly #hasProperties: boolean;
  /** The beginning of a header whose end has not come. */
  #header: Buffer | undefined;
  /** The remaining bytes of a packet whose beginning went to the broker. */
  #openLeft = 0;

  /** `take` returns whether it takes a message. `heard` is called when some were taken, because Aedes does not see these packets and would count the client as silent. */
  constructor(take: (published: Published) => boolean, heard: () => void, version = 4) {
    this.#hasProperties = version === 5;
    this.#take = take;
    this.#heard = heard;
  }

  /** Returns the bytes that are left for the broker, if any. */
  sort(chunk: Buffer): Buffer | undefined {
    const bytes = this.#header ? Buffer.concat([this.#header, chunk]) : chunk;
    this.#header = undefined;
    const left: Buffer[] = [];
    let leftFrom = 0;
    let at = Math.min(this.#openLeft, bytes.length);
    this.#openLeft -= at;
    while (at < bytes.length) {
      const body = bodyStart(bytes, at);
      if (body < 0) {
        this.#header = Buffer.from(bytes.subarray(at));
        break;
      }
      const end = body + bodyLength(bytes, at, body);
      if (end > bytes.length) {
        this.#openLeft = end - bytes.length;
        at = bytes.length;
        break;
      }
      const published = readPublish(bytes, at, body, end, this.#hasProperties);
      if (published && this.#take(published)) {
        if (leftFrom < at) left.push(bytes.subarray(leftFrom, at));
        leftFrom = end;
      }
      at = end;
    }
    if (leftFrom > 0) this.#heard();
    if (leftFrom < at) left.push(bytes.subarray(leftFrom, at));
    return left.length > 1 ? Buffer.concat(left) : left[0];
  }
}

/** The index after the fixed header, or -1 when the header is incomplete. */
function bodyStart(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length && at < start + longestHeader; at++) if ((bytes[at] as number) < 128) return at + 1;
  return -1;
}

function bodyLength(bytes: Buffer, start: number, body: number): number {
  let length = 0;
  for (let at = body - 1; at > start; at--) length = length * 128 + ((bytes[at] as number) & 127);
  return length;
}

function readPublish(bytes: Buffer, start: number, body: number, end: number, hasProperties: boolean): Published | undefined {
  const first = bytes[start] as number;
  const qos = (first >> 1) & 3;
  if (first >> 4 !== publishType || qos > 1) return undefined;
  const topicEnd = body + 2 + (((bytes[body] as number) << 8) | (bytes[body + 1] as number));
  const headerEnd = topicEnd + 2 * qos;
  if (body + 2 > end || headerEnd > end) return undefined;
  const messageId = qos === 1 ? ((bytes[topicEnd] as number) << 8) | (bytes[topicEnd + 1] as number) : 0;
  if (qos === 1 && messageId === 0) return undefined;
  const properties = hasProperties ? readProperties(bytes, headerEnd, end) : { end: headerEnd, user: undefined };
  if (!properties) return undefined;
  return {
    topic: bytes.toString('latin1', body + 2, topicEnd),
    payload: bytes.subarray(properties.end, end),
    qos: qos as 0 | 1,
    isRepeat: (first & 8) !== 0,
    messageId,
    userProperties: properties.user,
  };
}

/** MQTT 5: properties stand before the payload, with their length before them. */
function readProperties(bytes: Buffer, start: number, end: number): { end: number; user: UserProperties | undefined } | undefined {
  const first = bodyStart(bytes, start - 1);
  if (first < 0 || first > end) return undefined;
  const last = first + bodyLength(bytes, start - 1, first);
  if (last > end) return undefined;
  const user = readUserProperties(bytes, first, last);
  return user === null ? undefined : { end: last, user };
}
