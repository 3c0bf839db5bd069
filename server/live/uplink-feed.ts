import { setTimeout as delay } from 'node:timers/promises';
import { hasPermission } from '@telltale/domain/access/permissions.ts';
import { clientEvents } from '@telltale/domain/live/contract.ts';
import { liveLimits, type UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import type { Services } from '../platform/context.ts';
import { forbidden, notFound, tooMany } from '../platform/errors.ts';
import { type Listener, listen } from '../platform/jobs/listen.ts';
import { type Feed, liveEvent } from './feed.ts';
import type { LiveSocket } from './live-socket.ts';
import { countRecords, findDevices, readOnline, readRecords, type WatchedDevice } from './uplink-records.store.ts';

/** Told by every flush: ids of devices, and which of them repeated what (`12 15 15=01JH…`), or `*`. */
const notification = 'telltale_uplinks';
/** Looks follow each other at most this often; what came meanwhile is found by the next one. */
const lookEveryMs = 50;
/** Flushes of different processes may end in another order than their messages came in. */
const overlapMs = 3000;
const newestPerLook = 200;
const remembered = 500;

/** One device on one socket. */
interface Watch extends WatchedDevice {
  socket: LiveSocket;
  channel_id: string;
  /** What it has been shown, so that an overlap shows nothing twice. */
  shown: Set<string>;
  since: Date;
  tokens: number;
  tokensAt: number;
  /** Left out and not told yet. */
  dropped: number;
  /** False until its tail has been sent. */
  isReady: boolean;
  /** As it was told; undefined before. */
  online: boolean | undefined;
}

/** iot-behaviour 1.11: what devices report, after it is on disk, in the order of each device. */
export function uplinkFeed({ db, databaseUrl, log }: Services): Feed {
  const byDevice = new Map<number, Set<Watch>>();
  const bySocket = new Map<LiveSocket, Set<Watch>>();
  let listener: Listener | undefined;
  const dirty = new Set<number>();
  const repeated: { pk: number; original: string }[] = [];
  let isLooking = false;
  let isStopped = false;

  const forget = (watch: Watch) => {
    byDevice.get(watch.pk)?.delete(watch);
    if (byDevice.get(watch.pk)?.size === 0) byDevice.delete(watch.pk);
    bySocket.get(watch.socket)?.delete(watch);
    if (bySocket.get(watch.socket)?.size === 0) bySocket.delete(watch.socket);
  };

  const hear = (payload: string) => {
    if (payload === '*') for (const pk of byDevice.keys()) dirty.add(pk);
    for (const part of payload.split(' ')) {
      const [, pk, original] = /^(\d{1,10})(?:=([0-9A-Z]{26}))?$/.exec(part) ?? [];
      if (!pk || !byDevice.has(Number(pk))) continue;
      if (original) repeated.push({ pk: Number(pk), original });
      else dirty.add(Number(pk));
    }
    if (dirty.size > 0 || repeated.length > 0) look();
  };

  const look = () => {
    if (isStopped || isLooking) return;
    isLooking = true;
    lookOnce()
      .catch((error: Error) => log.warn({ err: error.message }, 'uplinks could not be shown live'))
      .then(() => delay(lookEveryMs, undefined, { ref: false }))
      .finally(() => {
        isLooking = false;
        if (dirty.size > 0 || repeated.length > 0) look();
      });
  };

  const lookOnce = async () => {
    const pks = [...dirty];
    dirty.clear();
    const watches = pks.flatMap((pk) => [...(byDevice.get(pk) ?? [])]).filter(({ isReady }) => isReady);
    const sinces = Map.groupBy(watches, ({ pk }) => pk);
    const wanted = [...sinces].map(([pk, all]) => ({
      pk,
      since: new Date(Math.min(...all.map(({ since }) => since.getTime())) - overlapMs),
      after: '',
      limit: newestPerLook,
    }));
    const now = new Date();
    if (wanted.length > 0) {
      const [records, online] = await Promise.all([
        readRecords(db, wanted),
        readOnline(
          db,
          wanted.map(({ pk }) => pk),
        ),
      ]);
      for (const watch of watches) {
        show(
          watch,
          (records.get(watch.pk) ?? []).filter(({ uplink_id }) => !watch.shown.has(uplink_id)),
        );
        watch.since = now;
        showOnline(watch, online.get(watch.pk) ?? false);
      }
    }
    await showRepeated(repeated.splice(0, 100));
  };

  /** The original once more, marked: a repetition itself is not stored anywhere. */
  const showRepeated = async (hits: { pk: number; original: string }[]) => {
    if (hits.length === 0) return;
    const day = new Date(Date.now() - 25 * 60 * 60_000);
    const records = await readRecords(
      db,
      [...new Set(hits.map(({ pk }) => pk))].map((pk) => ({ pk, since: day, after: '', limit: newestPerLook })),
    );
    for (const { pk, original } of hits) {
      const record = records.get(pk)?.find(({ uplink_id }) => uplink_id === original);
      if (record) for (const watch of byDevice.get(pk) ?? []) if (watch.isReady) show(watch, [{ ...record, status: 'duplicate' }]);
    }
  };

  /** At most so many a second, the newest ones; what is left out is counted and told. */
  const show = (watch: Watch, records: UplinkRecord[]) => {
    const now = Date.now();
    const { recordsPerSecond } = liveLimits;
    watch.tokens = Math.min(recordsPerSecond, watch.tokens + ((now - watch.tokensAt) / 1000) * recordsPerSecond);
    watch.tokensAt = now;
    const room = Math.min(records.length, Math.floor(watch.tokens));
    for (const { uplink_id } of records) watch.shown.add(uplink_id);
    if (watch.shown.size > remembered) watch.shown = new Set([...watch.shown].slice(-newestPerLook));
    watch.dropped += records.length - room;
    watch.tokens -= room;
    send(watch, records.slice(records.length - room));
  };

  const showOnline = (watch: Watch, online: boolean) => {
    const { socket, device_id, channel_id } = watch;
    if (watch.online !== online && socket.send('state', { [device_id]: { online } }, { channel: channel_id })) watch.online = online;
  };

  /** What was left out stands before what came after it. */
  const send = (watch: Watch, records: readonly UplinkRecord[]) => {
    const { socket, device_id, channel_id } = watch;
    if (watch.dropped > 0 && socket.send('gap', { [device_id]: watch.dropped }, { channel: channel_id })) watch.dropped = 0;
    for (const record of records) if (!socket.send('uplink', { [device_id]: record }, { channel: channel_id })) watch.dropped++;
  };

  /** The others go on: a dashboard does not fall silent because one device of many was deleted. */
  const tellMissing = (socket: LiveSocket, channel: string, device: string[]) =>
    socket.send('error', { code: 'not_found', message: 'Device not found.', event: 'start', asked: { channel, device } });

  const requireView = (socket: LiveSocket) => {
    if (!hasPermission(socket.identity.permissions, 'view_channel')) throw forbidden();
  };

  return {
    events: {
      start: liveEvent(clientEvents.start, async (socket, { channel, device: ids, tail, after }) => {
        requireView(socket);
        const devices = await findDevices(db, channel, ids);
        if (devices.length === 0) throw notFound('Device');
        const missing = ids.filter((id) => !devices.some(({ device_id }) => device_id === id));
        const own = bySocket.get(socket) ?? new Set<Watch>();
        const others = [...own].filter(({ pk }) => !devices.some((device) => device.pk === pk));
        if (others.length + devices.length > liveLimits.devices)
          throw tooMany(`At most ${liveLimits.devices} devices are shown on one connection.`);
        listener ??= listen(databaseUrl, { [notification]: hear }, () => hear('*'), log);
        const now = Date.now();
        const watches = devices.map((device): Watch => {
          const fresh = { ...device, socket, channel_id: channel, shown: new Set<string>(), since: new Date(now) };
          return { ...fresh, tokens: liveLimits.recordsPerSecond, tokensAt: now, dropped: 0, isReady: false, online: undefined };
        });
        for (const known of [...own]) if (devices.some(({ pk }) => pk === known.pk)) forget(known);
        for (const watch of watches) {
          byDevice.set(watch.pk, (byDevice.get(watch.pk) ?? new Set()).add(watch));
          bySocket.set(socket, (bySocket.get(socket) ?? new Set()).add(watch));
        }
        if (!socket.isOpen) return watches.forEach(forget);
        if (missing.length > 0) tellMissing(socket, channel, missing);
        await sendTail(socket, channel, watches, after === undefined ? tail : liveLimits.tail, after ?? '');
        for (const watch of watches) {
          watch.isReady = true;
          dirty.add(watch.pk);
        }
        look();
      }),
      stop: liveEvent(clientEvents.stop, async (socket, { channel, device: ids }) => {
        for (const watch of [...(bySocket.get(socket) ?? [])]) {
          if (watch.channel_id === channel && ids.includes(watch.device_id)) forget(watch);
        }
      }),
    },
    async refresh(socket) {
      const watches = [...(bySocket.get(socket) ?? [])];
      if (watches.length === 0) return;
      if (!hasPermission(socket.identity.permissions, 'view_channel')) {
        watches.forEach(forget);
        socket.send('error', { code: 'forbidden', message: 'You may not see devices any more.', event: 'start' });
        return;
      }
      for (const [channel, group] of Map.groupBy(watches, ({ channel_id }) => channel_id)) {
        const alive = new Set(
          (
            await findDevices(
              db,
              channel,
              group.map(({ device_id }) => device_id),
            )
          ).map(({ pk }) => pk),
        );
        const gone = group.filter(({ pk }) => !alive.has(pk));
        gone.forEach(forget);
        const missing = gone.map(({ device_id }) => device_id);
        if (missing.length > 0) tellMissing(socket, channel, missing);
      }
      for (const { pk } of watches) dirty.add(pk);
      look();
    },
    leave(socket) {
      for (const watch of [...(bySocket.get(socket) ?? [])]) forget(watch);
    },
    stop() {
      isStopped = true;
      void listener?.stop();
    },
  };

  /** A live view without history is a riddle: the last records come first. */
  async function sendTail(socket: LiveSocket, channel: string, watches: Watch[], tail: number, after: string): Promise<void> {
    const [recently, month] = [new Date(Date.now() - 2 * overlapMs), new Date(Date.now() - 31 * 86_400_000)];
    const recent = await readRecords(
      db,
      watches.map(({ pk }) => ({ pk, since: recently, after: '', limit: newestPerLook })),
    );
    // What was there before is the tail's business alone.
    for (const watch of watches) for (const { uplink_id } of recent.get(watch.pk) ?? []) watch.shown.add(uplink_id);
    const records =
      tail === 0
        ? new Map()
        : await readRecords(
            db,
            watches.map(({ pk }) => ({ pk, since: month, after, limit: tail })),
          );
    const tailOf = ({ pk }: Watch): UplinkRecord[] => records.get(pk) ?? [];
    const full = after === '' ? [] : watches.filter((watch) => tailOf(watch).length === tail);
    const missed = await countRecords(
      db,
      full.map(({ pk }) => pk),
      after,
    );
    const sum = watches.reduce((count, watch) => count + tailOf(watch).length, 0);
    socket.send('started', { channel, device: watches.map(({ device_id }) => device_id), tail: sum });
    for (const watch of watches) {
      for (const { uplink_id } of tailOf(watch)) watch.shown.add(uplink_id);
      watch.dropped += Math.max(0, (missed.get(watch.pk) ?? 0) - tailOf(watch).length);
      send(watch, tailOf(watch));
    }
  }
}
