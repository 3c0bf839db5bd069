import { setTimeout as delay } from 'node:timers/promises';
import { Frame, livePath, type ServerEvents, serverEvents } from '@telltale/domain/live/contract.ts';
import { type ClientOptions, WebSocket } from 'ws';

export type LiveFrame = { [Name in keyof ServerEvents]: { event: Name; channel?: string; data: ServerEvents[Name] } }[keyof ServerEvents];

export interface LiveOptions extends ClientOptions {
  query?: string;
  protocols?: string[];
}

/** A client of a live socket: every frame is parsed by its contract and kept until it is read. */
export class LiveClient {
  readonly ws: WebSocket;
  readonly frames: LiveFrame[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  #seen = 0;

  constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on('error', () => {});
    ws.on('message', (text) => {
      const { event, channel, data } = Frame.parse(JSON.parse(String(text)));
      const name = event as keyof ServerEvents;
      this.frames.push({ event: name, ...(channel !== undefined && { channel }), data: serverEvents[name].parse(data) } as LiveFrame);
    });
    this.closed = new Promise((resolve) => ws.once('close', (code, reason) => resolve({ code, reason: String(reason) })));
  }

  send(event: string, data?: unknown): void {
    this.ws.send(JSON.stringify({ event, data }));
  }

  /** The next frame that was not returned before. */
  async next(timeoutMs = 60_000): Promise<LiveFrame> {
    for (const until = Date.now() + timeoutMs; Date.now() < until; await delay(5)) {
      const frame = this.frames[this.#seen];
      if (frame) {
        this.#seen++;
        return frame;
      }
    }
    throw new Error('no frame came');
  }

  async ask(event: string, data?: unknown): Promise<LiveFrame> {
    this.send(event, data);
    return this.next();
  }
}

/** An open socket, or the status of the answer that refused it. */
export function openLive(origin: string, { query = '', protocols = [], ...options }: LiveOptions = {}): Promise<LiveClient | number> {
  const ws = new WebSocket(`${origin.replace('http', 'ws')}${livePath}${query}`, protocols, options);
  const client = new LiveClient(ws);
  return new Promise((resolve, reject) => {
    ws.once('open', () => resolve(client));
    ws.once('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    ws.once('error', reject);
  });
}

export async function openedLive(origin: string, options: LiveOptions): Promise<LiveClient> {
  const client = await openLive(origin, options);
  if (typeof client === 'number') throw new Error(`The live socket was refused with ${client}.`);
  return client;
}
