import { z } from 'zod';
import { Job } from '../jobs/contract.ts';
import { uplinkClientEvents, uplinkServerEvents } from '../uplinks/live-record.ts';

/** iot-behaviour 1.11: text frames both ways on one socket beside the API. */
export const livePath = '/api/live';
/** The sub-protocol to offer; a browser that signs in by key offers the key as the second one, because it cannot set headers. */
export const liveProtocol = 'telltale';

/** `channel`: of frames whose data stands under ids of devices alone, because channels may have devices of the same id. */
export const Frame = z.object({
  event: z.string().min(1).max(50),
  channel: z.string().optional(),
  data: z.record(z.string(), z.unknown()).default({}),
});
export type Frame = z.output<typeof Frame>;

const OneJob = z.object({ job: z.uuid().toLowerCase() });

/** What a client may ask. */
export const clientEvents = {
  /** The job now and after every change, until it is done or failed. */
  watch: OneJob,
  unwatch: OneJob,
  /** `start`: what these devices report, from now on. `stop` ends it. */
  ...uplinkClientEvents,
};

/** What the server tells. */
export const serverEvents = {
  job: z.object({ job: Job }),
  ...uplinkServerEvents,
  /** `event` and `asked` say which frame could not be answered, when it could be read. */
  error: z.object({
    code: z.string(),
    message: z.string(),
    event: z.string().optional(),
    asked: z.record(z.string(), z.unknown()).optional(),
  }),
};
export type ServerEvents = { [Name in keyof typeof serverEvents]: z.output<(typeof serverEvents)[Name]> };

/** Why the server hangs up. */
export const closeCodes = {
  /** The server stops: connect again, to whoever answers then. */
  goingAway: 1001,
  /** Frames came faster than they can be answered. */
  flooded: 1008,
  /** More was to be told than the client read: connect again later. */
  tooSlow: 1013,
  /** Signed out, disabled, or the key was replaced: connecting again the same way is no use. */
  signedOut: 4401,
} as const;
