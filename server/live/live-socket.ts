import type { Person } from '@telltale/domain/access/identity.ts';
import { closeCodes, type ServerEvents } from '@telltale/domain/live/contract.ts';
import type { WebSocket } from 'ws';

export interface SlowPeer {
  /** With more unsent bytes than this, the client reads too slowly. */
  unsentBytes: number;
  timeoutMs: number;
}

/** A connected client. Feeds send to it; the hub passes its requests on to them. */
export class LiveSocket {
  /** Read again with every frame and at intervals, so that revoked permissions end here as well. */
  identity: Person;
  readonly #ws: WebSocket;
  readonly #slow: SlowPeer;
  readonly #onCaughtUp: () => void;
  #behind: NodeJS.Timeout | undefined;

  constructor(ws: WebSocket, identity: Person, slow: SlowPeer, onCaughtUp: () => void) {
    this.#ws = ws;
    this.identity = identity;
    this.#slow = slow;
    this.#onCaughtUp = onCaughtUp;
    ws.once('close', () => clearInterval(this.#behind));
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  /** Returns false when nothing was sent: the client is gone or too slow; feeds refresh it when it has caught up. */
  send<Name extends keyof ServerEvents>(event: Name, data: ServerEvents[Name], about: { channel?: string } = {}): boolean {
    if (this.#behind || !this.isOpen) return false;
    this.#ws.send(JSON.stringify({ event, ...about, data }));
    if (this.#ws.bufferedAmount > this.#slow.unsentBytes) this.#fallBehind();
    return true;
  }

  /** Gives the client some time to read, then closes the connection, because unsent data takes memory. */
  #fallBehind(): void {
    const until = Date.now() + this.#slow.timeoutMs;
    this.#ws.pause();
    this.#behind = setInterval(() => {
      if (this.#ws.bufferedAmount < this.#slow.unsentBytes / 2) {
        clearInterval(this.#behind);
        this.#behind = undefined;
        this.#ws.resume();
        this.#onCaughtUp();
      } else if (Date.now() >= until) this.close(closeCodes.tooSlow, 'This client does not read fast enough.');
    }, 100);
  }

  /** Closes the connection, and drops a client that does not answer the close frame. */
  close(code: number, reason: string): void {
    clearInterval(this.#behind);
    this.#ws.resume();
    this.#ws.close(code, reason);
    setTimeout(() => this.#ws.terminate(), 2000).unref();
  }
}
