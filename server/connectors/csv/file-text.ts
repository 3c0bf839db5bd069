import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { QueryError } from '../connector.ts';

/** The limit for unpacked data: the size of the download does not bound it (security 29). */
const largestBytes = 4 * 1024 ** 3;

/**
 * Reads the text of a file in pieces. Gzip is recognised by its first bytes, and a byte order mark overrides the given encoding. An invalid
 * byte is an error, never a question mark in the rows.
 */
export async function* textOf(body: AsyncIterable<Uint8Array>, encoding: string, maxBytes = largestBytes): AsyncGenerator<string> {
  const [opening, packed] = await opened(body);
  const isPacked = opening[0] === 0x1f && opening[1] === 0x8b;
  const [start, bytes] = isPacked ? await opened(unpacked(packed, maxBytes)) : [opening, packed];
  const decoder = decoderOf(marked(start) ?? encoding);
  try {
    for await (const piece of bytes) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!hasCode(cause, 'ERR_ENCODING_INVALID_ENCODED_DATA')) throw cause;
    throw new QueryError(`The file is not in the encoding ${decoder.encoding}. Name its own, such as 'encoding: latin-1'.`, {}, cause);
  }
}

/** Accepts the names of encodings in pandas, which has more of them than the web. */
export function decoderOf(encoding: string): TextDecoder {
  const name = encoding.trim().toLowerCase().replaceAll('_', '-');
  const known = [
    name,
    name.replace(/-sig$/, '').replace(/^utf-?(8|16)-?([lb]e)?$/, 'utf-$1$2'),
    name.replace(/^latin-?(\d+)$/, 'l$1'),
    pythonNames[name] ?? name,
  ];
  for (const label of known) {
    try {
      return new TextDecoder(label, { fatal: true });
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
    }
  }
  throw new QueryError(`The encoding '${encoding}' is not known.`);
}

const pythonNames: Record<string, string> = {
  u8: 'utf-8',
  utf: 'utf-8',
  cp65001: 'utf-8',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'mac-roman': 'macintosh',
  'mac-cyrillic': 'x-mac-cyrillic',
};

function marked([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Returns the first three bytes, and a generator of all bytes. */
async function opened(body: AsyncIterable<Uint8Array>): Promise<[opening: Uint8Array, whole: AsyncGenerator<Uint8Array>]> {
  const pieces = body[Symbol.asyncIterator]();
  let opening: Uint8Array = new Uint8Array();
  let isOver = false;
  while (opening.length < 3 && !isOver) {
    const next = await pieces.next();
    if (next.done) isOver = true;
    else opening = opening.length === 0 ? next.value : Buffer.concat([opening, next.value]);
  }
  const whole = async function* () {
    try {
      yield opening;
      if (!isOver) yield* { [Symbol.asyncIterator]: () => pieces };
    } finally {
      await pieces.return?.();
    }
  };
  return [opening, whole()];
}

async function* unpacked(packed: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // The callback ignores the error, because the loop below gets it from the stream.
  const pieces = pipeline(Readable.from(packed), createGunzip(), () => {}) as AsyncIterable<Uint8Array>;
  try {
    for await (const piece of pieces) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw new QueryError('The file grows too large when it is unpacked.');
      yield piece;
    }
  } catch (cause) {
    throw hasCode(cause, 'Z_') ? new QueryError('The file is compressed, and a part of it is missing or broken.', {}, cause) : cause;
  }
}

const hasCode = (error: unknown, beginning: string): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith(beginning);
