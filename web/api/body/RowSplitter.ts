const [quote, backslash, colon] = [34, 92, 58];
const [openBrace, closeBrace, openBracket, closeBracket, comma] = [123, 125, 91, 93, 44];
const space = 32;

/** The rows of a reply stand at `query_result.data.rows`: an array within three objects. */
const depthOfRows = 3;
const nameOfRows = 'rows';

/**
 * Cuts the bytes of a result into texts that can be parsed one by one: arrays of some rows each, and the reply around them. Rows themselves
 * are not read. Bytes may be cut anywhere.
 */
export class RowSplitter {
  readonly #sliceBytes: number;
  #phase: 'before' | 'rows' | 'after' = 'before';
  /** All bytes outside the rows. */
  readonly #around: Uint8Array[] = [];
  /** Bytes of the slice that is not complete yet. */
  #parts: Uint8Array[] = [];
  #size = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The last string before the rows, as far as it may be their name. */
  #name = '';
  #isAfterColon = false;

  constructor(sliceBytes: number) {
    this.#sliceBytes = sliceBytes;
  }

  /** The slices that are complete with these bytes. */
  push(bytes: Uint8Array): string[] {
    const slices: string[] = [];
    let at = 0;
    if (this.#phase === 'before') {
      at = this.#findRows(bytes);
      this.#around.push(bytes.subarray(0, at));
    }
    if (this.#phase === 'rows') at = this.#cutRows(bytes, at, slices);
    if (this.#phase === 'after') this.#around.push(bytes.subarray(at));
    return slices;
  }

  /** The rows that are left, and the reply with an empty array in the place of its rows. */
  end(): { slice: string | null; envelope: string } {
    return { slice: this.#take(), envelope: textOf(this.#around) };
  }

  /** The index after the bracket that opens the rows, or the end. */
  #findRows(bytes: Uint8Array): number {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#isInString) this.#readName(byte);
      else if (byte > space) {
        const isRows = byte === openBracket && this.#isAfterColon && this.#depth === depthOfRows && this.#name === nameOfRows;
        this.#isAfterColon = byte === colon;
        if (byte === quote) [this.#isInString, this.#name] = [true, ''];
        else if (byte === openBrace || byte === openBracket) this.#depth++;
        else if (byte === closeBrace || byte === closeBracket) this.#depth--;
        if (isRows) {
          this.#phase = 'rows';
          return at + 1;
        }
      }
    }
    return bytes.length;
  }

  #readName(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInString = false;
      return;
    }
    if (this.#name.length <= nameOfRows.length) this.#name += String.fromCharCode(byte);
  }

  /** Takes whole rows out of the bytes; returns the index of the bracket that closes the rows, or the end. */
  #cutRows(bytes: Uint8Array, from: number, slices: string[]): number {
    let [depth, isInString, isEscaped] = [this.#depth, this.#isInString, this.#isEscaped];
    let start = from;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInString = false;
      } else if (byte === quote) isInString = true;
      else if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) {
        depth--;
        if (depth === depthOfRows) {
          this.#keep(bytes.subarray(start, at));
          this.#phase = 'after';
          return at;
        }
        if (depth === depthOfRows + 1 && this.#size + at - start >= this.#sliceBytes) {
          this.#keep(bytes.subarray(start, at + 1));
          slices.push(this.#take() ?? '[]');
          start = at + 1;
        }
      }
    }
    [this.#depth, this.#isInString, this.#isEscaped] = [depth, isInString, isEscaped];
    this.#keep(bytes.subarray(start));
    return bytes.length;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#parts.push(bytes);
    this.#size += bytes.length;
  }

  #take(): string | null {
    if (this.#size === 0) return null;
    const text = textOf(this.#parts);
    [this.#parts, this.#size] = [[], 0];
    const first = text.search(/\S/);
    return `[${text.charCodeAt(first) === comma ? text.slice(first + 1) : text}]`;
  }
}

function textOf(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
}
