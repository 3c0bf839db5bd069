import type pg from 'pg';

/** Signature, flags and length of an extension (PostgreSQL's documentation of COPY, "Binary Format"). */
const headerBytes = 19;
const endMark = -1;

/**
 * What a statement selects, by COPY: each row as its fields' bytes, null for NULL. The driver takes every other answer for text,
 * so bytes would come as twice as many digits. The text is not for values of others: COPY takes no parameters.
 */
export async function copyOut(pool: pg.Pool, select: string): Promise<(Buffer | null)[][]> {
  const client = await pool.connect();
  const copy = new CopyOut(select);
  try {
    client.query(copy as unknown as pg.Submittable);
    return await copy.rows.promise;
  } finally {
    client.release(copy.isBroken);
  }
}

/** What the driver tells one statement of. */
class CopyOut {
  readonly rows = Promise.withResolvers<(Buffer | null)[][]>();
  /** The line is of no more use. */
  isBroken = false;
  /** Set by the driver: ends its watch over the time. */
  callback: (() => void) | undefined;
  readonly #select: string;
  readonly #read: (Buffer | null)[][] = [];
  #fault: Error | undefined;
  #isBegun = false;

  constructor(select: string) {
    this.#select = select;
  }

  submit(connection: { query(text: string): void }): void {
    connection.query(`copy (${this.#select}) to stdout (format binary)`);
  }

  /** Each message is a row, the first with the header before it. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const row = fieldsOf(chunk, this.#isBegun ? 0 : headerBytes);
    this.#isBegun = true;
    if (row) this.#read.push(row);
  }

  handleCommandComplete(): void {}

  /** What the server says is followed by its being ready; anything else is the end of the line. */
  handleError(error: Error & { severity?: string }): void {
    this.#fault ??= error;
    if (error.severity) return;
    this.isBroken = true;
    this.#end();
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  #end(): void {
    this.callback?.();
    if (this.#fault) this.rows.reject(this.#fault);
    else this.rows.resolve(this.#read);
  }
}

/** Copies: the driver uses its memory again. */
function fieldsOf(bytes: Buffer, start: number): (Buffer | null)[] | undefined {
  const count = bytes.readInt16BE(start);
  if (count === endMark) return undefined;
  const fields: (Buffer | null)[] = [];
  for (let at = start + 2; fields.length < count; ) {
    const length = bytes.readInt32BE(at);
    at += 4;
    fields.push(length < 0 ? null : Buffer.from(bytes.subarray(at, at + length)));
    at += Math.max(length, 0);
  }
  return fields;
}
