import { ByteSink, type Bytes, viewOf } from '../byte-sink.ts';
import type { ChunkWriter } from '../chunk-writer.ts';
import { type ConstantBytes, constantBytes, writeConstant } from '../constant-bytes.ts';
import { ResultLimitError } from '../limits.ts';
import { type BinaryWriter, binaryWriters } from './binary-fields.ts';
import type { CopyColumn } from './copy-text.ts';
import { writeNull } from './fields.ts';
import { QuickCopy } from './quick/quick-copy.ts';

/** Whether every column has a type whose binary form is read here; otherwise the rows are copied as text. */
export const canCopyBinary = (oids: readonly number[]): boolean => oids.every((oid) => binaryWriters.has(oid));

/** Signature, flags and the length of an extension that no server sends yet. */
const signature = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1');
const headerBytes = signature.length + 8;
/** The bytes of a row's field count. */
const countBytes = 2;
const lengthBytes = 4;
const endMark = -1;
const incomplete = -1;

/**
 * Converts PostgreSQL's COPY … TO STDOUT in binary format into the chunks of a result. The server prints no text for it, which would take a
 * quarter of its time, and numbers and times are printed here straight into the chunk.
 */
export class CopyBinaryToJson {
  readonly #writer: ChunkWriter;
  readonly #keys: ConstantBytes[];
  readonly #fields: BinaryWriter[];
  /** The beginning of an incomplete row. */
  readonly #carry = new ByteSink(4 * 1024);
  readonly #quick: QuickCopy | undefined;
  #source: Bytes = this.#carry;
  #isBegun = false;
  #isEnded = false;

  constructor(columns: readonly CopyColumn[], writer: ChunkWriter) {
    this.#writer = writer;
    const keys = columns.map(({ name }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    this.#keys = keys.map(constantBytes);
    this.#quick = QuickCopy.of(columns.map(({ oid }, i) => ({ key: keys[i] ?? '', oid })));
    this.#fields = columns.map(({ oid }) => binaryWriters.get(oid) as BinaryWriter);
  }

  /** Takes protocol messages with a row each, as far as the quick engine can; the rest goes through push(). */
  pushMessages(bytes: Buffer, at: number): { at: number; hasRoom: boolean } {
    const isPossible = this.#quick && this.#isBegun && !this.#isEnded && this.#carry.length === 0;
    return isPossible && this.#quick ? this.#quick.take(bytes, at, this.#writer) : { at, hasRoom: true };
  }

  /** Takes bytes cut anywhere; false asks the caller to wait for the writer's ready(). */
  push(src: Buffer, start = 0, end = src.length): boolean {
    const carry = this.#carry;
    if (carry.length > 0) {
      this.#keep(src, start, end);
      return this.#shift(this.#rows(carry, 0, carry.length));
    }
    if (this.#source.bytes !== src) this.#source = { bytes: src, view: viewOf(src) };
    const { at, hasRoom } = this.#rows(this.#source, start, end);
    if (at < end) this.#keep(src, at, end);
    return hasRoom;
  }

  /** To be called when the server says the copy is done. */
  finish(): void {
    if (!this.#isEnded || this.#carry.length > 0) throw new Error('The database ended in the middle of a row.');
  }

  #rows(source: Bytes, start: number, end: number): { at: number; hasRoom: boolean } {
    let at = start;
    let hasRoom = true;
    if (!this.#isBegun) {
      if (end - start < headerBytes) return { at, hasRoom };
      at = this.#header(source, start);
    }
    while (at < end && !this.#isEnded) {
      const next = this.#rowEnd(source.view, at, end);
      if (next === incomplete) break;
      if (this.#isEnded) return { at: next, hasRoom };
      this.#row(source, at);
      hasRoom = this.#writer.endRow();
      at = next;
    }
    return { at, hasRoom };
  }

  #header({ bytes, view }: Bytes, start: number): number {
    const isSigned = signature.every((byte, i) => bytes[start + i] === byte);
    if (!isSigned || view.getInt32(start + signature.length + 4) !== 0) throw new Error('The database sent rows that cannot be read.');
    this.#isBegun = true;
    return start + headerBytes;
  }

  /** The end of the row that begins at `at`, when the row is complete. */
  #rowEnd(view: DataView, at: number, end: number): number {
    if (at + countBytes > end) return incomplete;
    const count = view.getInt16(at);
    if (count === endMark) {
      this.#isEnded = true;
      return at + countBytes;
    }
    if (count !== this.#fields.length) throw new Error('A row has not as many fields as the query has columns.');
    let next = at + countBytes;
    for (let i = 0; i < count; i++) {
      if (next + lengthBytes > end) return incomplete;
      const length = view.getInt32(next);
      next += lengthBytes + (length > 0 ? length : 0);
    }
    return next > end ? incomplete : next;
  }

  #row(source: Bytes, start: number): void {
    const { view } = source;
    const keys = this.#keys;
    const out = this.#writer.beginRow();
    let at = start + countBytes;
    for (let column = 0; column < keys.length; column++) {
      const key = keys[column] as ConstantBytes;
      const length = view.getInt32(at);
      at += lengthBytes;
      out.reserve(key.length + (length > 0 ? length : 0) + 64);
      writeConstant(key, out);
      if (length < 0) writeNull(out);
      else {
        (this.#fields[column] as BinaryWriter)(source, at, length, out);
        at += length;
      }
    }
    if (keys.length === 0) out.byte(0x7b);
    out.byte(0x7d);
  }

  #keep(src: Buffer, start: number, end: number): void {
    const { rowBytes } = this.#writer.limits;
    if (this.#carry.length + end - start > rowBytes + 64 * 1024) throw new ResultLimitError('rowBytes', rowBytes);
    this.#carry.copy(src, start, end);
  }

  /** Removes the bytes that were read from the carry and moves the rest to its beginning. */
  #shift({ at, hasRoom }: { at: number; hasRoom: boolean }): boolean {
    const carry = this.#carry;
    carry.bytes.copyWithin(0, at, carry.length);
    carry.length -= at;
    return hasRoom;
  }
}
