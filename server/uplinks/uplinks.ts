import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { parseUplink } from '@telltale/domain/uplinks/parse.ts';
import type { Point } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import type { Message, Outcome, Refused, RejectionNotice, UplinkSink } from '../networks/uplink-sink.ts';
import type { Services } from '../platform/context.ts';
import { Rates, readRate, usualRates } from './rates.ts';
import type { RejectionEntry } from './storage/entry.ts';
import { oldestPoint } from './storage/flush-rows.ts';
import { LastValues } from './storage/last-values.ts';
import { Partitions } from './storage/partitions.ts';
import { SeriesBook } from './storage/series.ts';
import { Shard, type ShardTiming, usualTiming } from './storage/shard.ts';
import { WriteConnection } from './storage/write-connection.ts';
import { ulids } from './uplink-ids.ts';

export interface UplinkOptions {
  writer?: string;
  timing?: Partial<ShardTiming>;
  shards?: number;
  settleMs?: number;
}

/** Rejections that only count: writing each of a flood down would make it ours. */
const rateNoticeMs = 1000;
/** Last values are never older than this, and what writing them took. */
const longestPauseMs = 5000;

/**
 * Where every uplink goes, from whichever network: read, stored with others in one transaction, and only then answered
 * (iot-behaviour 1.9). One per process.
 */
export class Uplinks implements UplinkSink {
  /** Which process this is, as its row in console.processes. */
  readonly writer: string;
  readonly partitions: Partitions;
  readonly #shards: Shard[];
  readonly #series = new SeriesBook();
  readonly #last = new LastValues();
  readonly #settling: WriteConnection;
  readonly #nextId = ulids();
  readonly #rates: { device: Rates; channel: Rates };
  readonly #services: Services;
  readonly #timer: NodeJS.Timeout;
  readonly #limitedAt = new Map<number, number>();
  readonly #listeners = new Set<(notice: RejectionNotice) => void>();
  #settled: Promise<void> = Promise.resolve();
  #settlesAt = 0;

  constructor(services: Services, { writer = randomUUID(), timing, shards = 1, settleMs = 1000 }: UplinkOptions = {}) {
    this.writer = writer;
    const { databaseUrl, log, db, config } = services;
    this.#services = services;
    this.partitions = new Partitions(db, log);
    this.#rates = {
      device: new Rates(readRate(config.mqtt.deviceRate, usualRates.device)),
      channel: new Rates(readRate(config.mqtt.channelRate, usualRates.channel)),
    };
    const parts = { writer: this.writer, series: this.#series, last: this.#last, partitions: this.partitions };
    this.#shards = Array.from({ length: shards }, (_, i) => new Shard(i, databaseUrl, parts, { ...usualTiming, ...timing }, log));
    this.#settling = new WriteConnection(databaseUrl, log);
    this.#timer = setInterval(() => performance.now() >= this.#settlesAt && this.#settle(), settleMs);
  }

  /** How long the sender's answer has to wait by the rates of its device and channel, in milliseconds. */
  delayOf(device: DeviceEntry): number {
    const now = Date.now();
    return Math.max(this.#rates.device.take(device.pk, now), this.#rates.channel.take(device.channel.pk, now));
  }

  /** For senders that cannot be made to wait: false when this one is too much. */
  hasRoom(device: DeviceEntry): boolean {
    const now = Date.now();
    return this.#rates.device.tryTake(device.pk, now) && this.#rates.channel.tryTake(device.channel.pk, now);
  }

  receive(message: Message, done: (outcome: Outcome) => void): void {
    const { device, topic, format, fport, payload, source, packet_id, isRepeat } = message;
    const ms = Date.now();
    const receivedAt = ms * 1000;
    const text = format === 'lpp' || format === 'raw' || !isUtf8(payload) ? null : payload.toString('utf8');
    const parsed = parseUplink({
      format,
      fport,
      bytes: payload,
      text,
      device_id: device.device_id,
      receivedAt,
      oldest: oldestPoint(receivedAt),
    });
    if ('refusal' in parsed) {
      this.reject({ channel: device.channel, device, device_id: device.device_id, topic, payload, ...parsed.refusal }, done);
      return;
    }
    const { uplink } = parsed;
    const uplink_id = this.#nextId(ms);
    const shard = this.#shards[device.pk % this.#shards.length];
    shard?.push({ kind: 'uplink', uplink_id, receivedAt, done, device, uplink, raw: payload, topic, source, packet_id, isRepeat });
  }

  /** iot-behaviour 1.10: acknowledged and reported, never retried for ever. */
  reject(refused: Refused, done: (outcome: Outcome) => void): void {
    const ms = Date.now();
    const entry: RejectionEntry = {
      kind: 'rejection',
      ...refused,
      uplink_id: this.#nextId(ms),
      receivedAt: ms * 1000,
      isQuiet: refused.code === 'rate_limited' && this.#isLimitedAgain(refused, ms),
      done: (outcome) => {
        if (outcome.status === 'rejected') for (const tell of this.#listeners) tell(entry);
        done(outcome);
      },
    };
    this.#shards[(refused.device?.pk ?? refused.channel.pk) % this.#shards.length]?.push(entry);
  }

  #isLimitedAgain({ device, channel }: Refused, ms: number): boolean {
    const key = device?.pk ?? -channel.pk;
    if (ms - (this.#limitedAt.get(key) ?? 0) < rateNoticeMs) return true;
    if (this.#limitedAt.size > 100_000) this.#limitedAt.clear();
    this.#limitedAt.set(key, ms);
    return false;
  }

  /** What the house notes about a device, as points of its own. */
  note(device: DeviceEntry, values: Record<string, number>, atMs = Date.now()): Promise<void> {
    const points = Object.entries(values).map(
      ([name, value]): Point => ({ name, kind: 'n', value, text: null, at: null, entry: 0, unit: null }),
    );
    return new Promise((resolve) => {
      const done = () => resolve();
      this.#shards[device.pk % this.#shards.length]?.push({ kind: 'note', uplink_id: '', receivedAt: atMs * 1000, done, device, points });
    });
  }

  /** Told after the rejection is on disk. */
  onRejected(listener: (notice: RejectionNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  forgetDevice(devicePk: number): void {
    this.#series.forgetDevice(devicePk);
  }

  /** Takes at most a tenth of the time: last values of very many devices come a little later rather than slow down what they report. */
  #settle(isLast = false): void {
    const startedAt = performance.now();
    this.#settlesAt = Number.POSITIVE_INFINITY;
    this.#settled = this.#settled
      .then(() => this.#last.write(this.#settling, this.writer, isLast))
      .then(() => this.#series.writeUnits(this.#settling))
      .catch((error: Error) => this.#services.log.warn({ err: error.message }, 'last values wait for the database'))
      .then(() => {
        const now = performance.now();
        this.#settlesAt = now + Math.min(longestPauseMs, 9 * (now - startedAt));
      });
  }

  /** Everything that came in is on disk. */
  async drain(): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard.drain()));
    this.#settle(true);
    await this.#settled;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.drain();
    await Promise.all([...this.#shards.map((shard) => shard.close()), this.#settling.close()]);
  }
}
