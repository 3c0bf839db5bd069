import { eventsApi, type UsageEvent } from '@telltale/domain/events/contract.ts';
import { call } from './call.ts';
import { createEventQueue } from './eventQueue.ts';

const longestSendMs = 2000;
let sending: Promise<unknown> = Promise.resolve();

/** Usage events are not essential: those that cannot be sent are dropped. */
const queue = createEventQueue((events, isLeaving) => {
  const request = call(eventsApi.record, { body: events }, { keepalive: isLeaving }).catch(() => {});
  sending = Promise.all([sending, request]);
});

/** Screens 1.8: views and actions of users, by action, kind of object and its id. */
export function recordEvent(
  action: string,
  object_type: string,
  object_id?: string | number | null,
  extra?: Record<string, string | number | boolean | null>,
): void {
  const event: UsageEvent = {
    ...extra,
    action,
    object_type,
    timestamp: Date.now() / 1000,
    screen_resolution: `${screen.width}x${screen.height}`,
  };
  if (object_id !== undefined) event.object_id = object_id;
  queue.add(event);
}

/** Before a session ends: without it the server refuses what has not arrived. A server that is slow does not keep the session open. */
export async function sendWaitingEvents(): Promise<void> {
  queue.flush();
  await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, longestSendMs))]);
}

addEventListener('pagehide', () => queue.flush(true));
