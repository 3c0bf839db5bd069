import { nobody } from '@telltale/domain/access/identity.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import { downlinkMessage } from '../networks/downlink-message.ts';
import type { HttpDownlinks } from '../networks/downlinks.ts';
import { createCtx, type Services } from '../platform/context.ts';
import { type Listener, listen } from '../platform/jobs/listen.ts';
import { takeAnswers } from './answers.ts';
import { downlinkOf } from './downlink.ts';
import { downlinkNotification, readIds } from './notices.ts';
import { applyEvents } from './progress.ts';
import { claim, readHeads, release } from './queue.store.ts';

/** A notification may be missed, so a waiting request also polls at this interval. */
const lookEveryMs = 5000;

/**
 * iot-behaviour 1.12: the HTTP counterpart of MQTT. A request of a device returns its oldest waiting command, which then counts as sent.
 */
export function httpDownlinks(services: Services): HttpDownlinks {
  const { db, databaseUrl, log, config } = services;
  let answering: ReturnType<typeof takeAnswers> | undefined;
  const waiting = new Map<number, Set<() => void>>();
  let listener: Listener | undefined;

  const wake = (pks: Iterable<number>) => {
    for (const pk of pks) for (const look of waiting.get(pk) ?? []) look();
  };

  const take = async (device: DeviceEntry) => {
    await release(db, [device.pk], null);
    const [head] = await readHeads(db, [device.pk], config.commandsPerSecond);
    if (!head?.fits) return undefined;
    const claimed = await claim(db, [head.id]).catch(() => new Set<number>());
    if (!claimed.has(head.id)) return undefined;
    const downlink = downlinkOf(head);
    await applyEvents(createCtx(services, nobody), [{ of: { id: head.id }, attempt: downlink.attempt, event: { kind: 'sent' } }]);
    return downlinkMessage(downlink);
  };

  return {
    answer: (device, payload, notePoints) => {
      answering ??= takeAnswers(services, notePoints);
      return answering(device, payload);
    },
    async next(device, waitMs, signal) {
      const until = Date.now() + waitMs;
      listener ??= listen(databaseUrl, { [downlinkNotification]: (payload) => wake(readIds(payload)) }, () => wake(waiting.keys()), log);
      while (!signal.aborted) {
        const look = Promise.withResolvers<void>();
        const looks = waiting.get(device.pk) ?? new Set();
        waiting.set(device.pk, looks.add(look.resolve));
        try {
          const message = await take(device);
          const left = until - Date.now();
          if (message || left <= 0) return message;
          const timer = setTimeout(look.resolve, Math.min(left, lookEveryMs));
          signal.addEventListener('abort', () => look.resolve(), { once: true });
          await look.promise;
          clearTimeout(timer);
        } finally {
          looks.delete(look.resolve);
          if (looks.size === 0) waiting.delete(device.pk);
        }
      }
      return undefined;
    },
    async stop() {
      wake(waiting.keys());
      await listener?.stop();
    },
  };
}
