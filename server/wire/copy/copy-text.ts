import { ByteSink, type Bytes, viewOf } from '../byte-sink.ts';
import type { ChunkWriter } from '../chunk-writer.ts';
import { type ConstantBytes, constantBytes, writeConstant } from '../constant-bytes.ts';
import { ResultLimitError } from '../limits.ts';
import { isFieldEnd } from './escapes.ts';
import { type FieldWriter, writeNull, writerOf } from './fields.ts';
import { pgType } from './pg-types.ts';

const newline = 0x0a;
const blockBytes = 64 * 1024;

export interface CopyColumn {
  /** The unique name. */
  name: string;
  /** PostgreSQL's type. */
  oid: number;
}

/**
 * Converts PostgreSQL's COPY … TO STDOUT in text format into the chunks of a result. The session prints UTF-8, ISO dates, the `postgres`
 * interval style and hex bytea. Bytes go from buffer to buffer: common types need no strings.
 */
export class CopyTextToJson {
  readonly #writer: ChunkWriter;
  readonly #keys: ConstantBytes[];
  readonly #fields: FieldWriter[];
  /** The beginning of an incomplete row. */
  readonly #carry = new ByteSink(blockBytes);
  #source: Bytes = this.#carry;

  constructor(columns: readonly CopyColumn[], writer: ChunkWriter) {
    this.#writer = writer;
    this.#keys = columns.map(({ name }, i) => constantBytes(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    this.#fields = columns.map(({ oid }) => {
      const type = pgType(oid);
      return type.write ?? writerOf(type.json);
    });
  }

  /** Takes bytes cut anywhere; false asks the caller to wait for the writer's ready(). */
  push(src: Buffer, start = 0, end = src.length): boolean {
    if (this.#source.bytes !== src) this.#source = { bytes: src, view: viewOf(src) };
    let hasRoom = true;
    for (let at = start; at < end; at += blockBytes) {
      if (!this.#block(this.#source, at, Math.min(at + blockBytes, end))) hasRoom = false;
    }
    return hasRoom;
  }

  /** To be called when the server says the copy is done. */
  finish(): void {
    if (this.#carry.length > 0) throw new Error('The database ended in the middle of a row.');
  }

  #block(source: Bytes, start: number, end: number): boolean {
    const src = source.bytes;
    const carry = this.#carry;
    const complete = src[end - 1] === newline ? end : src.lastIndexOf(newline, end - 1) + 1;
    let at = start;
    let hasRoom = true;
    if (carry.length > 0 && complete > start) {
      at = src.indexOf(newline, start) + 1;
      this.#keep(src, start, at);
      this.#row(carry, 0, carry.length);
      hasRoom = this.#writer.endRow();
      carry.length = 0;
    }
    while (at < complete) {
      at = this.#row(source, at, complete);
      hasRoom = this.#writer.endRow();
    }
    if (at < end) this.#keep(src, at, end);
    return hasRoom;
  }

  #keep(src: Buffer, start: number, end: number): void {
    const { rowBytes } = this.#writer.limits;
    if (this.#carry.length + end - start > rowBytes) throw new ResultLimitError('rowBytes', rowBytes);
    this.#carry.copy(src, start, end);
  }

  /** Reads one row, with its line feed before `limit`; returns where the next one begins. */
  #row(source: Bytes, start: number, limit: number): number {
    const src = source.bytes;
    const keys = this.#keys;
    const last = keys.length - 1;
    const out = this.#writer.beginRow();
    let at = start;
    for (let column = 0; column <= last; column++) {
      const key = keys[column] as ConstantBytes;
      out.reserve(key.length + limit - at + 40);
      writeConstant(key, out);
      if (src[at] === 0x5c && src[at + 1] === 0x4e) {
        writeNull(out);
        at += 2;
      } else at = (this.#fields[column] as FieldWriter)(source, at, out);
      if (column === last ? src[at] !== newline : src[at] !== 0x09) this.#misfit(src[at]);
      at++;
    }
    if (last < 0) out.text('{');
    out.byte(0x7d);
    return last < 0 ? at + 1 : at;
  }

  #misfit(byte: number | undefined): never {
    throw new Error(
      isFieldEnd(byte) ? 'A row has not as many fields as the query has columns.' : 'The database sent a field that cannot be read.',
    );
  }
}
