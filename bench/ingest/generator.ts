import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connectPacket, publishPacket } from '../../server/testing/mqtt-sender.ts';

/**
 * Sends QoS 1 messages as fast as they are acknowledged, or at a fixed rate, over raw sockets: packets are made once and sent
 * again and again, because a client library costs more than the broker it is to measure. Runs as a process of its own.
 */
export interface Load {
  port: number;
  /** One sender per connection; what it signs in with and the topics it uses in turn. */
  senders: { username?: string; password?: string; topics: string[] }[];
  window: number;
  seconds: number;
  warmUpSeconds: number;
  /** Nor is measured before so many have been acknowledged: by then every device has been seen. */
  warmUpMessages?: number;
  /** Messages a second of all together; none means as fast as possible. */
  rate?: number;
  /** Ends after so many, whatever the time. */
  messages?: number;
}

export interface Measured {
  perSecond: number;
  acknowledged: number;
  p50: number;
  p99: number;
  /** One entry for each second that was measured, where a rate was given. */
  curve: { second: number; perSecond: number; p50: number; p99: number }[];
}

const ringSize = 128;
const patienceMs = 120_000;

class Sender {
  readonly #socket: Socket;
  readonly #ring: Buffer;
  readonly #size: number;
  readonly #sentAt = new Float64Array(ringSize + 1);
  #next = 0;
  #rest = Buffer.alloc(0);
  inFlight = 0;
  acknowledged = 0;
  onAcks: (count: number) => void = () => {};
  onLatency: ((ms: number) => void) | undefined;

  constructor(socket: Socket, topics: string[]) {
    this.#socket = socket;
    // All of one length, so that a place in the ring is a multiplication.
    const packets = Array.from({ length: ringSize }, (_, n) =>
      publishPacket(topics[n % topics.length] ?? '', n + 1, `{"temperature":${20 + (n % 10)}.5,"humidity":${40 + (n % 50)}}`),
    );
    this.#size = packets[0]?.length ?? 0;
    this.#ring = Buffer.concat(packets);
    socket.on('data', (chunk: Buffer) => this.#hear(chunk));
  }

  send(count: number): void {
    const now = this.onLatency ? performance.now() : 0;
    for (let left = count; left > 0; ) {
      const run = Math.min(left, ringSize - this.#next);
      if (this.onLatency) for (let i = 0; i < run; i++) this.#sentAt[this.#next + i + 1] = now;
      this.#socket.write(this.#ring.subarray(this.#next * this.#size, (this.#next + run) * this.#size));
      this.#next = (this.#next + run) % ringSize;
      left -= run;
    }
    this.inFlight += count;
  }

  #hear(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const count = bytes.length >> 2;
    if (this.onLatency) {
      const now = performance.now();
      for (let i = 0; i < count; i++) this.onLatency(now - (this.#sentAt[bytes.readUInt16BE(i * 4 + 2)] ?? now));
    }
    this.#rest = Buffer.from(bytes.subarray(count * 4));
    this.inFlight -= count;
    this.acknowledged += count;
    this.onAcks(count);
  }
}

function open({ port }: Load, { username, password, topics }: Load['senders'][number], n: number): Promise<Sender> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.once('error', reject);
    socket.once('close', () => {
      // Nobody would ever be told of what it had sent: whoever waits for that would wait for ever.
      if (isRunning) fail('a connection was closed');
      reject(new Error('a connection was closed'));
    });
    socket.once('connect', () => socket.write(connectPacket(`sender-${n}`, username, password)));
    socket.once('data', (answer: Buffer) =>
      answer[3] === 0 ? resolve(new Sender(socket, topics)) : reject(new Error(`refused with ${answer[3]}`)),
    );
  });
}

/** Whether all are connected and none may be lost any more. */
let isRunning = false;

function fail(why: string): never {
  console.error(`the generator stopped: ${why}`);
  process.exit(1);
}

async function run(load: Load): Promise<Measured> {
  const senders: Sender[] = [];
  for (const [n, sender] of load.senders.entries()) senders.push(await open(load, sender, n));
  const total = () => senders.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  isRunning = true;
  const latencies: number[] = [];
  const seconds: number[][] = [];
  let isOver = false;
  let isMeasuring = false;
  let startedAt = 0;
  if (load.rate) {
    const note = (ms: number) => {
      latencies.push(ms);
      const second = Math.floor((performance.now() - startedAt) / 1000);
      seconds[second] ??= [];
      seconds[second].push(ms);
    };
    for (const sender of senders) sender.onLatency = (ms) => isMeasuring && note(ms);
    offer(senders, load.rate, () => isOver);
  } else {
    for (const sender of senders) {
      sender.onAcks = (count) => !isOver && sender.send(count);
      sender.send(load.window);
    }
  }
  await pause(load.warmUpSeconds * 1000);
  for (const deadline = performance.now() + patienceMs; total() < (load.warmUpMessages ?? 0); await pause(50))
    if (performance.now() > deadline) fail(`only ${total()} of ${load.warmUpMessages} messages were acknowledged in two minutes`);
  startedAt = performance.now();
  isMeasuring = true;
  const before = total();
  const until = startedAt + load.seconds * 1000;
  while (performance.now() < until && (load.messages === undefined || total() - before < load.messages)) await pause(50);
  const took = (performance.now() - startedAt) / 1000;
  const acknowledged = total() - before;
  isOver = true;
  const curve = [...seconds].map((times = [], second) => ({ second, perSecond: times.length, p50: at(times, 0.5), p99: at(times, 0.99) }));
  return { perSecond: acknowledged / took, acknowledged, p50: at(latencies, 0.5), p99: at(latencies, 0.99), curve };
}

function at(times: number[], part: number): number {
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * part)] ?? 0;
}

/** An open model: messages are offered by the clock, not when the last one was answered, so a stall is seen as one. */
function offer(senders: Sender[], rate: number, isOver: () => boolean): void {
  const startedAt = performance.now();
  let [offered, turn] = [0, 0];
  const tick = () => {
    if (isOver()) return;
    for (const due = ((performance.now() - startedAt) / 1000) * rate; offered < due; offered++) {
      const sender = senders[turn++ % senders.length];
      // More than the ring holds would overwrite what is not answered yet.
      if (sender && sender.inFlight < ringSize - 1) sender.send(1);
    }
    setTimeout(tick, 1);
  };
  tick();
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

if (import.meta.main) {
  const measured = await run(JSON.parse(readFileSync(0, 'utf8')) as Load);
  console.log(JSON.stringify(measured));
  process.exit(0);
}
