import { Duplex } from 'node:stream';
import { limits } from '@telltale/domain/uplinks/limits.ts';
import type { Pressure } from './pressure.ts';
import type { PublishLane } from './publish-lane.ts';

/** iot-behaviour 1.6 and 1.9: what one connection may have waiting for an answer. */
const connectionBytes = 64 * 1024;
/** What a message takes while it waits, beside its own bytes: packet, entry, points, callbacks. Measured with 100,000 of them. */
const messageBytes = 1500;

const connectType = 1;
const puback = 0x40;

/**
 * Stands between a socket and the broker. It reads the fixed headers as they pass and hangs up before the body of a packet that
 * is too large is read (the parser would buffer it), and it stops reading while too much waits for its answer (the broker would
 * go on; design 9).
 */
export class GuardedConnection extends Duplex {
  /** For the limits of sign-ins. */
  readonly address: string;
  readonly #socket: Duplex;
  readonly #pressure: Pressure;
  #held = 0;
  #messages = 0;
  #wantsMore = false;
  #isFirst = true;
  #isFirstOver = false;
  /** False until the sender of CONNECT has been let in. */
  #isAdmitted = false;
  /** What goes past the broker. */
  #lane: PublishLane | undefined;
  readonly #acknowledged: number[] = [];
  /** What was read and has to wait: as bytes it takes a thirtieth of what it takes as messages. */
  #kept: Buffer[] = [];
  readonly #again = () => this.#goOn();
  /** Bytes of the current packet's body still to come; -1 while its header is read. */
  #bodyLeft = -1;
  #headerBytes = 0;
  #length = 0;

  constructor(socket: Duplex, address: string, pressure: Pressure) {
    super({ allowHalfOpen: false, readableHighWaterMark: connectionBytes });
    this.address = address;
    this.#socket = socket;
    this.#pressure = pressure;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.once('end', () => this.push(null));
    socket.once('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
    socket.pause();
    this.on('drain', this.#again);
  }

  /** One more message waits for its answer. A connection that is gone holds nothing any more. */
  hold(bytes: number): void {
    if (this.destroyed) return;
    this.#held += bytes;
    this.#messages++;
    this.#pressure.hold(bytes + messageBytes);
  }

  free(bytes: number): void {
    if (this.destroyed) return;
    this.#held -= bytes;
    this.#messages--;
    this.#pressure.free(bytes + messageBytes);
    if (this.#wantsMore) this.#goOn();
  }

  /** From here on packets pass. The broker would mix up the order of those that came earlier. */
  admit(lane?: PublishLane): void {
    this.#isAdmitted = true;
    this.#lane = lane;
    this.#goOn();
  }

  /** Acknowledgements of one moment leave together. */
  acknowledge(messageId: number): void {
    if (this.#acknowledged.push(messageId) === 1) queueMicrotask(() => this.sendAcknowledgements());
  }

  /** Before the broker says something that must not come earlier. */
  sendAcknowledgements(): void {
    const ids = this.#acknowledged;
    if (ids.length === 0) return;
    const bytes = Buffer.allocUnsafe(ids.length * 4);
    for (const [place, id] of ids.entries()) bytes.writeUInt32BE(puback * 0x1000000 + 0x20000 + id, place * 4);
    ids.length = 0;
    if (!this.destroyed) this.write(bytes);
  }

  /** Whoever does not read what is acknowledged is not read from either. */
  get #isFull(): boolean {
    return this.#held >= connectionBytes || (this.#lane !== undefined && this.writableNeedDrain);
  }

  #goOn(): void {
    while (!this.destroyed && this.#wantsMore && !this.#isFull && (this.#isAdmitted || this.#kept.length === 0)) {
      if (this.#pressure.isFull) {
        this.#pressure.whenFree(this.#again);
        return;
      }
      this.#wantsMore = false;
      const chunk = this.#kept.shift();
      if (!chunk) {
        this.#socket.resume();
        return;
      }
      const left = this.#lane ? this.#lane.sort(chunk) : chunk;
      // Whoever has read it asks for more.
      if (left) this.push(left);
      else this.#wantsMore = true;
    }
  }

  #take(chunk: Buffer): void {
    const end = this.#follow(chunk);
    if (end < 0) {
      this.destroy(new Error('This is not MQTT, or a packet is too large.'));
      return;
    }
    const mayPass = !this.#isFull && !this.#pressure.isFull;
    const now = !this.#isAdmitted ? end : mayPass ? chunk.length : 0;
    if (now < chunk.length) this.#kept.push(chunk.subarray(now));
    const hasRoom = now === 0 || this.#pass(now === chunk.length ? chunk : chunk.subarray(0, now));
    if (hasRoom && this.#kept.length === 0 && !this.#isFull && !this.#pressure.isFull) return;
    this.#socket.pause();
    this.#wantsMore = true;
    // Whoever frees something looks again; if nothing is held, the reader itself asks for more.
    if (this.#pressure.isFull) this.#goOn();
  }

  /** Whether there is room for more. */
  #pass(chunk: Buffer): boolean {
    const left = this.#lane ? this.#lane.sort(chunk) : chunk;
    return left === undefined || this.push(left);
  }

  /** Follows the packets through the bytes. Answers where the first packet ends, or -1 when one must not come in. */
  #follow(chunk: Buffer): number {
    let firstEnd = this.#isFirstOver ? 0 : chunk.length;
    const packetEnds = (at: number) => {
      if (!this.#isFirstOver) firstEnd = at;
      this.#isFirstOver = true;
    };
    for (let at = 0; at < chunk.length; ) {
      if (this.#bodyLeft > 0) {
        const skipped = Math.min(this.#bodyLeft, chunk.length - at);
        this.#bodyLeft -= skipped;
        at += skipped;
        if (this.#bodyLeft === 0) {
          this.#bodyLeft = -1;
          packetEnds(at);
        }
        continue;
      }
      const byte = chunk[at++] ?? 0;
      if (this.#headerBytes === 0) {
        if (this.#isFirst && byte >> 4 !== connectType) return -1;
        this.#isFirst = false;
        this.#headerBytes = 1;
        this.#length = 0;
        continue;
      }
      this.#length += (byte & 127) * 128 ** (this.#headerBytes - 1);
      this.#headerBytes++;
      if (this.#length > limits.packetBytes || (byte & 128 && this.#headerBytes > 4)) return -1;
      if (byte & 128) continue;
      this.#headerBytes = 0;
      this.#bodyLeft = this.#length === 0 ? -1 : this.#length;
      if (this.#length === 0) packetEnds(at);
    }
    return firstEnd;
  }

  /** The broker asks once for everything there is; since Node 26 a stream answers with one piece at a time. */
  override read(size?: number | null): Buffer | null {
    // The stream itself asks for nothing now and then, to get going.
    if (size !== undefined && size !== null) return super.read(size);
    const first: Buffer | null = super.read();
    if (first === null || this.readableLength === 0) return first;
    const pieces = [first];
    for (let next: Buffer | null = super.read(); next !== null; next = super.read()) pieces.push(next);
    return Buffer.concat(pieces);
  }

  override _read(): void {
    this.#wantsMore = true;
    this.#goOn();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#socket.write(chunk)) done();
    else this.#socket.once('drain', done);
  }

  /** Many acknowledgements leave together. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'binary', done);
  }

  override _final(done: () => void): void {
    this.#socket.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#pressure.free(this.#held + this.#messages * messageBytes);
    this.#held = 0;
    this.#messages = 0;
    this.#socket.destroy();
    done(error);
  }
}
