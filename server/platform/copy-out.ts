import type pg from 'pg';
import { submit } from './pg-internals.ts';

/** Signature, flags and length of an extension (PostgreSQL's documentation of COPY, "Binary Format"). */
const headerBytes = 19;
const endMark = -1;

/**
 * Reads a select by COPY: each row as its fields' bytes, null for NULL. The driver treats every other answer as text, so bytes would come
 * as twice as many digits. The text must not contain foreign values: COPY takes no parameters.
 */
export async function copyOut(pool: pg.Pool, select: string): Promise<(Buffer | null)[][]> {
  const client = await pool.connect();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const rows: (Buffer | null)[][] = [];
  let isBegun = false;
  let isBroken = false;
  submit(client, {
    send: (wire) => wire.query(`copy (${select}) to stdout (format binary)`),
    // Each message is a row, the first with the header before it.
    copied(chunk) {
      const row = fieldsOf(chunk, isBegun ? 0 : headerBytes);
      isBegun = true;
      if (row) rows.push(row);
    },
    done: resolve,
    failed(error, isLost) {
      isBroken = isLost;
      reject(error);
    },
  });
  try {
    await promise;
    return rows;
  } finally {
    client.release(isBroken);
  }
}

/** Returns copies, because the driver reuses its memory. */
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
