import { breath } from '../nextFrame.ts';
import { createSplitting, type FromSplitter, type ToSplitter } from './splitting.ts';

interface Splitting {
  send(message: ToSplitter): void;
  end(): void;
}

/**
 * Parses a large reply as its bytes come, in pieces of a few milliseconds each, so that the page stays responsive. A worker finds the rows;
 * rows are parsed here, because they would be copied on their way out of it, which takes longer. The bytes are kept nowhere as a whole:
 * a reply may be longer than the longest text of a browser.
 */
export async function readLargeReply(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<unknown> {
  const rows: unknown[] = [];
  const parsed = Promise.withResolvers<unknown>();
  let taken = Promise.withResolvers<void>();
  const fail = (error: unknown) => {
    taken.reject(error);
    parsed.reject(error);
  };
  const splitting = startSplitting((message) => {
    try {
      if ('slice' in message) for (const row of JSON.parse(message.slice) as unknown[]) rows.push(row);
      else if ('envelope' in message) parsed.resolve(withRows(JSON.parse(message.envelope), rows));
      else taken.resolve();
    } catch (error) {
      fail(error);
    }
  }, fail);
  parsed.promise.catch(() => {});
  try {
    for await (const bytes of chunks) {
      taken = Promise.withResolvers<void>();
      splitting.send({ bytes });
      // Answers come in order: the next bytes are read when the rows of these are parsed.
      await taken.promise;
    }
    splitting.send({ isEnd: true });
    return await parsed.promise;
  } finally {
    splitting.end();
  }
}

function withRows(reply: unknown, rows: unknown[]): unknown {
  if (rows.length > 0) (reply as { query_result: { data: { rows: unknown[] } } }).query_result.data.rows = rows;
  return reply;
}

/** Where there are no workers, the rows are found here, with pauses. */
function startSplitting(onAnswer: (message: FromSplitter) => void, onFault: (error: Error) => void): Splitting {
  if (typeof Worker === 'undefined') return splitHere(onAnswer);
  const worker = new Worker(new URL('./splitter.worker.ts', import.meta.url), { type: 'module' });
  let here: Splitting | null = null;
  let hasAnswered = false;
  let first: ToSplitter | null = null;
  worker.onmessage = ({ data }: MessageEvent<FromSplitter>) => {
    hasAnswered = true;
    onAnswer(data);
  };
  worker.onerror = (event) => {
    // Most likely it ran out of memory.
    if (hasAnswered) return onFault(new RangeError(event.message || 'The worker has ended.'));
    // Its file could not be loaded.
    here ??= splitHere(onAnswer);
    if (first) here.send(first);
    first = null;
  };
  return {
    send(message) {
      if (here) return here.send(message);
      first ??= message;
      worker.postMessage(message);
    },
    end: () => worker.terminate(),
  };
}

function splitHere(onAnswer: (message: FromSplitter) => void): Splitting {
  const split = createSplitting();
  let isEnded = false;
  const answer = async (message: ToSplitter) => {
    for (const one of split(message)) {
      if (isEnded) return;
      onAnswer(one);
      if ('slice' in one) await breath();
    }
  };
  return {
    send: (message) => void answer(message),
    end: () => {
      isEnded = true;
    },
  };
}
