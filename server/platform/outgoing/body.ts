import type { IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { OutgoingError } from './error.ts';
import { after, inSeconds } from './time-limit.ts';

export interface BodyLimits {
  /** The name of the answering server, for error texts. */
  side: string;
  /** The limit before and after decompression, so that a decompression bomb ends here too. */
  maxBytes: number;
  /** The longest wait for the next bytes, and for the first read. */
  idleMs: number;
  signal: AbortSignal;
}

/** The answer's bytes, decompressed as they come. To be read once; an unread body closes itself. */
export function bodyOf(response: IncomingMessage, limits: BodyLimits): AsyncIterable<Uint8Array> & { close(): void } {
  response.on('error', () => {}); // the reader gets the error
  const unread = after(limits.idleMs, () => response.destroy());
  return {
    close: () => void response.destroy(),
    async *[Symbol.asyncIterator]() {
      unread.stop();
      try {
        yield* capped(decoded(arriving(response, limits), response, limits), limits);
      } catch (error) {
        limits.signal.throwIfAborted();
        if (error instanceof OutgoingError) throw error;
        throw new OutgoingError('lost', `The connection to ${limits.side} was lost before the answer was complete.`, error);
      } finally {
        response.destroy();
      }
    },
  };
}

/** The time limit counts only while we wait for the other side, not while it waits for us. */
async function* arriving(response: IncomingMessage, { idleMs, side }: BodyLimits): AsyncGenerator<Uint8Array> {
  const chunks = response[Symbol.asyncIterator]();
  for (;;) {
    const late = after(idleMs, () => response.destroy(new OutgoingError('timeout', `${side} sent nothing for ${inSeconds(idleMs)}.`)));
    const next = await chunks.next().finally(() => late.stop());
    if (next.done) return;
    yield next.value;
  }
}

async function* capped(chunks: AsyncIterable<Uint8Array>, { maxBytes, side }: BodyLimits): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new OutgoingError('too-large', `The answer of ${side} is larger than ${sizeText(maxBytes)}.`);
    yield chunk;
  }
}

async function* decoded(chunks: AsyncGenerator<Uint8Array>, response: IncomingMessage, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  const compressed = capped(chunks, limits);
  if (encoding === '' || encoding === 'identity') return yield* compressed;
  const first = await compressed.next();
  if (first.done) return; // an answer such as 204 may name an encoding without a body
  const decoder = decoderOf(encoding, first.value);
  if (!decoder) throw new OutgoingError('bad-answer', `The answer of ${limits.side} is in an encoding that is not known here.`);
  const whole = async function* () {
    yield first.value;
    yield* compressed;
  };
  // The callback swallows the error; the reader below gets it from the decoder itself.
  yield* pipeline(Readable.from(whole()), decoder, () => {}) as AsyncIterable<Uint8Array>;
}

function decoderOf(encoding: string, first: Uint8Array) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  // Half of the servers that declare deflate leave out zlib's two header bytes.
  if (encoding === 'deflate') return ((first[0] ?? 0) & 15) === 8 ? createInflate() : createInflateRaw();
  return undefined;
}

const sizeText = (bytes: number) =>
  bytes >= 1024 ** 2 ? `${Math.round(bytes / 1024 ** 2).toLocaleString('en')} MB` : `${bytes.toLocaleString('en')} bytes`;
