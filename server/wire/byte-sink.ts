/** Bytes and a view on them: moving whole words is several times faster than single bytes. */
export interface Bytes {
  bytes: Buffer;
  view: DataView;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/**
 * Frees the memory of bytes that are not read any more. Left to the garbage collector, the megabytes of a large result set off a full
 * collection every few of them, which took a fifth of the time. Memory that small buffers share (Node's pool, a little more than 64 KiB)
 * stays.
 */
export function free({ buffer, length }: Uint8Array): void {
  const isOwn = length === buffer.byteLength || buffer.byteLength >= 2 * Buffer.poolSize;
  if (isOwn && length > 0 && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** A growing buffer. Hot loops write to `bytes` themselves after reserve() and advance `length`. */
export class ByteSink implements Bytes {
  bytes: Buffer;
  view: DataView;
  length = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.view = viewOf(this.bytes);
  }

  /** Makes room for `more` bytes; `bytes` and `view` may be replaced by that. */
  reserve(more: number): void {
    if (this.length + more > this.bytes.length) this.#grow(this.length + more);
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, Math.ceil(this.bytes.length * 1.5)));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
    this.view = viewOf(grown);
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Copies short ranges in JavaScript: a native call costs as much as thirty bytes. */
  copy(source: Uint8Array, start = 0, end = source.length): void {
    this.reserve(end - start);
    if (end - start > 32) this.bytes.set(source.subarray(start, end), this.length);
    else for (let i = start, at = this.length, out = this.bytes; i < end; i++, at++) out[at] = source[i] as number;
    this.length += end - start;
  }

  text(value: string): void {
    this.reserve(value.length * 3);
    this.length += this.bytes.write(value, this.length, 'utf8');
  }

  /** The written bytes; valid until the next write. */
  written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
