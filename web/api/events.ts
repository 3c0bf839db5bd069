import { eventsApi, type UsageEvent } from '@telltale/domain/events/contract.ts';
import { call } from './call.ts';
import { createEventQueue } from './eventQueue.ts';

/** Usage events are not essential: those that cannot be sent are dropped. */
const queue = createEventQueue((events, isLeaving) => {
  call(eventsApi.record, { body: events }, { keepalive: isLeaving }).catch(() => {});
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

addEventListener('pagehide', () => queue.flush(true));
