import { setTimeout as delay } from 'node:timers/promises';
import { clientEvents } from '@telltale/domain/live/contract.ts';
import type { Feed } from '../live/feed.ts';
import { liveEvent } from '../live/feed.ts';
import type { LiveSocket } from '../live/live-socket.ts';
import type { Services } from '../platform/context.ts';
import { forbidden, notFound, tooMany } from '../platform/errors.ts';
import { type Listener, listen } from '../platform/jobs/listen.ts';
import { may } from '../policy/policy.ts';
import { findCommand } from './commands.store.ts';
import { type DeliveryWithDevice, findDeliveries, findDevicesOf, newestLogId, readLogAfter } from './deliveries.store.ts';
import { deliveryNotification, readIds } from './notices.ts';

const mostCommands = 20;
/** Changes within this interval are read and sent together. */
const lookEveryMs = 50;
const mostPerLook = 500;

/**
 * iot-behaviour 1.11: sends deliveries as they change. `follow` subscribes to one command; sockets that `start` a device also get each line
 * of its command log as `command`.
 */
export function commandFeed({ db, databaseUrl, log }: Services): Feed {
  const commands = new Map<LiveSocket, Set<number>>();
  const devices = new Map<LiveSocket, Map<number, { channel: string; device: string }>>();
  const changed = new Set<number>();
  /** The newest log id when the first subscriber came: older lines are not sent. */
  let begin = 0;
  let told = new Set<number>();
  let listener: Listener | undefined;
  let isLooking = false;
  let isStopped = false;

  const open = async () => {
    if (listener) return;
    listener = listen(databaseUrl, { [deliveryNotification]: hear }, () => {}, log);
    begin = await newestLogId(db);
  };

  const hear = (payload: string) => {
    if (commands.size === 0 && devices.size === 0) return;
    for (const id of readIds(payload)) changed.add(id);
    look();
  };

  const look = () => {
    if (isStopped || isLooking || changed.size === 0) return;
    isLooking = true;
    lookOnce()
      .catch((error: Error) => log.warn({ err: error.message }, 'deliveries could not be shown live'))
      .then(() => delay(lookEveryMs, undefined, { ref: false }))
      .finally(() => {
        isLooking = false;
        look();
      });
  };

  const lookOnce = async () => {
    const ids = [...changed].slice(0, mostPerLook);
    for (const id of ids) changed.delete(id);
    const [deliveries, rows] = await Promise.all([findDeliveries(db, ids), devices.size > 0 ? readLogAfter(db, ids, begin) : []]);
    for (const delivery of deliveries) tellDelivery(delivery);
    for (const { device_pk, ...row } of rows) {
      if (told.has(row.id)) continue;
      told.add(row.id);
      for (const [socket, watched] of devices) {
        const found = watched.get(device_pk);
        if (found) socket.send('command', { [found.device]: row }, { channel: found.channel });
      }
    }
    if (told.size > 20 * mostPerLook) {
      const kept = [...told].sort((a, b) => a - b).slice(-10 * mostPerLook);
      begin = (kept[0] ?? 1) - 1;
      told = new Set(kept);
    }
  };

  const tellDelivery = ({ device_pk: _, channel_pk: __, ...delivery }: DeliveryWithDevice) => {
    const command = delivery.command_id;
    if (command === null) return;
    for (const [socket, followed] of commands) if (followed.has(command)) socket.send('delivery', { command, delivery });
  };

  const requireView = (socket: LiveSocket) => {
    if (!may(socket.identity, 'view', 'channel')) throw forbidden();
  };

  return {
    events: {
      follow: liveEvent(clientEvents.follow, async (socket, { command }) => {
        requireView(socket);
        const found = await findCommand(db, command);
        if (!found || !may(socket.identity, 'reach', 'channel', found)) throw notFound('Command');
        const followed = commands.get(socket) ?? new Set<number>();
        if (followed.size >= mostCommands && !followed.has(command)) throw tooMany('Too many commands are followed on this connection.');
        await open();
        if (!socket.isOpen) return;
        commands.set(socket, followed.add(command));
        socket.send('following', { command });
      }),
      unfollow: liveEvent(clientEvents.unfollow, async (socket, { command }) => {
        commands.get(socket)?.delete(command);
        if (commands.get(socket)?.size === 0) commands.delete(socket);
      }),
    },
    /** A socket that subscribes to a device's uplinks also gets its commands. */
    also: {
      start: liveEvent(clientEvents.start, async (socket, { channel, device }) => {
        if (!may(socket.identity, 'view', 'channel')) return;
        await open();
        const found = await findDevicesOf(db, channel, device);
        if (!socket.isOpen) return;
        const watched = devices.get(socket) ?? new Map<number, { channel: string; device: string }>();
        for (const { pk, device_id, channel_pk } of found)
          if (may(socket.identity, 'reach', 'channel', { channel_pk })) watched.set(pk, { channel, device: device_id });
        if (watched.size > 0) devices.set(socket, watched);
      }),
      stop: liveEvent(clientEvents.stop, async (socket, { channel, device }) => {
        const watched = devices.get(socket);
        for (const [pk, one] of [...(watched ?? [])]) if (one.channel === channel && device.includes(one.device)) watched?.delete(pk);
        if (watched?.size === 0) devices.delete(socket);
      }),
    },
    async refresh(socket) {
      if (may(socket.identity, 'view', 'channel') && may(socket.identity, 'reach_all', 'channel')) return;
      if (!may(socket.identity, 'view', 'channel')) {
        commands.delete(socket);
        devices.delete(socket);
        return;
      }
      // The visible channels may have changed since the socket subscribed.
      for (const command of [...(commands.get(socket) ?? [])]) {
        const found = await findCommand(db, command);
        if (!found || !may(socket.identity, 'reach', 'channel', found)) commands.get(socket)?.delete(command);
      }
      for (const [pk, { channel, device }] of [...(devices.get(socket) ?? [])]) {
        const [found] = await findDevicesOf(db, channel, [device]);
        if (!found || !may(socket.identity, 'reach', 'channel', found)) devices.get(socket)?.delete(pk);
      }
    },
    leave(socket) {
      commands.delete(socket);
      devices.delete(socket);
    },
    stop() {
      isStopped = true;
      void listener?.stop();
    },
  };
}
