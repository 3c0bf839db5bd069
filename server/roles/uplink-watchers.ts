import { AlertWatcher } from '../alerts/alert-watcher.ts';
import { EffectWatcher } from '../commands/effect-watcher.ts';
import { EventWatcher } from '../commands/event-watcher.ts';
import type { Services } from '../platform/context.ts';
import type { UplinkWatcher } from '../uplinks/watchers.ts';

/** The rooms that watch every uplink, made once for each process that stores some: ingest, and web for the HTTP twin. */
export const uplinkWatchers = (services: Services): UplinkWatcher[] => [
  new AlertWatcher(services),
  new EffectWatcher(services),
  new EventWatcher(services),
];
