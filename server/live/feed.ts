import type { z } from 'zod';
import { parseBody } from '../platform/http/parse.ts';
import type { LiveSocket } from './live-socket.ts';

export type LiveEvent = (socket: LiveSocket, data: Record<string, unknown>) => Promise<void>;

/** Something a client can follow over the live socket: jobs, devices. Its events are refused by throwing. */
export interface Feed {
  /** What a client may ask of it, by the name of the event. */
  events: Record<string, LiveEvent>;
  /** Rights were read again, or the client has caught up after missing something: tell it how things stand. */
  refresh(socket: LiveSocket): Promise<void>;
  leave(socket: LiveSocket): void;
  stop(): void;
}

/** The data of an event is parsed here, so a feed only ever sees what it declared. */
export const liveEvent =
  <S extends z.ZodType>(schema: S, answer: (socket: LiveSocket, data: z.output<S>) => Promise<void>): LiveEvent =>
  (socket, data) =>
    answer(socket, parseBody(schema, data));
