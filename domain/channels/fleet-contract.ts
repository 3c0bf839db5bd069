import { z } from 'zod';
import { endpoint, Time } from '../endpoint.ts';

/** Counts of the visible devices by state, for the home page. */
export const FleetSummary = z.object({
  devices: z.int(),
  connected: z.int(),
  reporting: z.int(),
  late: z.int(),
  silent: z.int(),
  /** Devices that have reported at least once. */
  seen: z.int(),
  rejected: z.int(),
  /** The device that was added last. */
  newest: z.object({ channel_id: z.string(), device_id: z.string() }).nullable(),
});
export type FleetSummary = z.infer<typeof FleetSummary>;

export const FleetParams = z.object({
  /** The start of the count of rejected messages; the last 24 hours unless given. */
  since: Time.optional(),
});
export type FleetParams = z.output<typeof FleetParams>;

export const fleetApi = {
  summary: endpoint('GET', '/api/fleet', {
    needs: 'view_channel',
    query: FleetParams,
    reply: FleetSummary,
    summary: 'How many devices are connected, reporting, late and silent, and how many messages were rejected.',
  }),
};
