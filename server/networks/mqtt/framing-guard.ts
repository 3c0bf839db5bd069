import { Duplex } from 'node:stream';
import { limits } from '@telltale/domain/uplinks/limits.ts';
import type { Client } from 'aedes';
import type { Pressure } from './pressure.ts';
import type { PublishLane } from './publish-lane.ts';
import { changeSuback, type SubackChange } from './suback.ts';

/** iot-behaviour 1.6 and 1.9: the limit of unanswered bytes on one connection. */
const connectionBytes = 64 * 1024;
/** Memory of a waiting message beside its own bytes: packet, entry, points, callbacks. Measured with 100,000 messages. */
const messageBytes = 1500;

const connectType = 1;
/** Time for a last packet to arrive before the connection is cut. */
const lingerMs = 1000;
const puback = 0x40;

/**
 * Stands between a socket and the broker. It reads the fixed headers as they pass and disconnects before the body of a packet that is too
 * large is read (the parser would buffer it), and it stops reading while too many messages are unanswered (the broker would go on;
 * design 9).
 */
export class GuardedConnection extends Duplex {
  /** The client's address, for the limits of sign-ins. */
  readonly address: string;
  readonly #socket: Duplex;
  readonly #pressure: Pressure;
  #held = 0;
  #wantsMore = false;
  #isFirst = true;
  #isFirstOver = false;
  /** False until the sender of CONNECT was authenticated. */
  #isAdmitted = false;
  /** Takes the publishes that bypass the broker. */
  #lane: PublishLane | undefined;
  readonly #acknowledged: number[] = [];
  /** Chunks that were read and have to wait: unparsed bytes take a thirtieth of the memory of parsed messages. */
  #kept: Buffer[] = [];
  readonly #again = () => this.#goOn();
  /** Bytes of the current packet's body still to come; -1 while its header is read. */
  #bodyLeft = -1;
  /** Told of the announced length before the connection is cut; what it answers is sent before. */
  onTooLarge: (bytes: number) => Buffer | undefined = () => undefined;
  /** Changes of SUBACK packets that are about to be written, by the id of their packet. */
  readonly subackChanges = new Map<number, SubackChange>();
  /** Whether packets have properties; known when CONNECT was read. */
  isVersion5 = false;
  /** The last packet has been written; what still comes is not read any more. */
  #isEnding = false;
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

  /** Counts one more message that waits for its answer. It takes its memory until then, also when the connection is gone. */
  hold(bytes: number): void {
    this.#held += bytes;
    this.#pressure.hold(bytes + messageBytes);
  }

  free(bytes: number): void {
    this.#held -= bytes;
    this.#pressure.free(bytes + messageBytes);
    if (this.#wantsMore) this.#goOn();
  }

  /** Lets packets pass from now on. Earlier, the broker would mix up their order. */
  admit(lane?: PublishLane): void {
    this.#isAdmitted = true;
    this.#lane = lane;
    this.#goOn();
  }

  /** Collects the acknowledgements of one moment and sends them together. */
  acknowledge(messageId: number): void {
    if (this.#acknowledged.push(messageId) === 1) queueMicrotask(() => this.sendAcknowledgements());
  }

  /** Sends pending acknowledgements before a packet of the broker that must come after them. */
  sendAcknowledgements(): void {
    const ids = this.#acknowledged;
    if (ids.length === 0) return;
    const bytes = Buffer.allocUnsafe(ids.length * 4);
    for (const [place, id] of ids.entries()) bytes.writeUInt32BE(puback * 0x1000000 + 0x20000 + id, place * 4);
    ids.length = 0;
    if (!this.destroyed) this.write(bytes);
  }

  /** An answer with a reason, after those that were given before. */
  answer(packet: Buffer): void {
    this.sendAcknowledgements();
    if (!this.destroyed && this.writable) this.write(packet);
  }

  /** Sends a last packet and hangs up once it had time to arrive: cutting a socket with unread bytes would take it back. */
  endWith(packet: Buffer): void {
    if (this.#isEnding || this.destroyed) return;
    this.#isEnding = true;
    this.#kept = [];
    if (this.writable) this.end(packet);
    this.#socket.resume();
    setTimeout(() => this.destroy(), lingerMs).unref();
  }

  /** The guard stops reading from a client that does not read its acknowledgements. */
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
      // The consumer of `push` calls `_read` again; without a push, reading has to continue here.
      if (left) this.push(left);
      else this.#wantsMore = true;
    }
  }

  #take(chunk: Buffer): void {
    if (this.#isEnding) return;
    const end = this.#follow(chunk);
    if (end < 0) {
      const lastWord = this.#length > limits.packetBytes ? this.onTooLarge(this.#length) : undefined;
      if (lastWord) this.endWith(lastWord);
      else this.destroy(new Error('This is not MQTT, or a packet is too large.'));
      return;
    }
    const mayPass = !this.#isFull && !this.#pressure.isFull;
    const now = !this.#isAdmitted ? end : mayPass ? chunk.length : 0;
    if (now < chunk.length) this.#kept.push(chunk.subarray(now));
    const hasRoom = now === 0 || this.#pass(now === chunk.length ? chunk : chunk.subarray(0, now));
    if (hasRoom && this.#kept.length === 0 && !this.#isFull && !this.#pressure.isFull) return;
    this.#socket.pause();
    this.#wantsMore = true;
    // Freeing memory resumes reading; with nothing held, the reader resumes itself.
    if (this.#pressure.isFull) this.#goOn();
  }

  /** Whether there is room for more. */
  #pass(chunk: Buffer): boolean {
    const left = this.#lane ? this.#lane.sort(chunk) : chunk;
    return left === undefined || this.push(left);
  }

  /** Follows the packets through the bytes. Returns where the first packet ends, or -1 when one must be refused. */
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

  /** The broker reads everything at once; since Node 26 a stream returns one piece at a time. */
  override read(size?: number | null): Buffer | null {
    // The stream itself sometimes reads 0 bytes to start reading.
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
    if (this.#socket.write(this.subackChanges.size > 0 ? this.#changed(chunk) : chunk)) done();
    else this.#socket.once('drain', done);
  }

  #changed(packets: Buffer): Buffer {
    let bytes = packets;
    for (const [messageId, change] of this.subackChanges) {
      const changed = changeSuback(bytes, messageId, this.isVersion5, change);
      if (!changed) continue;
      this.subackChanges.delete(messageId);
      bytes = changed;
    }
    return bytes;
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
    const socket = this.#socket;
    // A last word may still be on its way through TLS or a web socket, and the other end may still be sending.
    const isHeard = this.#isEnding || (!error && socket.writableLength > 0);
    if (socket.destroyed || !isHeard) socket.destroy();
    else {
      if (this.#isEnding) socket.end();
      else socket.end(() => socket.destroy());
      setTimeout(() => socket.destroy(), lingerMs).unref();
    }
    done(error);
  }
}

/** The address of a client, for limits and logs. */
export const addressOf = ({ conn }: Pick<Client, 'conn'>): string => (conn instanceof GuardedConnection ? conn.address : '');
