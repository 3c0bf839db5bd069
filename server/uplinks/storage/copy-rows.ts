const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** Microseconds from 1970 to 2000, where PostgreSQL's clock starts. */
const epochMicros = 946_684_800_000_000;
const word = 4_294_967_296;
const textOid = 25;

/**
 * Rows in PostgreSQL's binary COPY format. Numbers and times are written in binary: converting them to text would cost more than everything
 * else about a small row. The buffer is reused for the next rows.
 */
export class CopyRows {
  readonly #fields: number;
  #buffer: Buffer;
  #view: DataView;
  #length = 0;
  count = 0;

  constructor(fields: number, size = 64 * 1024) {
    this.#fields = fields;
    this.#buffer = Buffer.allocUnsafeSlow(size);
    this.#view = viewOf(this.#buffer);
    this.clear();
  }

  clear(): void {
    this.#length = signature.copy(this.#buffer);
    this.count = 0;
  }

  /** All rows and the end mark; valid until the next change. */
  bytes(): Buffer {
    this.#room(2);
    this.#view.setInt16(this.#length, -1);
    return this.#buffer.subarray(0, this.#length + 2);
  }

  row(): this {
    this.#room(2);
    this.#view.setInt16(this.#length, this.#fields);
    this.#length += 2;
    this.count++;
    return this;
  }

  null(): this {
    this.#room(4);
    this.#view.setInt32(this.#length, -1);
    this.#length += 4;
    return this;
  }

  int2(value: number | null): this {
    if (value === null) return this.null();
    this.#room(6);
    this.#view.setInt32(this.#length, 2);
    this.#view.setInt16(this.#length + 4, value);
    this.#length += 6;
    return this;
  }

  int4(value: number | null): this {
    if (value === null) return this.null();
    this.#room(8);
    this.#view.setInt32(this.#length, 4);
    this.#view.setInt32(this.#length + 4, value);
    this.#length += 8;
    return this;
  }

  /** A whole number that a double holds. */
  int8(value: number | null): this {
    if (value === null) return this.null();
    this.#room(12);
    const high = Math.floor(value / word);
    this.#view.setInt32(this.#length, 8);
    this.#view.setInt32(this.#length + 4, high);
    this.#view.setUint32(this.#length + 8, value - high * word);
    this.#length += 12;
    return this;
  }

  float8(value: number | null): this {
    if (value === null) return this.null();
    this.#room(12);
    this.#view.setInt32(this.#length, 8);
    this.#view.setFloat64(this.#length + 4, value);
    this.#length += 12;
    return this;
  }

  /** Microseconds since 1970. */
  time(micros: number | null): this {
    return this.int8(micros === null ? null : micros - epochMicros);
  }

  /** A text of ASCII characters only. */
  ascii(text: string): this {
    this.#room(4 + text.length);
    this.#view.setInt32(this.#length, text.length);
    this.#buffer.write(text, this.#length + 4, 'latin1');
    this.#length += 4 + text.length;
    return this;
  }

  text(text: string | null): this {
    if (text === null) return this.null();
    this.#room(4 + text.length * 3);
    const length = this.#buffer.write(text, this.#length + 4, 'utf8');
    this.#view.setInt32(this.#length, length);
    this.#length += 4 + length;
    return this;
  }

  bytea(bytes: Uint8Array): this {
    this.#room(4 + bytes.length);
    this.#view.setInt32(this.#length, bytes.length);
    this.#buffer.set(bytes, this.#length + 4);
    this.#length += 4 + bytes.length;
    return this;
  }

  uuid(text: string): this {
    return this.bytea(Buffer.from(text.replaceAll('-', ''), 'hex'));
  }

  jsonb(value: unknown): this {
    if (value === null || value === undefined) return this.null();
    const text = JSON.stringify(value);
    this.#room(5 + text.length * 3);
    const length = this.#buffer.write(text, this.#length + 5, 'utf8') + 1;
    this.#view.setInt32(this.#length, length);
    this.#view.setUint8(this.#length + 4, 1);
    this.#length += 4 + length;
    return this;
  }

  /** Writes an array of texts; an empty one as null. */
  texts(items: readonly string[]): this {
    if (items.length === 0) return this.null();
    this.#room(24);
    const start = this.#length;
    for (const [index, value] of [1, 0, textOid, items.length, 1].entries()) this.#view.setInt32(start + 4 + index * 4, value);
    this.#length += 24;
    for (const item of items) this.text(item);
    this.#view.setInt32(start, this.#length - start - 4);
    return this;
  }

  #room(bytes: number): void {
    if (this.#length + bytes + 2 <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#length + bytes + 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
    this.#view = viewOf(larger);
  }
}

const viewOf = (buffer: Buffer) => new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
