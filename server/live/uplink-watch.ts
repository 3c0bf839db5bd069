import { liveLimits, type UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import type { LiveSocket } from './live-socket.ts';
import type { WatchedDevice } from './uplink-records.store.ts';

const remembered = 500;
const keptOfRemembered = 200;

/** The subscription of one socket to one device. It knows which records the socket has received and how many more it may receive. */
export class UplinkWatch {
  readonly socket: LiveSocket;
  readonly pk: number;
  readonly device_id: string;
  readonly channel_id: string;
  /** Records that came up to here were read. */
  since: Date;
  /** The snapshot of the database up to which records were read. */
  seen = '';
  /** False until the last records have been sent. */
  isReady = false;
  /** Ids of records that were shown: those of the tail, and those that were written again because they were decoded again. */
  #shown = new Set<string>();
  #tokens: number = liveLimits.recordsPerSecond;
  #tokensAt: number;
  /** The number of dropped records that the client does not know of yet. */
  #dropped = 0;
  /** The online state as last sent; undefined before. */
  #online: boolean | undefined;

  constructor(socket: LiveSocket, channelId: string, { pk, device_id }: WatchedDevice) {
    this.socket = socket;
    this.pk = pk;
    this.device_id = device_id;
    this.channel_id = channelId;
    this.since = new Date();
    this.#tokensAt = this.since.getTime();
  }

  /** Has the next look reach back to a record that came earlier and was committed late. */
  reachBack(since: Date): void {
    if (since < this.since) this.since = since;
  }

  /** Marks records as shown. */
  #note(records: readonly UplinkRecord[]): void {
    for (const { uplink_id } of records) this.#shown.add(uplink_id);
  }

  /** Sends the last records, which are not limited; `missed` is the number of all records that the client lacks. */
  showTail(records: readonly UplinkRecord[], missed: number): void {
    this.#note(records);
    this.#dropped += Math.max(0, missed - records.length);
    this.#send(records);
  }

  showNew(records: readonly UplinkRecord[]): void {
    this.show(records.filter(({ uplink_id }) => !this.#shown.has(uplink_id)));
  }

  /** Sends a limited number of records per second, the newest ones; dropped ones are counted and reported. */
  show(records: readonly UplinkRecord[]): void {
    const now = Date.now();
    const { recordsPerSecond } = liveLimits;
    this.#tokens = Math.min(recordsPerSecond, this.#tokens + ((now - this.#tokensAt) / 1000) * recordsPerSecond);
    this.#tokensAt = now;
    const room = Math.min(records.length, Math.floor(this.#tokens));
    this.#note(records);
    if (this.#shown.size > remembered) this.#shown = new Set([...this.#shown].slice(-keptOfRemembered));
    this.#dropped += records.length - room;
    this.#tokens -= room;
    this.#send(records.slice(records.length - room));
  }

  showOnline(online: boolean): void {
    if (this.#online !== online && this.socket.send('state', { [this.device_id]: { online } }, this.#about)) this.#online = online;
  }

  get #about() {
    return { channel: this.channel_id };
  }

  /** Reports dropped records before the records that follow them. */
  #send(records: readonly UplinkRecord[]): void {
    const { socket, device_id } = this;
    if (this.#dropped > 0 && socket.send('gap', { [device_id]: this.#dropped }, this.#about)) this.#dropped = 0;
    for (const record of records) if (!socket.send('uplink', { [device_id]: record }, this.#about)) this.#dropped++;
  }
}
