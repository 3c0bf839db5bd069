import type { Identity, Person } from '@telltale/domain/access/identity.ts';
import { clientEvents, closeCodes, Frame, liveProtocol } from '@telltale/domain/live/contract.ts';
import type { FastifyRequest } from 'fastify';
import { Gauge } from 'prom-client';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { AppError, fromDatabaseError, invalid } from '../platform/errors.ts';
import { metrics } from '../platform/http/metrics.ts';
import { parseBody, refuseNul } from '../platform/http/parse.ts';
import type { Upgrade } from '../platform/http/upgrade.ts';
import type { Logger } from '../platform/log.ts';
import { type Feed, liveEvent } from './feed.ts';
import { LiveSocket, type SlowPeer } from './live-socket.ts';

export interface LiveTiming {
  pingMs: number;
  recheckMs: number;
  slow: SlowPeer;
}

/** iot-behaviour 1.11. */
const usualTiming: LiveTiming = { pingMs: 25_000, recheckMs: 60_000, slow: { unsentBytes: 1024 * 1024, timeoutMs: 10_000 } };
const largestFrame = 64 * 1024;
/** A page of sixty widgets subscribes to all of them at once; no page sends more than this. */
const mostWaitingFrames = 256;
export const mostSocketsPerPerson = 50;

interface Member {
  ws: WebSocket;
  socket: LiveSocket;
  request: FastifyRequest;
  isAlive: boolean;
  waiting: number;
  turn: Promise<void>;
}

const liveConnections = new Gauge({ name: 'telltale_live_connections', help: 'Open live sockets of this process.', registers: [metrics] });

/** Tells a client that its socket is still connected. */
const pings: Feed = {
  events: {
    ping: liveEvent(clientEvents.ping, async (socket) => {
      socket.send('pong', {});
    }),
  },
  refresh: async () => {},
  leave: () => {},
  stop: () => {},
};

/** All live sockets of this process. */
export class LiveHub {
  readonly #feeds: readonly Feed[];
  readonly #identify: (request: FastifyRequest) => Promise<Identity>;
  readonly #log: Logger;
  readonly #timing: LiveTiming;
  readonly #members = new Set<Member>();
  readonly #timers: NodeJS.Timeout[];
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestFrame,
    perMessageDeflate: false,
    // The second one is a key and must never be returned.
    handleProtocols: (offered) => (offered.has(liveProtocol) ? liveProtocol : false),
  });

  constructor(
    feeds: readonly Feed[],
    identify: (request: FastifyRequest) => Promise<Identity>,
    log: Logger,
    timing: Partial<LiveTiming> = {},
  ) {
    this.#feeds = [pings, ...feeds];
    this.#identify = identify;
    this.#log = log;
    this.#timing = { ...usualTiming, ...timing };
    this.#timers = [
      setInterval(() => this.#ping(), this.#timing.pingMs),
      setInterval(() => void this.#recheck(), this.#timing.recheckMs),
    ].map((timer) => timer.unref());
  }

  countOf(personId: number): number {
    return [...this.#members].filter(({ socket }) => socket.identity.id === personId).length;
  }

  accept(request: FastifyRequest, { socket, head }: Upgrade, person: Person): void {
    this.#server.handleUpgrade(request.raw, socket, head, (ws) => this.#join(ws, request, person));
  }

  #join(ws: WebSocket, request: FastifyRequest, person: Person): void {
    const socket = new LiveSocket(ws, person, this.#timing.slow, () => this.#refresh(member));
    const member: Member = { ws, socket, request, isAlive: true, waiting: 0, turn: Promise.resolve() };
    this.#members.add(member);
    liveConnections.set(this.#members.size);
    ws.on('pong', () => {
      member.isAlive = true;
    });
    // For an oversized or invalid frame, ws closes the connection with the right code by itself.
    ws.on('error', () => {});
    ws.on('message', (data, isBinary) => this.#hear(member, data, isBinary));
    ws.once('close', () => {
      this.#members.delete(member);
      liveConnections.set(this.#members.size);
      for (const feed of this.#feeds) feed.leave(socket);
    });
  }

  /** Handles frames one at a time and in order; a client that sends too many at once is disconnected. */
  #hear(member: Member, data: RawData, isBinary: boolean): void {
    if (!member.socket.isOpen) return;
    if (++member.waiting > mostWaitingFrames) {
      member.socket.close(closeCodes.flooded, 'Too many frames at once.');
      return;
    }
    member.turn = member.turn
      .then(() => this.#answer(member, isBinary ? undefined : String(data)))
      .finally(() => {
        member.waiting--;
      });
  }

  async #answer({ socket, request }: Member, text: string | undefined): Promise<void> {
    let frame: Frame | undefined;
    try {
      frame = readFrame(text);
      const { event, data } = frame;
      const answer = this.#feeds.find(({ events }) => Object.hasOwn(events, event))?.events[event];
      if (!answer) throw new AppError(404, 'unknown_event', 'There is no such event.');
      if (!(await this.#isStillIn(socket, request)) || !socket.isOpen) return;
      await answer(socket, data);
      for (const { also } of this.#feeds) if (also && Object.hasOwn(also, event)) await also[event]?.(socket, data);
    } catch (error) {
      const told = error instanceof AppError ? error : fromDatabaseError(error);
      if (!told) this.#log.error({ err: error, event: frame?.event }, 'a live event failed');
      const asked = frame ? { event: frame.event, asked: frame.data } : {};
      socket.send('error', { code: told?.code ?? 'failed', message: told?.message ?? 'This failed for an unexpected reason.', ...asked });
    }
  }

  /** design 8: permissions are read for each request, so a sign-out or a change of role applies here too. */
  async #isStillIn(socket: LiveSocket, request: FastifyRequest): Promise<boolean> {
    const now = await this.#identify(request);
    if (now.kind === 'user' && now.id === socket.identity.id) {
      socket.identity = now;
      return true;
    }
    socket.close(closeCodes.signedOut, 'Please sign in again.');
    return false;
  }

  #refresh({ socket }: Member): void {
    for (const feed of this.#feeds) {
      feed.refresh(socket).catch((error: Error) => this.#log.warn({ err: error.message }, 'a live feed could not be refreshed'));
    }
  }

  /** Reads the permissions of all clients again. A failing database disconnects nobody. */
  async #recheck(): Promise<void> {
    for (const member of [...this.#members]) {
      try {
        if (await this.#isStillIn(member.socket, member.request)) this.#refresh(member);
      } catch (error) {
        this.#log.warn({ err: error instanceof Error ? error.message : String(error) }, 'rights of live sockets could not be read');
        return;
      }
    }
  }

  #ping(): void {
    for (const member of this.#members) {
      if (!member.isAlive) member.ws.terminate();
      member.isAlive = false;
      if (member.socket.isOpen) member.ws.ping();
    }
  }

  /** Closes all connections with "going away", and waits only briefly for the clients to answer. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const feed of this.#feeds) feed.stop();
    const gone = [...this.#members].map(({ ws, socket }) => {
      const closed = new Promise((resolve) => ws.once('close', resolve));
      socket.close(closeCodes.goingAway, 'The server stops.');
      return closed;
    });
    await Promise.all(gone);
  }
}

function readFrame(text: string | undefined): Frame {
  if (text === undefined) throw invalid('Frames are text: {"event": name, "data": {…}}.');
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw invalid('A frame is not valid JSON.');
  }
  refuseNul(given);
  return parseBody(Frame, given);
}
