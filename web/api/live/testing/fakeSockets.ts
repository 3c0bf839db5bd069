import { afterEach, beforeEach, vi } from 'vitest';

/** A socket whose server is the test. */
class FakeSocket {
  static OPEN = 1;
  readyState = 0;
  readonly sent: { event: string; data: Record<string, unknown> }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((reason: { code: number }) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }

  /** The server accepts the connection. */
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  /** The server sends a frame. */
  say(event: string, data: object, channel?: string): void {
    this.onmessage?.({ data: JSON.stringify({ event, data, ...(channel !== undefined && { channel }) }) });
  }

  /** The connection ends. */
  end(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

/** Each test of the file runs with fake timers, and its sockets are gone after it. */
export function fakeTimersInEachTest(): void {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

/** Sockets in the order in which they were opened. Call in a test with fake timers. */
export function fakeSockets(): { sockets: FakeSocket[]; open: () => WebSocket; last: () => FakeSocket } {
  const sockets: FakeSocket[] = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('navigator', { onLine: true });
  const open = () => {
    sockets.push(new FakeSocket());
    return sockets.at(-1) as unknown as WebSocket;
  };
  const last = () => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error('No socket was opened.');
    return socket;
  };
  return { sockets, open, last };
}
