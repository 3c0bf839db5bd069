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
  /** Records of a device that came too fast to be told, or while nobody listened. */
  onGap: (device_id: string, dropped: number) => void;
  /** Whether a device is there: once at the start, and whenever that changes. */
  onOnline?: ((device_id: string, online: boolean) => void) | undefined;
  /** These are not there (any more); the others go on. */
  onMissing?: ((device_ids: readonly string[]) => void) | undefined;
  /** The server will not tell, and why: nothing more comes until somebody asks again. */
  onRefused: (message: string) => void;
}

interface Subscription extends UplinkRequest {
  listener: UplinkListener;
  /** The newest record of each device: what came after it was missed. */
  newest: Map<string, string>;
  /** Asked for, and not answered yet. */
  waiting: Set<string>;
  missing: Set<string>;
}

const idleMs = 5000;
const connections = new Set<Connection>();

/** iot-behaviour 1.11: what devices report, from now on. One socket serves everybody as far as its limit goes, and comes back by itself. */
export function watchUplinks(request: UplinkRequest, listener: UplinkListener): () => void {
  const subscription: Subscription = { ...request, listener, newest: new Map(), waiting: new Set(), missing: new Set() };
  const connection = [...connections].find((one) => one.hasRoomFor(request)) ?? new Connection();
  connections.add(connection);
  connection.add(subscription);
  return () => connection.remove(subscription);
}

globalThis.addEventListener?.('online', () => {
  for (const connection of connections) connection.comeBack();
});

/** One socket, and what is followed over it. */
class Connection {
  readonly #subscriptions = new Set<Subscription>();
  #socket: WebSocket | null = null;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  hasRoomFor({ channel, devices }: UplinkRequest): boolean {
    const followed = [...this.#subscriptions].flatMap((one) => one.devices.map((id) => `${one.channel}/${id}`));
    return new Set([...followed, ...devices.map((id) => `${channel}/${id}`)]).size <= liveLimits.devices;
  }

  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
    subscription.listener.onState(this.#failures === 0 ? 'connecting' : 'reconnecting');
    if (this.#socket?.readyState === WebSocket.OPEN) start(this.#socket, subscription);
    else this.#connect();
  }

  remove(subscription: Subscription): void {
    if (!this.#subscriptions.delete(subscription)) return;
    const { channel, devices } = subscription;
    // What others still watch goes on.
    const wanted = new Set([...this.#subscriptions].flatMap((other) => (other.channel === channel ? other.devices : [])));
    const device = devices.filter((id) => !wanted.has(id));
    if (device.length > 0 && this.#socket?.readyState === WebSocket.OPEN) tell(this.#socket, 'stop', { channel, device });
    this.#closeWhenIdle();
  }

  comeBack(): void {
    if (this.#subscriptions.size > 0) this.#connect();
  }

  #connect(): void {
    clearTimeout(this.#timer);
    if (this.#socket) return;
    const next = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${livePath}`, liveProtocol);
    next.onopen = () => {
      for (const subscription of this.#subscriptions) start(next, subscription);
    };
    next.onmessage = ({ data }) => this.#receive(String(data));
    next.onclose = ({ code }) => {
      if (this.#socket !== next) return;
      this.#socket = null;
      if (this.#subscriptions.size > 0) this.#reconnect(code);
    };
    this.#socket = next;
  }

  /** After 1, 2, 4 … 30 s, and at once when the network is back. */
  #reconnect(code: number): void {
    const isAway = !navigator.onLine || code === closeCodes.signedOut;
    for (const { listener } of this.#subscriptions) listener.onState(isAway ? 'offline' : 'reconnecting');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.comeBack(), reconnectDelayMs(this.#failures++));
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    if (frame?.event === 'uplink') {
      for (const record of Object.values(frame.data as ServerEvents['uplink'])) this.#show(record);
    }
    if (frame?.event === 'started') this.#started(frame.data as ServerEvents['started']);
    if (frame?.event === 'gap') {
      for (const [id, dropped] of Object.entries(frame.data as ServerEvents['gap']))
        for (const { listener } of this.#following(frame.channel, id)) listener.onGap(id, dropped);
    }
    if (frame?.event === 'state') {
      for (const [id, { online }] of Object.entries(frame.data as ServerEvents['state']))
        for (const { listener } of this.#following(frame.channel, id)) listener.onOnline?.(id, online);
    }
    if (frame?.event === 'error') this.#refuse(frame.data as ServerEvents['error']);
  }

  #following(channel: string | undefined, device: string): Subscription[] {
    return [...this.#subscriptions].filter((one) => one.channel === channel && one.devices.includes(device));
  }

  #show(record: UplinkRecord): void {
    for (const { newest, listener } of this.#following(record.channel_id, record.device_id)) {
      if (record.uplink_id > (newest.get(record.device_id) ?? '')) newest.set(record.device_id, record.uplink_id);
      listener.onUplinks([record]);
    }
  }

  #started({ channel, device }: ServerEvents['started']): void {
    this.#failures = 0;
    for (const { channel: own, waiting, listener } of [...this.#subscriptions]) {
      if (own !== channel || waiting.size === 0) continue;
      for (const id of device) waiting.delete(id);
      if (waiting.size === 0) listener.onState('live');
    }
  }

  /** Without a word of what was asked it concerns everybody: the right to see devices is gone. */
  #refuse({ code, message, event, asked }: ServerEvents['error']): void {
    if (event !== undefined && event !== 'start') return;
    const refused = asked === undefined ? null : [asked.device].flat().map(String);
    for (const one of [...this.#subscriptions]) {
      const own = refused === null ? one.devices : one.channel === asked?.channel ? one.devices.filter((id) => refused.includes(id)) : [];
      if (own.length === 0) continue;
      for (const id of own) {
        one.missing.add(id);
        one.waiting.delete(id);
      }
      if (code === 'not_found' && one.devices.some((id) => !one.missing.has(id))) one.listener.onMissing?.(own);
      else {
        this.#subscriptions.delete(one);
        one.listener.onRefused(message);
      }
    }
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#subscriptions.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#subscriptions.size > 0) return;
      connections.delete(this);
      const idle = this.#socket;
      this.#socket = null;
      this.#failures = 0;
      idle?.close();
    }, idleMs);
  }
}

/** Of each device what came after its newest record; a tail of those that said nothing so far. */
function start(to: WebSocket, { channel, devices, tail, newest, waiting, missing }: Subscription): void {
  missing.clear();
  for (const id of devices) waiting.add(id);
  const fresh = devices.filter((id) => !newest.has(id));
  if (fresh.length > 0) tell(to, 'start', { channel, device: fresh, tail: Math.min(tail, liveLimits.tail) });
  for (const [device, after] of newest) tell(to, 'start', { channel, device, after });
}

function readFrame(text: string): { event: string; channel?: string; data: unknown } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const tell = (to: WebSocket, event: string, data: object): void => to.send(JSON.stringify({ event, data }));
