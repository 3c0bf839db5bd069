import type { Person } from '@telltale/domain/access/identity.ts';
import { closeCodes, type ServerEvents } from '@telltale/domain/live/contract.ts';
import type { WebSocket } from 'ws';

export interface SlowPeer {
  /** More than this unsent, and the client does not read as fast as it is told. */
  unsentBytes: number;
  patienceMs: number;
}

/** One client. Feeds tell it things; what it asks comes to them through the hub. */
export class LiveSocket {
  /** Read again with every frame and once in a while, so rights that are gone do not live on here. */
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

  /** False when it was not sent: the client is gone or does not keep up; feeds are told when it has caught up. */
  send<Name extends keyof ServerEvents>(event: Name, data: ServerEvents[Name], about: { channel?: string } = {}): boolean {
    if (this.#behind || !this.isOpen) return false;
    this.#ws.send(JSON.stringify({ event, ...about, data }));
    if (this.#ws.bufferedAmount > this.#slow.unsentBytes) this.#fallBehind();
    return true;
  }

  /** Gives the client some time to read, then hangs up: what waits for it takes memory from everybody. */
  #fallBehind(): void {
    const until = Date.now() + this.#slow.patienceMs;
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

  /** A client that does not answer the good-bye is dropped. */
  close(code: number, reason: string): void {
    clearInterval(this.#behind);
    this.#ws.resume();
    this.#ws.close(code, reason);
    setTimeout(() => this.#ws.terminate(), 2000).unref();
  }
}
