import { ApiError, noConnectionMessage } from '../ApiError.ts';

/** Larger replies are parsed in pieces; parsing this much takes a few milliseconds. */
const directBytes = 2 * 1024 * 1024;
/** Small pieces of the network are handed on together. */
const togetherBytes = 512 * 1024;

/** The parsed body of a reply. Results have no length in their head, so they are read until it is known whether they are large. */
export async function readBody(response: Response, signal?: AbortSignal): Promise<unknown> {
  const isShort = response.headers.has('content-length') || !response.body || !response.ok;
  if (isShort) return parse(response, await response.text().catch((cause: unknown) => fail(brokenOff(0), cause, signal)));
  const chunks = read(response.body, signal);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; size <= directBytes; ) {
    const { value, done } = await chunks.next();
    if (done) return parse(response, textOf(parts));
    parts.push(value);
    size += value.length;
  }
  const { readLargeReply } = await import('./readLargeReply.ts');
  try {
    return await readLargeReply(all(parts, chunks));
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson(response, '');
    throw error instanceof RangeError ? tooLarge() : error;
  }
}

async function* read(body: ReadableStream<Uint8Array<ArrayBuffer>>, signal?: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let count = 0;
  let isDone = false;
  let [waiting, size]: [Uint8Array<ArrayBuffer>[], number] = [[], 0];
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => fail(brokenOff(count), cause, signal));
      if (value) waiting.push(value);
      size += value?.length ?? 0;
      count += value?.length ?? 0;
      if (size > 0 && (done || size >= togetherBytes || count < directBytes)) {
        yield joined(waiting, size);
        [waiting, size] = [[], 0];
      }
      isDone = done;
      if (done) return;
    }
  } finally {
    if (!isDone) void reader.cancel().catch(() => {});
  }
}

async function* all<T>(first: readonly T[], rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

function joined(parts: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  if (parts[0] && parts.length === 1) return parts[0];
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function textOf(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
}

function parse(response: Response, text: string): unknown {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok) throw notJson(response, text);
    return text;
  }
}

/** A reader that was stopped is not told of a lost connection. */
function fail(error: ApiError, cause: unknown, signal: AbortSignal | undefined): never {
  throw signal?.aborted ? cause : error;
}

const notJson = ({ status }: Response, text: string) => new ApiError(status, 'The server answered with something that is not JSON.', text);

function brokenOff(bytes: number): ApiError {
  if (bytes === 0) return new ApiError(0, noConnectionMessage);
  const size = bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${Math.floor(bytes / 1024 / 1024)} MB`;
  return new ApiError(0, `The answer of the server broke off after ${size}. Please check your Internet connection and try again.`);
}

function tooLarge(): ApiError {
  const message = 'This result is too large for the browser. Add a LIMIT, or download it as a file.';
  return new ApiError(413, message, { message });
}
