import { z } from 'zod';
import { commandClientEvents, commandServerEvents } from '../commands/live.ts';
import { Job } from '../jobs/contract.ts';
import { uplinkClientEvents, uplinkServerEvents } from '../uplinks/live-record.ts';
import { readingClientEvents, readingServerEvents } from './readings.ts';

/** iot-behaviour 1.11: text frames both ways on one socket beside the API. */
export const livePath = '/api/live';
/** The sub-protocol to offer; a browser that signs in by key offers the key as the second one, because it cannot set headers. */
export const liveProtocol = 'telltale';

/** `channel`: for frames whose data has only device ids as keys, because channels may have devices of the same id. */
export const Frame = z.object({
  event: z.string().min(1).max(50),
  channel: z.string().optional(),
  data: z.record(z.string(), z.unknown()).default({}),
});
export type Frame = z.output<typeof Frame>;

const OneJob = z.object({ job: z.uuid().toLowerCase() });

const Nothing = z.object({});

/** Requests of clients. */
export const clientEvents = {
  /** Answered by `pong`: browsers cannot see the pings of the protocol, so this tells them whether the socket is still connected. */
  ping: Nothing,
  /** The job now and after every change, until it is done or failed. */
  watch: OneJob,
  unwatch: OneJob,
  /** `start`: the reports of these devices, from now on. `stop` ends it. */
  ...uplinkClientEvents,
  ...commandClientEvents,
  ...readingClientEvents,
};

/** Events of the server. */
export const serverEvents = {
  pong: Nothing,
  job: z.object({ job: Job }),
  ...uplinkServerEvents,
  ...commandServerEvents,
  ...readingServerEvents,
  /** `event` and `asked` say which frame could not be answered, when it could be read. */
  error: z.object({
    code: z.string(),
    message: z.string(),
    event: z.string().optional(),
    asked: z.record(z.string(), z.unknown()).optional(),
  }),
};
export type ServerEvents = { [Name in keyof typeof serverEvents]: z.output<(typeof serverEvents)[Name]> };

/** The reasons for which the server closes the socket. */
export const closeCodes = {
  /** The server stops: the client connects again. */
  goingAway: 1001,
  /** Frames came faster than they can be answered. */
  flooded: 1008,
  /** The client reads too slowly: it connects again later. */
  tooSlow: 1013,
  /** Signed out, disabled, or the key was replaced: connecting again the same way fails. */
  signedOut: 4401,
} as const;
