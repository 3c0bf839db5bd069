import { setTimeout as delay } from 'node:timers/promises';
import { clientEvents } from '@telltale/domain/live/contract.ts';
import { liveLimits, type UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import type { z } from 'zod';
import type { Services } from '../platform/context.ts';
import { forbidden, notFound, tooMany } from '../platform/errors.ts';
import { type Listener, listen } from '../platform/jobs/listen.ts';
import { may } from '../policy/policy.ts';
import { type Feed, liveEvent } from './feed.ts';
import type { LiveSocket } from './live-socket.ts';
import { readNotice, type UplinkNotice, uplinkNotification } from './uplink-notice.ts';
import { countRecords, findDevices, readOnline, readRecords, readSnapshot } from './uplink-records.store.ts';
import { UplinkWatch } from './uplink-watch.ts';
import { UplinkWatches } from './uplink-watches.ts';

/** Looks follow each other at most this often; what came meanwhile is found by the next one. */
const lookEveryMs = 50;
/** Clocks of processes may differ by this. */
const overlapMs = 3000;
/** How late a message may have been committed whose notification was missed. */
const missedMs = 120_000;
const newestPerLook = 200;
const repeatedPerLook = 100;
const dayMs = 86_400_000;

/** iot-behaviour 1.11: sends uplinks after they are stored, in order for each device. */
export class UplinkFeed implements Feed {
  readonly #services: Services;
  readonly #watches = new UplinkWatches();
  /** Devices with records that were not read yet. */
  readonly #dirty = new Set<number>();
  readonly #repeated: UplinkNotice['repeated'] = [];
  #listener: Listener | undefined;
  #isLooking = false;
  #isStopped = false;

  readonly events = {
    start: liveEvent(clientEvents.start, (socket, asked) => this.#start(socket, asked)),
    stop: liveEvent(clientEvents.stop, async (socket, { channel, device: ids }) => {
      for (const watch of this.#watches.of(socket)) {
        if (watch.channel_id === channel && ids.includes(watch.device_id)) this.#watches.remove(watch);
      }
    }),
  };

  constructor(services: Services) {
    this.#services = services;
  }

  async #start(socket: LiveSocket, { channel, device: ids, tail, after }: z.output<typeof clientEvents.start>): Promise<void> {
    if (!may(socket.identity, 'view', 'channel')) throw forbidden();
    const devices = await this.#findReached(socket, channel, ids);
    if (devices.length === 0) throw notFound('Device');
    const pks = new Set(devices.map(({ pk }) => pk));
    const own = this.#watches.of(socket);
    if (own.filter(({ pk }) => !pks.has(pk)).length + devices.length > liveLimits.devices)
      throw tooMany(`At most ${liveLimits.devices} devices are shown on one connection.`);
    this.#listen();
    for (const known of own) if (pks.has(known.pk)) this.#watches.remove(known);
    if (!socket.isOpen) return;
    const watches = devices.map((device) => new UplinkWatch(socket, channel, device));
    for (const watch of watches) this.#watches.add(watch);
    const missing = ids.filter((id) => !devices.some(({ device_id }) => device_id === id));
    if (missing.length > 0) reportMissing(socket, channel, missing);
    await this.#sendTail(socket, channel, watches, after === undefined ? tail : liveLimits.tail, after ?? '');
    for (const watch of watches) {
      watch.isReady = true;
      this.#dirty.add(watch.pk);
    }
    this.#look();
  }

  async refresh(socket: LiveSocket): Promise<void> {
    const watches = this.#watches.of(socket);
    if (watches.length === 0) return;
    if (!may(socket.identity, 'view', 'channel')) {
      this.leave(socket);
      socket.send('error', { code: 'forbidden', message: 'You may not see devices any more.', event: 'start' });
      return;
    }
    for (const [channel, group] of Map.groupBy(watches, ({ channel_id }) => channel_id)) {
      const ids = group.map(({ device_id }) => device_id);
      const alive = new Set((await this.#findReached(socket, channel, ids)).map(({ pk }) => pk));
      const gone = group.filter(({ pk }) => !alive.has(pk));
      for (const watch of gone) this.#watches.remove(watch);
      const missing = gone.map(({ device_id }) => device_id);
      if (missing.length > 0) reportMissing(socket, channel, missing);
    }
    for (const { pk } of watches) this.#dirty.add(pk);
    this.#look();
  }

  leave(socket: LiveSocket): void {
    for (const watch of this.#watches.of(socket)) this.#watches.remove(watch);
  }

  stop(): void {
    this.#isStopped = true;
    void this.#listener?.stop();
  }

  /** Leaves out devices of channels outside the user's groups. */
  async #findReached(socket: LiveSocket, channel: string, ids: string[]) {
    const found = await findDevices(this.#services.db, channel, ids);
    return found.filter(({ channel_pk }) => may(socket.identity, 'reach', 'channel', { channel_pk }));
  }

  #listen(): void {
    const { databaseUrl, log } = this.#services;
    this.#listener ??= listen(databaseUrl, { [uplinkNotification]: (payload) => this.#hear(payload) }, () => this.#hear('*'), log);
  }

  #hear(payload: string): void {
    const { devices, repeated, isAll, cameAt } = readNotice(payload);
    const since = new Date(cameAt ?? Date.now() - (isAll ? missedMs : 0));
    for (const pk of isAll ? this.#watches.devices() : devices) {
      const watches = this.#watches.ofDevice(pk);
      for (const watch of watches) watch.reachBack(since);
      if (watches.length > 0) this.#dirty.add(pk);
    }
    this.#repeated.push(...repeated.filter(({ pk }) => this.#watches.hasDevice(pk)));
    this.#look();
  }

  #look(): void {
    if (this.#isStopped || this.#isLooking || (this.#dirty.size === 0 && this.#repeated.length === 0)) return;
    this.#isLooking = true;
    this.#lookOnce()
      .catch((error: Error) => this.#services.log.warn({ err: error.message }, 'uplinks could not be shown live'))
      .then(() => delay(lookEveryMs, undefined, { ref: false }))
      .finally(() => {
        this.#isLooking = false;
        this.#look();
      });
  }

  async #lookOnce(): Promise<void> {
    const watches = [...this.#dirty].flatMap((pk) => this.#watches.ofDevice(pk)).filter(({ isReady }) => isReady);
    this.#dirty.clear();
    if (watches.length > 0) await this.#showNew(watches);
    const repeated = this.#repeated.splice(0, repeatedPerLook);
    if (repeated.length > 0) await this.#showRepeated(repeated);
  }

  /** Shows what was committed since the last look, whenever it came. */
  async #showNew(watches: UplinkWatch[]): Promise<void> {
    const { db } = this.#services;
    const now = new Date();
    const until = await readSnapshot(db);
    const groups = [...Map.groupBy(watches, ({ pk }) => pk)].flatMap(([pk, ofDevice]) =>
      [...Map.groupBy(ofDevice, ({ seen }) => seen)].map(([seen, all]) => ({ pk, seen, all })),
    );
    const wanted = groups.map(({ pk, seen, all }) => {
      const since = new Date(Math.min(...all.map((watch) => watch.since.getTime())) - overlapMs);
      return { pk, since, after: '', limit: newestPerLook, committed: { after: seen, until } };
    });
    // Set before the read, because a notification that comes meanwhile moves it back again.
    const before = watches.map((watch) => ({ watch, since: watch.since }));
    for (const watch of watches) watch.since = now;
    try {
      const pks = groups.map(({ pk }) => pk);
      const [records, online] = await Promise.all([readRecords(db, wanted), readOnline(db, pks)]);
      for (const [place, { all, pk }] of groups.entries())
        for (const watch of all) {
          watch.seen = until;
          watch.showNew(records[place] ?? []);
          watch.showOnline(online.get(pk) ?? false);
        }
    } catch (error) {
      for (const { watch, since } of before) watch.reachBack(since);
      throw error;
    }
  }

  /** Sends the original again, marked as repeated: repetitions themselves are not stored. */
  async #showRepeated(hits: UplinkNotice['repeated']): Promise<void> {
    const since = new Date(Date.now() - dayMs - 3_600_000);
    const pks = [...new Set(hits.map(({ pk }) => pk))];
    const wanted = pks.map((pk) => ({ pk, since, after: '', limit: newestPerLook }));
    const records = await readRecords(this.#services.db, wanted);
    for (const { pk, original } of hits) {
      const record = records[pks.indexOf(pk)]?.find(({ uplink_id }) => uplink_id === original);
      if (record) for (const watch of this.#watches.ofDevice(pk)) if (watch.isReady) watch.show([{ ...record, status: 'duplicate' }]);
    }
  }

  /** Sends the last records first, because a live view needs some history. */
  async #sendTail(socket: LiveSocket, channel: string, watches: UplinkWatch[], tail: number, after: string): Promise<void> {
    const { db } = this.#services;
    // What is committed from here on is new, unless the tail shows it already.
    const seen = await readSnapshot(db);
    for (const watch of watches) watch.seen = seen;
    const since = new Date(Date.now() - 31 * dayMs);
    const records =
      tail === 0
        ? []
        : await readRecords(
            db,
            watches.map(({ pk }) => ({ pk, since, after, limit: tail })),
          );
    const tails = new Map(watches.map((watch, place) => [watch, records[place] ?? []]));
    const tailOf = (watch: UplinkWatch): UplinkRecord[] => tails.get(watch) ?? [];
    const full = after === '' ? [] : watches.filter((watch) => tailOf(watch).length === tail);
    const pks = full.map(({ pk }) => pk);
    const missed = await countRecords(db, pks, after);
    const sum = watches.reduce((count, watch) => count + tailOf(watch).length, 0);
    socket.send('started', { channel, device: watches.map(({ device_id }) => device_id), tail: sum });
    for (const watch of watches) watch.showTail(tailOf(watch), missed.get(watch.pk) ?? 0);
  }
}

/** Reports missing devices only: the others go on, so that one deleted device does not silence a dashboard. */
function reportMissing(socket: LiveSocket, channel: string, device: string[]): void {
  socket.send('error', { code: 'not_found', message: 'Device not found.', event: 'start', asked: { channel, device } });
}
