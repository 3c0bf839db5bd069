import type { ServerEvents } from '@telltale/domain/live/contract.ts';
import { liveLimits, type UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import type { LiveConnection, LiveFeed, LostState, ServerFrame } from './LiveConnection.ts';

export type UplinkState = 'connecting' | 'live' | 'reconnecting' | 'offline';

export interface UplinkRequest {
  channel: string;
  devices: readonly string[];
  /** The number of recent records of each device that come first. */
  tail: number;
}

export interface UplinkListener {
  onState: (state: UplinkState) => void;
  onUplinks: (records: readonly UplinkRecord[]) => void;
  /** Records of a device that came too fast to be sent, or while the connection was lost. */
  onGap: (device_id: string, dropped: number) => void;
  /** Reports whether a device is online: once at the start, and whenever that changes. */
  onOnline?: ((device_id: string, online: boolean) => void) | undefined;
  /** A delivery to a device has changed. */
  onCommand?: ((device_id: string) => void) | undefined;
  /** These devices do not exist (any more); the others go on. */
  onMissing?: ((device_ids: readonly string[]) => void) | undefined;
  /** The server refuses, with a reason: nothing more comes until the next request. */
  onRefused: (message: string) => void;
}

interface Subscription extends UplinkRequest {
  listener: UplinkListener;
  /** The newest record of each device, from which missed ones are requested. */
  newest: Map<string, string>;
  /** Devices whose request is not answered yet. */
  waiting: Set<string>;
  missing: Set<string>;
}

/** iot-behaviour 1.11: the reports of devices. Subscriptions to the same device share it at the server. */
export class UplinkFeed implements LiveFeed {
  readonly #connection: LiveConnection;
  readonly #subscriptions = new Set<Subscription>();

  constructor(connection: LiveConnection) {
    this.#connection = connection;
    connection.add(this);
  }

  get hasSubscribers(): boolean {
    return this.#subscriptions.size > 0;
  }

  hasRoomFor({ channel, devices }: UplinkRequest): boolean {
    const followed = [...this.#subscriptions].flatMap((one) => one.devices.map((id) => `${one.channel}/${id}`));
    return new Set([...followed, ...devices.map((id) => `${channel}/${id}`)]).size <= liveLimits.devices;
  }

  subscribe(request: UplinkRequest, listener: UplinkListener): () => void {
    const subscription: Subscription = { ...request, listener, newest: new Map(), waiting: new Set(), missing: new Set() };
    this.#subscriptions.add(subscription);
    listener.onState(this.#connection.isReconnecting ? 'reconnecting' : 'connecting');
    this.#request([subscription]);
    this.#connection.connect();
    return () => this.#remove(subscription);
  }

  renew(): void {
    this.#request(this.#subscriptions);
  }

  lose(state: LostState): void {
    for (const { listener } of [...this.#subscriptions]) listener.onState(state);
  }

  receive({ event, channel, data }: ServerFrame): void {
    if (event === 'uplink') for (const record of Object.values(data as ServerEvents['uplink'])) this.#show(record);
    if (event === 'started') this.#started(data as ServerEvents['started']);
    if (event === 'gap') {
      for (const [id, dropped] of Object.entries(data as ServerEvents['gap']))
        for (const { listener } of this.#following(channel, id)) listener.onGap(id, dropped);
    }
    if (event === 'state') {
      for (const [id, { online }] of Object.entries(data as ServerEvents['state']))
        for (const { listener } of this.#following(channel, id)) listener.onOnline?.(id, online);
    }
    if (event === 'command') {
      for (const id of Object.keys(data as ServerEvents['command']))
        for (const { listener } of this.#following(channel, id)) listener.onCommand?.(id);
    }
    if (event === 'error') this.#refuse(data as ServerEvents['error']);
  }

  #remove(subscription: Subscription): void {
    if (!this.#subscriptions.delete(subscription)) return;
    const { channel, devices } = subscription;
    // Devices that other subscriptions still watch are kept.
    const wanted = new Set([...this.#subscriptions].flatMap((other) => (other.channel === channel ? other.devices : [])));
    const device = devices.filter((id) => !wanted.has(id));
    if (device.length > 0) this.#connection.send('stop', { channel, device });
    this.#connection.release();
  }

  /** Requests each device once: the records after the newest one, or a tail of a device without records so far. */
  #request(subscriptions: Iterable<Subscription>): void {
    const fresh = new Map<string, { channel: string; device: string[]; tail: number }>();
    const known = new Map<string, { channel: string; device: string; after: string }>();
    for (const { channel, devices, tail, newest, waiting, missing } of subscriptions) {
      missing.clear();
      for (const device of devices) {
        waiting.add(device);
        const after = newest.get(device);
        const before = known.get(`${channel}/${device}`)?.after;
        if (after !== undefined && (before === undefined || after < before)) known.set(`${channel}/${device}`, { channel, device, after });
      }
      const device = devices.filter((id) => !newest.has(id));
      const sent = fresh.get(channel);
      if (device.length > 0) {
        fresh.set(channel, { channel, device: [...new Set([...(sent?.device ?? []), ...device])], tail: Math.max(sent?.tail ?? 0, tail) });
      }
    }
    for (const { channel, device, tail } of fresh.values()) {
      this.#connection.send('start', { channel, device, tail: Math.min(tail, liveLimits.tail) });
    }
    for (const asked of known.values()) this.#connection.send('start', asked);
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
    for (const { channel: own, waiting, listener } of [...this.#subscriptions]) {
      if (own !== channel || waiting.size === 0) continue;
      for (const id of device) waiting.delete(id);
      if (waiting.size === 0) listener.onState('live');
    }
  }

  /** A refusal without the request concerns all subscriptions: the right to see devices is gone. */
  #refuse({ code, message, event, asked }: ServerEvents['error']): void {
    if (event !== 'start') return;
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
    this.#connection.release();
  }
}
