import { closeCodes } from '@telltale/domain/live/contract.ts';
import { reconnectDelayMs } from '../pollDelay.ts';

export interface ServerFrame {
  event: string;
  /** For frames whose data has only device ids as keys. */
  channel?: string;
  data: unknown;
}

export type LostState = 'reconnecting' | 'offline';

/** A kind of news on the socket. It keeps its subscribers and knows the frames that subscribe them at the server. */
export interface LiveFeed {
  readonly hasSubscribers: boolean;
  /** Subscribes at the server: the socket has just been opened, for the first time or again. */
  renew(): void;
  receive(frame: ServerFrame): void;
  /** The socket is lost; it comes back by itself, and `renew` follows. */
  lose(state: LostState): void;
}

const idleMs = 30_000;
/** A socket that was silent for this long is asked whether it is still connected. */
const quietMs = 25_000;
const answerMs = 10_000;
/** A new subscriber waits no longer than this after a failure, however long the pause has grown. */
const longestPauseForNewcomersMs = 10_000;

/**
 * iot-behaviour 1.11: one socket for all feeds of a page. It is opened for the first subscriber and closed some time after the last one;
 * a lost one comes back after 1, 2, 4 … 30 s, and the feeds subscribe again.
 */
export class LiveConnection {
  readonly #open: () => WebSocket;
  readonly #feeds: LiveFeed[] = [];
  #socket: WebSocket | null = null;
  #failures = 0;
  #failedAt = 0;
  /** The session has ended: attempts are refused until somebody has signed in. */
  #isSignedOut = false;
  /** The next attempt, or the end of an unused socket. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastFrameAt = 0;
  #keepAlive: ReturnType<typeof setInterval> | undefined;
  #answerTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(open: () => WebSocket) {
    this.#open = open;
  }

  add(feed: LiveFeed): void {
    this.#feeds.push(feed);
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  get isReconnecting(): boolean {
    return this.#failures > 0;
  }

  /** Called by a feed when it has a new subscriber. */
  connect(): void {
    if (this.#socket) {
      // It may be about to be closed as unused.
      clearTimeout(this.#timer);
      return;
    }
    const pauseMs = this.#failures === 0 ? 0 : Math.min(reconnectDelayMs(this.#failures - 1), longestPauseForNewcomersMs);
    this.#connectIn(this.#failedAt + pauseMs - performance.now());
  }

  /** Called by a feed when a subscriber has left. */
  release(): void {
    if (this.#isUsed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#failures = 0;
      this.#letGo()?.close();
    }, idleMs);
  }

  send(event: string, data: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ event, data }));
  }

  /** The network, the session or the reader is back: a lost socket is opened at once, an open one has to answer. */
  comeBack(): void {
    if (this.#socket) this.probe();
    else if (this.#isUsed) this.#connectIn(0);
  }

  /** A socket may be cut off without notice. One that answers nothing is replaced. */
  probe(): void {
    const asked = this.#socket;
    if (!asked || !this.isOpen || this.#answerTimer !== undefined) return;
    this.send('ping', {});
    this.#answerTimer = setTimeout(() => {
      this.#letGo()?.close();
      this.#lose(0);
    }, answerMs);
  }

  get #isUsed(): boolean {
    return this.#feeds.some(({ hasSubscribers }) => hasSubscribers);
  }

  #connectIn(ms: number): void {
    clearTimeout(this.#timer);
    if (ms <= 0) this.#connect();
    else this.#timer = setTimeout(() => this.#isUsed && this.#connect(), ms);
  }

  #connect(): void {
    const next = this.#open();
    this.#socket = next;
    next.onopen = () => {
      this.#isSignedOut = false;
      this.#lastFrameAt = performance.now();
      this.#keepAlive = setInterval(() => {
        if (performance.now() - this.#lastFrameAt >= quietMs) this.probe();
      }, quietMs);
      for (const feed of this.#feeds) feed.renew();
    };
    next.onmessage = ({ data }) => this.#receive(String(data));
    next.onclose = ({ code }) => {
      this.#letGo();
      this.#lose(code);
    };
  }

  /** Forgets the socket, so that nothing of it is heard any more. */
  #letGo(): WebSocket | null {
    const socket = this.#socket;
    this.#socket = null;
    clearInterval(this.#keepAlive);
    clearTimeout(this.#answerTimer);
    this.#answerTimer = undefined;
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    return socket;
  }

  /** A signed-out socket would be refused again: it waits for `comeBack`, or for a new subscriber. */
  #lose(code: number): void {
    this.#isSignedOut ||= code === closeCodes.signedOut;
    this.#failedAt = performance.now();
    if (!this.#isUsed) return;
    const pauseMs = reconnectDelayMs(this.#failures++);
    clearTimeout(this.#timer);
    if (!this.#isSignedOut) this.#connectIn(pauseMs);
    for (const feed of this.#feeds) feed.lose(this.#isSignedOut || !navigator.onLine ? 'offline' : 'reconnecting');
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    if (!frame) return;
    this.#failures = 0;
    this.#lastFrameAt = performance.now();
    clearTimeout(this.#answerTimer);
    this.#answerTimer = undefined;
    for (const feed of this.#feeds) feed.receive(frame);
  }
}

function readFrame(text: string): ServerFrame | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
