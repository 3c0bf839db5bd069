/** Bytes and a view on them: whole words are moved several times faster than single bytes. */
export interface Bytes {
  bytes: Buffer;
  view: DataView;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/**
 * Gives back the memory of bytes that nobody reads any more. Left to the garbage collector, the megabytes of a large
 * result set off a full collection every few of them, which took a fifth of the time. Memory that small buffers share
 * (Node's pool, a little more than 64 KiB) stays.
 */
export function free({ buffer, length }: Uint8Array): void {
  const isOwn = length === buffer.byteLength || buffer.byteLength >= 2 * Buffer.poolSize;
  if (isOwn && length > 0 && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Growing bytes. The hot loops write to `bytes` themselves after reserve() and move `length` on. */
export class ByteSink implements Bytes {
  bytes: Buffer;
  view: DataView;
  length = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.view = viewOf(this.bytes);
  }

  /** Makes room for `more` bytes; `bytes` and `view` may be others afterwards. */
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

  /** Short copies by hand: a native call costs as much as thirty bytes do. */
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

  /** What was written; good until the next write. */
  written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
