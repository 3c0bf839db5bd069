import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { decodedNetworkUplink, readNetworkUplink } from '@telltale/domain/lorawan/network-uplink.ts';
import { isForDecoder, parseUplink, rawUplink } from '@telltale/domain/uplinks/parse.ts';
import type { ParsedUplink, Point } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import type { PayloadDecoder } from '../networks/uplink-decoder.ts';
import type { Message, Outcome, Refused, RejectionNotice, UplinkSink } from '../networks/uplink-sink.ts';
import type { Services } from '../platform/context.ts';
import { unavailable } from '../platform/errors.ts';
import { DecodeOrder } from './decode-order.ts';
import { Rates, readRate, usualRates } from './rates.ts';
import type { RejectionEntry } from './storage/entry.ts';
import { oldestPoint } from './storage/flush-rows.ts';
import { LastValues } from './storage/last-values.ts';
import { Partitions } from './storage/partitions.ts';
import { SeriesBook } from './storage/series.ts';
import { Shard, type ShardTiming, usualTiming } from './storage/shard.ts';
import { WriteConnection } from './storage/write-connection.ts';
import { ulids } from './uplink-ids.ts';
import { type UplinkWatcher, Watchers } from './watchers.ts';

export interface UplinkOptions {
  writer?: string;
  timing?: Partial<ShardTiming>;
  shards?: number;
  settleMs?: number;
  /** Rooms that watch every reading. */
  watchers?: readonly UplinkWatcher[];
  /** Reads bytes by the script of their channel; without it they are stored as they are. */
  decoder?: PayloadDecoder | undefined;
}

/** Bytes on the plain topic that are no JSON go to the decoder with this port (iot-behaviour 1.5). */
const usualPort = 1;

/** The interval of recorded rejections: the rest of a flood is only counted. */
const rateNoticeMs = 1000;
const strangerRate = { sustained: 10, burst: 500 };
/** The longest pause between two writes of last values. */
const longestPauseMs = 5000;
const pauseAfter = (tookMs: number) => Math.min(longestPauseMs, 9 * tookMs);

/**
 * Takes every uplink, from whichever network: reads it, stores it with others in one transaction, and only then answers
 * (iot-behaviour 1.9). One per process.
 */
export class Uplinks implements UplinkSink {
  /** The id of this process, as in console.processes. */
  readonly writer: string;
  readonly partitions: Partitions;
  readonly #shards: Shard[];
  readonly #series: SeriesBook;
  readonly #last = new LastValues();
  readonly #settling: WriteConnection;
  readonly #watchers: Watchers | undefined;
  readonly #nextId = ulids();
  readonly #decoder: PayloadDecoder | undefined;
  readonly #decoding = new DecodeOrder();
  readonly #rates: { device: Rates; channel: Rates };
  readonly #strangers = new Map<string, Rates>();
  readonly #services: Services;
  readonly #timer: NodeJS.Timeout;
  readonly #limitedAt = new Map<number, number>();
  readonly #listeners = new Set<(notice: RejectionNotice) => void>();
  #settled: Promise<void> = Promise.resolve();
  #settlesAt = 0;
  /** Ends the pauses between writes of last values. */
  #hurry = new AbortController();

  constructor(
    services: Services,
    { writer = randomUUID(), timing, shards = 1, settleMs = 1000, watchers = [], decoder }: UplinkOptions = {},
  ) {
    this.writer = writer;
    this.#decoder = decoder;
    decoder?.onSeriesGone((devicePk, attributeIds) => this.#series.forgetAttributes(devicePk, attributeIds));
    const { databaseUrl, log, db, config } = services;
    this.#services = services;
    this.partitions = new Partitions(db, log);
    this.#rates = {
      device: new Rates(readRate(config.mqtt.deviceRate, usualRates.device)),
      channel: new Rates(readRate(config.mqtt.channelRate, usualRates.channel)),
    };
    this.#series = new SeriesBook(config.mqtt.channelAttributes, services.writerPhase);
    this.#watchers = watchers.length > 0 ? new Watchers(services, watchers, this.writer) : undefined;
    const parts = {
      writer: this.writer,
      series: this.#series,
      last: this.#last,
      partitions: this.partitions,
      watchers: this.#watchers,
    };
    this.#shards = Array.from({ length: shards }, (_, i) => new Shard(i, databaseUrl, parts, { ...usualTiming, ...timing }, log));
    this.#settling = new WriteConnection(databaseUrl, log);
    this.#timer = setInterval(() => performance.now() >= this.#settlesAt && this.#settle(), settleMs);
  }

