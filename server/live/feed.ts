import type { z } from 'zod';
import { parseBody } from '../platform/http/parse.ts';
import type { LiveSocket } from './live-socket.ts';

export type LiveEvent = (socket: LiveSocket, data: Record<string, unknown>) => Promise<void>;

/** A topic that a client can follow over the live socket: jobs, devices. A feed refuses an event by throwing. */
export interface Feed {
  /** Events that a client may send to this feed, by name. */
  events: Record<string, LiveEvent>;
  /** Events of another feed that this feed handles as well, after the other one. */
  also?: Record<string, LiveEvent>;
  /** Sends the current state, after permissions were read again or the client has caught up. */
  refresh(socket: LiveSocket): Promise<void>;
  leave(socket: LiveSocket): void;
  stop(): void;
}

/** Parses the data of an event, so that a feed only sees the fields it declared. */
export const liveEvent =
  <S extends z.ZodType>(schema: S, answer: (socket: LiveSocket, data: z.output<S>) => Promise<void>): LiveEvent =>
  (socket, data) =>
    answer(socket, parseBody(schema, data));
