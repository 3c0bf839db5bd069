import { limits } from './limits.ts';
import type { Payload } from './parse.ts';
import { utf8Length } from './utf8.ts';

/** iot-behaviour 1.3. */
export const publishTopic = (channelId: string, deviceId: string) => `v1/${channelId}/devices/${deviceId}/up`;
export const subscribeTopic = (channelId: string, deviceId: string) => `v1/${channelId}/devices/${deviceId}/down`;
export const errorTopic = (channelId: string, deviceId: string) => `v1/${channelId}/devices/${deviceId}/error`;
export const stateTopic = (channelId: string, deviceId: string) => `v1/${channelId}/devices/${deviceId}/state`;

export type DeviceTopic = { channel_id: string; device_id: string } & (
  | { kind: 'up'; format: Payload['format']; fport: number | null }
  | { kind: 'state' | 'ack' | 'down' | 'error' | 'config' }
);

/** The sender, as far as topics are concerned. */
export interface Speaker {
  channel_id: string;
  /** A gateway speaks for every device of its channel. */
  device_id: string | null;
  thingsboard_topics: boolean;
}

/** The meaning of a topic for this sender; undefined when it has none. */
export function readTopic(topic: string, speaker: Speaker): DeviceTopic | undefined {
  if (topic.length > limits.topicBytes || utf8Length(topic) > limits.topicBytes) return undefined;
  const levels = topic.split('/');
  if (levels.length > limits.topicLevels || levels[0] !== 'v1') return undefined;
  const own = ownTopic(levels, speaker);
  if (own) return own;
  if (levels[2] !== 'devices' || !levels[1] || !levels[3]) return undefined;
  return withAction(levels[1], levels[3], levels, 4);
}

/** `v1/me/…`, and the topics of ThingsBoard firmware where the channel allows that. */
function ownTopic(levels: string[], { channel_id, device_id, thingsboard_topics }: Speaker): DeviceTopic | undefined {
  if (device_id === null) return undefined;
  if (levels[1] === 'me') return withAction(channel_id, device_id, levels, 2);
  if (!thingsboard_topics || levels.length !== 4 || levels[1] !== 'devices' || levels[2] !== 'me') return undefined;
  if (levels[3] === 'telemetry') return { channel_id, device_id, kind: 'up', format: 'auto', fport: null };
  return levels[3] === 'attributes' ? { channel_id, device_id, kind: 'state' } : undefined;
}

function withAction(channel_id: string, device_id: string, levels: string[], from: number): DeviceTopic | undefined {
  const [kind, format, port] = [levels[from], levels[from + 1], levels[from + 2]];
  const rest = levels.length - from;
  if (kind === 'up') {
    if (rest === 1) return { channel_id, device_id, kind, format: 'auto', fport: null };
    if (rest === 2 && (format === 'json' || format === 'senml' || format === 'lpp'))
      return { channel_id, device_id, kind, format, fport: null };
    const fport = rest === 3 && format === 'raw' ? readPort(port ?? '') : undefined;
    return fport === undefined ? undefined : { channel_id, device_id, kind, format: 'raw', fport };
  }
  if (rest === 1 && (kind === 'state' || kind === 'ack' || kind === 'down' || kind === 'error' || kind === 'config'))
    return { channel_id, device_id, kind };
  return undefined;
}

/** LoRaWAN application ports. */
export function readPort(text: string): number | undefined {
  const port = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 223 ? port : undefined;
}

const said: readonly string[] = ['up', 'state', 'ack'];
const heard: readonly string[] = ['down', 'error', 'config'];
const heardByGateways: readonly string[] = ['down', 'error'];

/**
 * iot-behaviour 1.2: a device may publish its own `up*`, `state` and `ack`; a gateway those of its channel's devices. Returns the meaning
 * of a permitted topic.
 */
export function mayPublish(topic: string, speaker: Speaker): DeviceTopic | undefined {
  const meaning = readTopic(topic, speaker);
  if (!meaning || meaning.channel_id !== speaker.channel_id) return undefined;
  if (speaker.device_id !== null && meaning.device_id !== speaker.device_id) return undefined;
  return said.includes(meaning.kind) ? meaning : undefined;
}

export interface TopicRule {
  permission: 'allow' | 'deny';
  action: 'publish' | 'subscribe' | 'all';
  topic: string;
}

/** iot-behaviour 1.13: the same rights as rules for another broker. */
export function rulesOf({ channel_id, device_id }: Speaker): TopicRule[] {
  const base = `v1/${channel_id}/devices/${device_id ?? '+'}`;
  const allow = (action: 'publish' | 'subscribe', kinds: readonly string[]) =>
    kinds.map((kind): TopicRule => ({ permission: 'allow', action, topic: `${base}/${kind}` }));
  return [
    ...allow('publish', ['up', 'up/#', 'state', 'ack']),
    ...allow('subscribe', device_id === null ? heardByGateways : heard),
    nothingElse,
  ];
}

export const nothingElse: TopicRule = { permission: 'deny', action: 'all', topic: '#' };

/** iot-behaviour 1.2 and 1.4: checked again on every delivery, because permissions may have changed. */
export function mayHear(topic: string, speaker: Speaker): boolean {
  const read = readTopic(topic, speaker);
  if (!read || read.channel_id !== speaker.channel_id) return false;
  if (speaker.device_id === null) return heardByGateways.includes(read.kind);
  return read.device_id === speaker.device_id && heard.includes(read.kind);
}

/**
 * iot-behaviour 1.4: the filter that a subscription becomes. A device's filter that is too wide is narrowed to its own subtree; null means
 * refused.
 */
export function narrowFilter(filter: string, speaker: Speaker): string | null {
  if (utf8Length(filter) > limits.topicBytes) return null;
  const { channel_id, device_id } = speaker;
  const levels = filter.split('/');
  if (levels.length > limits.topicLevels) return null;
  if (device_id !== null) {
    const own = `v1/${channel_id}/devices/${device_id}`;
    const all = ['#', 'v1/#', `v1/${channel_id}/#`, `v1/${channel_id}/devices/#`, `${own}/#`, 'v1/me/#', `v1/+/devices/+/#`];
    if (all.includes(filter)) return `${own}/#`;
    const kind = levels[1] === 'me' && levels.length === 3 ? levels[2] : ownKind(levels, channel_id, device_id);
    if (kind === '+') return `${own}/+`;
    return kind !== undefined && heard.includes(kind) ? `${own}/${kind}` : null;
  }
  if (['#', 'v1/#', `v1/${channel_id}/#`, `v1/${channel_id}/devices/#`].includes(filter)) return `v1/${channel_id}/devices/#`;
  const [v1, channel, devices, device, kind] = levels;
  const isOwn = v1 === 'v1' && (channel === channel_id || channel === '+') && devices === 'devices' && device && levels.length === 5;
  if (!isOwn || !kind || !(heardByGateways.includes(kind) || kind === '+' || kind === '#')) return null;
  return `v1/${channel_id}/devices/${device}/${kind}`;
}

const ownKind = ([v1, channel, devices, device, ...rest]: string[], channelId: string, deviceId: string): string | undefined =>
  v1 === 'v1' && (channel === channelId || channel === '+') && devices === 'devices' && (device === deviceId || device === '+')
    ? rest.length === 1
      ? rest[0]
      : undefined
    : undefined;
