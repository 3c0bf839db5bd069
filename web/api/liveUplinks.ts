import { closeCodes, livePath, liveProtocol, type ServerEvents } from '@telltale/domain/live/contract.ts';
import { liveLimits, type UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { reconnectDelayMs } from './pollDelay.ts';

export type UplinkState = 'connecting' | 'live' | 'reconnecting' | 'offline';

export interface UplinkRequest {
  channel: string;
  devices: readonly string[];
  /** How many recent records of each device come first. */
  tail: number;
}

export interface UplinkListener {
  onState: (state: UplinkState) => void;
  onUplinks: (records: readonly UplinkRecord[]) => void;
  /** Records of a device that came too fast to be told. */
  onGap: (device_id: string, dropped: number) => void;
  /** The server will not tell, and why: nothing more comes until somebody asks again. */
  onRefused: (message: string) => void;
}

interface Subscription extends UplinkRequest {
  listener: UplinkListener;
  /** The newest record of each device: what came after it was missed. */
  newest: Map<string, string>;
}

const idleMs = 5000;
const subscriptions = new Set<Subscription>();
let socket: WebSocket | null = null;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** iot-behaviour 1.11: what devices report, from now on. One socket serves everybody, and comes back by itself. */
export function watchUplinks(request: UplinkRequest, listener: UplinkListener): () => void {
  const subscription: Subscription = { ...request, listener, newest: new Map() };
  subscriptions.add(subscription);
  listener.onState(failures === 0 ? 'connecting' : 'reconnecting');
  if (socket?.readyState === WebSocket.OPEN) start(socket, subscription);
  else connect();
  return () => {
    subscriptions.delete(subscription);
    if (socket?.readyState === WebSocket.OPEN) stop(socket, subscription);
    if (subscriptions.size === 0) closeWhenIdle();
  };
}

function connect(): void {
  clearTimeout(timer);
  if (socket) return;
  const next = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${livePath}`, liveProtocol);
  next.onopen = () => {
    for (const subscription of subscriptions) start(next, subscription);
  };
  next.onmessage = ({ data }) => receive(String(data));
  next.onclose = ({ code }) => {
    if (socket === next) socket = null;
    if (subscriptions.size > 0) reconnect(code);
  };
  socket = next;
}

/** After 1, 2, 4 … 30 s, and at once when the network is back. */
function reconnect(code: number): void {
  const isAway = !navigator.onLine || code === closeCodes.signedOut;
  for (const { listener } of subscriptions) listener.onState(isAway ? 'offline' : 'reconnecting');
  clearTimeout(timer);
  timer = setTimeout(() => subscriptions.size > 0 && connect(), reconnectDelayMs(failures++));
}

globalThis.addEventListener?.('online', () => {
  if (subscriptions.size > 0 && !socket) connect();
});

function start(to: WebSocket, { channel, devices, tail, newest }: Subscription): void {
  const isKnown = devices.every((device) => newest.has(device));
  const after = isKnown ? [...newest.values()].sort()[0] : undefined;
  tell(to, 'start', { channel, device: devices, tail: Math.min(tail, liveLimits.tail), ...(after !== undefined && { after }) });
}

/** What others still watch goes on. */
function stop(to: WebSocket, { channel, devices }: Subscription): void {
  const wanted = new Set([...subscriptions].flatMap((other) => (other.channel === channel ? other.devices : [])));
  const device = devices.filter((id) => !wanted.has(id));
  if (device.length > 0) tell(to, 'stop', { channel, device });
}

function receive(text: string): void {
  const frame = readFrame(text);
  if (frame?.event === 'uplink') {
    for (const record of Object.values(frame.data as ServerEvents['uplink'])) show(record);
  }
  if (frame?.event === 'started') {
    failures = 0;
    const { channel, device } = frame.data as ServerEvents['started'];
    for (const one of [...subscriptions])
      if (one.channel === channel && one.devices.every((id) => device.includes(id))) one.listener.onState('live');
  }
  if (frame?.event === 'gap') {
    for (const [id, dropped] of Object.entries(frame.data as ServerEvents['gap']))
      for (const { devices, listener } of [...subscriptions]) if (devices.includes(id)) listener.onGap(id, dropped);
  }
  if (frame?.event === 'error') refuse(frame.data as ServerEvents['error']);
}

function show(record: UplinkRecord): void {
  for (const { channel, devices, newest, listener } of [...subscriptions]) {
    if (channel !== record.channel_id || !devices.includes(record.device_id)) continue;
    if (record.uplink_id > (newest.get(record.device_id) ?? '')) newest.set(record.device_id, record.uplink_id);
    listener.onUplinks([record]);
  }
}

/** Without a word of what was asked it concerns everybody: the right to see devices is gone. */
function refuse({ message, asked }: ServerEvents['error']): void {
  const devices = asked === undefined ? null : [asked.device].flat().map(String);
  for (const one of [...subscriptions]) {
    if (devices !== null && (one.channel !== asked?.channel || !one.devices.some((id) => devices.includes(id)))) continue;
    subscriptions.delete(one);
    one.listener.onRefused(message);
  }
  if (subscriptions.size === 0) closeWhenIdle();
}

function readFrame(text: string): { event: string; data: unknown } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const tell = (to: WebSocket, event: string, data: object): void => to.send(JSON.stringify({ event, data }));

function closeWhenIdle(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (subscriptions.size > 0) return;
    socket?.close();
    socket = null;
    failures = 0;
  }, idleMs);
}
