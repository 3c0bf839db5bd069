import type { DeviceDirectory } from '../networks/directory.ts';
import type { ReportDownlinks } from '../networks/downlinks.ts';
import type { Services } from '../platform/context.ts';
import type { Singleton } from '../platform/jobs/lease.ts';
import { placeDevice } from '../uplinks/presence.ts';
import type { Uplinks } from '../uplinks/uplinks.ts';
import { NetworkCarrier } from './carrier.ts';
import { forgetOldDeviceEvents } from './device-events.store.ts';
import { forgetEarlyEvents } from './early-events.store.ts';
import { NetworkManager } from './manager.ts';
import { forgetOldDownlinks } from './network-downlinks.store.ts';
import { Receiver } from './receiver.ts';

export interface NetworkParts {
  processId: string;
  uplinks: Uplinks;
  directory: DeviceDirectory;
  /** Moves deliveries of commands to their next state. */
  report: ReportDownlinks;
  tickMs?: number;
  backoffMs?: { first: number; most: number };
}

/** Networks in an ingest process: those it holds report through it, and commands leave by its carrier. */
export function startNetworks(services: Services, { uplinks, directory, report, ...timing }: NetworkParts) {
  const receiver = new Receiver(services, {
    directory,
    uplinks,
    report,
    place: async (device, at) => void (await placeDevice(services, device, at)),
  });
  const manager = new NetworkManager(services, { receiver, report, ...timing });
  const carrier = new NetworkCarrier(services, manager);
  return {
    carrier,
    async stop() {
      carrier.stop();
      await manager.stop();
    },
  };
}

/** Periodic clean-up for all networks; each is run by one process at a time. */
export const networkDuties = ({ db }: Services): Singleton[] => [
  { name: 'networks.events', everyMs: 60 * 60_000, run: async () => void (await forgetOldDeviceEvents(db)) },
  { name: 'networks.downlinks', everyMs: 60 * 60_000, run: async () => void (await forgetOldDownlinks(db)) },
  { name: 'networks.early', everyMs: 60 * 60_000, run: async () => void (await forgetEarlyEvents(db)) },
];