  /** How long the sender's answer has to wait by the rates of its device and channel, in milliseconds. */
  delayOf(device: DeviceEntry): number {
    const now = Date.now();
    return Math.max(this.#rates.device.take(device.pk, now), this.#rates.channel.take(device.channel.pk, now));
  }

  /** The check for senders that cannot be made to wait: false when the rate is exceeded. */
  hasRoom(device: DeviceEntry, cameAt = Date.now()): boolean {
    return this.#rates.device.tryTake(device.pk, cameAt) && this.#rates.channel.tryTake(device.channel.pk, cameAt);
  }

  receive(message: Message, done: (outcome: Outcome) => void): void {
    const { device, topic, format, fport, payload, network } = message;
    const ms = Date.now();
    const receivedAt = ms * 1000;
    const text = format === 'lpp' || format === 'raw' || !isUtf8(payload) ? null : payload.toString('utf8');
    const clock = { receivedAt, oldest: oldestPoint(receivedAt) };
    const parsed = network
      ? readNetworkUplink(network, { format: format === 'json' ? 'json' : 'raw', fport }, clock)
      : parseUplink({ format, fport, bytes: payload, text, device_id: device.device_id, ...clock });
    if ('refusal' in parsed) {
      if (format === 'auto' && this.#decoder?.mayDecode(device.channel.pk) && isForDecoder(payload)) {
        const refuse = () =>
          this.reject({ channel: device.channel, device, device_id: device.device_id, topic, payload, ...parsed.refusal }, done);
        void this.#decode(message, rawUplink(usualPort), receivedAt, done, refuse);
        return;
      }
      this.reject({ channel: device.channel, device, device_id: device.device_id, topic, payload, ...parsed.refusal }, done);
      return;
    }
    const { uplink } = parsed;
    if (message.userProperties) uplink.meta = { ...uplink.meta, user_properties: message.userProperties };
    // iot-behaviour 2.5: frames of a network without bytes, such as answers to its own commands, have nothing to decode.
    const hasBytes = network === undefined || payload.length > 0;
    if (format === 'raw' && hasBytes && this.#decoder?.mayDecode(device.channel.pk)) {
      void this.#decode(message, uplink, receivedAt, done, () => this.#push(message, uplink, receivedAt, done));
      return;
    }
    // Messages that follow bytes which are being decoded are stored after them.
    if (this.#decoding.isWaiting(device.pk)) this.#decoding.follow(device.pk, () => this.#push(message, uplink, receivedAt, done));
    else this.#push(message, uplink, receivedAt, done, ms);
  }

  /** Ids follow the order in which messages are stored, on which the live feed relies. */
  #push(message: Message, uplink: ParsedUplink, receivedAt: number, done: (outcome: Outcome) => void, ms = Date.now()): void {
    const { device, topic, payload, source, packet_id, isRepeat, network } = message;
    const uplink_id = this.#nextId(ms);
    const shard = this.#shards[device.pk % this.#shards.length];
    const fcnt = network?.fcnt ?? null;
    shard?.push({ kind: 'uplink', uplink_id, receivedAt, done, device, uplink, raw: payload, topic, source, fcnt, packet_id, isRepeat });
  }

  /** iot-behaviour 4: bytes that do not decode are stored all the same. `otherwise` runs without a decoder. */
  async #decode(
    { device, payload, ...message }: Message,
    uplink: ParsedUplink,
    receivedAt: number,
    done: (outcome: Outcome) => void,
    otherwise: () => void,
  ): Promise<void> {
    const place = this.#decoding.enter(device.pk);
    try {
      const decoded = await this.#decoder?.decode({ device, fport: uplink.fport ?? usualPort, bytes: payload, receivedAt });
      if (decoded === 'busy') place.leave(() => done({ status: 'unavailable' }));
      else if (!decoded) place.leave(otherwise);
      else {
        const { version, points, position, warnings, errors } = decoded;
        const plain = { ...uplink, points, position, warnings: [...uplink.warnings, ...warnings], errors, decoder_version: version };
        const { network } = message;
        const read = network ? decodedNetworkUplink(plain, network, { receivedAt, oldest: oldestPoint(receivedAt) }) : plain;
        place.leave(() => this.#push({ device, payload, ...message }, read, receivedAt, done));
      }
    } catch (error) {
      this.#services.log.warn({ err: error, channel: device.channel.pk }, 'a decoder could not be asked');
      place.leave(() => done({ status: 'unavailable' }));
    }
  }

  /** iot-behaviour 1.10: acknowledged and reported, never retried for ever. */
  reject(refused: Refused, done: (outcome: Outcome) => void): void {
    const ms = Date.now();
    const entry: RejectionEntry = {
      kind: 'rejection',
      ...refused,
      uplink_id: this.#nextId(ms),
      receivedAt: ms * 1000,
      isQuiet: refused.code === 'rate_limited' ? this.#isLimitedAgain(refused, ms) : this.#isFlood(refused, ms),
      done: (outcome) => {
        if (outcome.status === 'rejected') for (const tell of this.#listeners) tell(entry);
        done(outcome);
      },
    };
    this.#shards[(refused.device?.pk ?? refused.channel.pk) % this.#shards.length]?.push(entry);
  }

  /**
   * A gateway can name any number of unknown devices: all rejections are counted, some are stored, and one reason does not hide another.
   */
  #isFlood({ device, channel, code }: Refused, ms: number): boolean {
    if (device !== null) return false;
    const rates = this.#strangers.get(code) ?? new Rates(strangerRate);
    this.#strangers.set(code, rates);
    return !rates.tryTake(channel.pk, ms);
  }

  #isLimitedAgain({ device, channel }: Refused, ms: number): boolean {
    const key = device?.pk ?? -channel.pk;
    if (ms - (this.#limitedAt.get(key) ?? 0) < rateNoticeMs) return true;
    if (this.#limitedAt.size > 100_000) this.#limitedAt.clear();
    this.#limitedAt.set(key, ms);
    return false;
  }

  /** Stores values that Telltale itself records about a device, as points; rejects when they could not be stored. */
  note(device: DeviceEntry, values: Record<string, number>, atMs = Date.now()): Promise<void> {
    const points = Object.entries(values).map(
      ([name, value]): Point => ({ name, kind: 'n', value, text: null, at: null, entry: 0, unit: null }),
    );
    return this.notePoints(device, points, atMs);
  }

  /** The same with values of any kind. */
  notePoints(device: DeviceEntry, points: Point[], atMs = Date.now()): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = ({ status }: Outcome) =>
        status === 'unavailable' ? reject(unavailable('This could not be stored. Send it again.')) : resolve();
      this.#shards[device.pk % this.#shards.length]?.push({ kind: 'note', uplink_id: '', receivedAt: atMs * 1000, done, device, points });
    });
  }

