/** Rows in ClickHouse's format RowBinary. Its servers read decimal texts of numbers with an error in the last digit; bytes are exact. */
export class RowBinary {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;
  rows = 0;

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  row(): this {
    this.rows++;
    return this;
  }

  int32(value: number): this {
    this.#length = this.#room(4).writeInt32LE(value, this.#length);
    return this;
  }

  uint32(value: number): this {
    this.#length = this.#room(4).writeUInt32LE(value, this.#length);
    return this;
  }

  /** Whole numbers that a double holds exactly. */
  int64(value: number): this {
    this.#length = this.#room(8).writeBigInt64LE(BigInt(value), this.#length);
    return this;
  }

  float64(value: number): this {
    this.#length = this.#room(8).writeDoubleLE(value, this.#length);
    return this;
  }

  flag(value: boolean): this {
    this.#length = this.#room(1).writeUInt8(value ? 1 : 0, this.#length);
    return this;
  }

  text(value: string): this {
    const size = Buffer.byteLength(value);
    const buffer = this.#room(size + 5);
    let rest = size;
    for (; rest > 127; rest >>>= 7) this.#length = buffer.writeUInt8((rest & 127) | 128, this.#length);
    this.#length = buffer.writeUInt8(rest, this.#length);
    this.#length += buffer.write(value, this.#length);
    return this;
  }

  /** A Nullable column: a flag, then the value unless it is missing. */
  orNull<T>(value: T | null, write: (value: T) => unknown): this {
    this.flag(value === null);
    if (value !== null) write(value);
    return this;
  }

  #room(bytes: number): Buffer {
    if (this.#length + bytes > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    return this.#buffer;
  }
}
