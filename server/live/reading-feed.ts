import { clientEvents } from '@telltale/domain/live/contract.ts';
import type { Services } from '../platform/context.ts';
import { type Listener, listen } from '../platform/jobs/listen.ts';
import { may } from '../policy/policy.ts';
import { type Feed, liveEvent } from './feed.ts';
import type { LiveSocket } from './live-socket.ts';
import { readNotice, uplinkNotification } from './uplink-notice.ts';
import { channelsOfDevices } from './uplink-records.store.ts';

const tellEveryMs = 1000;
/** More devices than this are looked up anew, so that the memory of a large fleet does not grow for ever. */
const mostRemembered = 100_000;

interface Follower {
  toldAt: number;
  timer: NodeJS.Timeout | undefined;
}

/** Tells dashboards that devices have reported, so that their widgets run again. Says nothing about which devices, or what they said. */
export function readingFeed({ db, databaseUrl, log }: Services): Feed {
  const followers = new Map<LiveSocket, Follower>();
  const channelOf = new Map<number, number>();
  let listener: Listener | undefined;

  const leave = (socket: LiveSocket) => {
    clearTimeout(followers.get(socket)?.timer);
    followers.delete(socket);
  };

  const tell = (socket: LiveSocket, follower: Follower) => {
    if (follower.timer) return;
    const wait = Math.max(0, follower.toldAt + tellEveryMs - Date.now());
    follower.timer = setTimeout(() => {
      follower.timer = undefined;
      follower.toldAt = Date.now();
      socket.send('readings', { at: new Date().toISOString() });
    }, wait);
  };

  const hear = async (payload: string) => {
    if (followers.size === 0) return;
    // Repetitions add no reading.
    const { devices: pks, isAll } = readNotice(payload);
    if (!isAll && pks.length === 0) return;
    if (channelOf.size > mostRemembered) channelOf.clear();
    const isNarrow = ([{ identity }]: [LiveSocket, Follower]) => !may(identity, 'reach_all', 'channel');
    const unknown = pks.filter((pk) => !channelOf.has(pk));
    if (unknown.length > 0 && [...followers].some(isNarrow)) {
      for (const { pk, channel_pk } of await channelsOfDevices(db, unknown)) channelOf.set(pk, channel_pk);
    }
    const channels = new Set(pks.flatMap((pk) => channelOf.get(pk) ?? []));
    for (const entry of followers) {
      const [socket, follower] = entry;
      const reaches = [...channels].some((channel_pk) => may(socket.identity, 'reach', 'channel', { channel_pk }));
      if (isAll || reaches || !isNarrow(entry)) tell(socket, follower);
    }
  };
  const hearLater = (payload: string) =>
    void hear(payload).catch((error: Error) => log.warn({ err: error.message }, 'dashboards could not be told of readings'));

  return {
    events: {
      follow_readings: liveEvent(clientEvents.follow_readings, async (socket) => {
        listener ??= listen(databaseUrl, { [uplinkNotification]: hearLater }, () => hearLater('*'), log);
        if (socket.isOpen && !followers.has(socket)) followers.set(socket, { toldAt: 0, timer: undefined });
      }),
      unfollow_readings: liveEvent(clientEvents.unfollow_readings, async (socket) => leave(socket)),
    },
    async refresh(socket) {
      const follower = followers.get(socket);
      if (follower) tell(socket, follower);
    },
    leave,
    stop() {
      for (const socket of [...followers.keys()]) leave(socket);
      void listener?.stop();
    },
  };
}