  /** Calls the listener after the rejection is on disk. */
  onRejected(listener: (notice: RejectionNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  forgetDevice(devicePk: number): void {
    this.#series.forgetDevice(devicePk);
  }

  /** Takes at most a tenth of the time: with very many devices, last values are delayed rather than slowing down uplinks. */
  #settle(isLast = false): void {
    let startedAt = performance.now();
    this.#settlesAt = Number.POSITIVE_INFINITY;
    const pause = async (tookMs: number) => {
      if (isLast || this.#hurry.signal.aborted) return;
      await delay(pauseAfter(tookMs), undefined, { signal: this.#hurry.signal }).catch(() => {});
      startedAt = performance.now();
    };
    this.#settled = this.#settled
      .then(() => this.#last.write(this.#settling, this.writer, isLast, pause))
      .then(() => this.#series.writeUnits(this.#settling))
      .catch((error: Error) => this.#services.log.warn({ err: error.message }, 'last values wait for the database'))
      .then(() => {
        const now = performance.now();
        this.#settlesAt = now + pauseAfter(now - startedAt);
      });
  }

  async catchUp({ pk }: DeviceEntry): Promise<void> {
    await this.#watchers?.catchUp([pk]);
  }

  /** Resolves when all received messages are on disk. */
  async drain(): Promise<void> {
    await this.#decoding.drain();
    await Promise.all(this.#shards.map((shard) => shard.drain()));
    await this.#watchers?.drain();
    this.#hurry.abort();
    this.#settle(true);
    await this.#settled;
    this.#hurry = new AbortController();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#shards.map((shard) => shard.drain()));
    await this.#watchers?.stop();
    await this.drain();
    await Promise.all([...this.#shards.map((shard) => shard.close()), this.#settling.close()]);
  }
}
