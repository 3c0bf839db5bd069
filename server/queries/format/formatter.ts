import { Worker } from 'node:worker_threads';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { AppError, invalid } from '../../platform/errors.ts';

const timeoutMs = 3000;
const mostWaiting = 20;
/** Longer texts would only keep other requests waiting. */
const largestText = 100_000;

interface Answer {
  id: number;
  text?: string;
  fault?: string;
}

let worker: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;
let count = 0;

/** Formats one text at a time in a thread that is ended when it takes too long, so that no text can hold up the server. */
export async function formatText(query: string, dialect: Dialect | 'json'): Promise<string> {
  if (query.trim() === '') return query;
  if (query.length > largestText) throw invalid(`The query is too long to be formatted (at most ${largestText} characters).`);
  if (waiting >= mostWaiting) throw new AppError(503, 'busy', 'Too many queries are being formatted. Please try again.');
  waiting++;
  const turn = last.then(() => ask(query, dialect));
  last = turn.catch(() => {});
  try {
    const { text, fault } = await turn;
    if (text === undefined) throw invalid(`The query cannot be formatted: ${shown(fault)}`);
    return text;
  } finally {
    waiting--;
  }
}

/** Resolves with the thread's first message, or when the thread has ended without one. */
const started = new WeakMap<Worker, Promise<void>>();

function startWorker(): Worker {
  const thread = new Worker(new URL('./format-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 256 } });
  const { promise, resolve } = Promise.withResolvers<void>();
  started.set(thread, promise);
  thread.once('message', () => resolve());
  thread.on('error', () => {});
  thread.on('exit', () => {
    resolve();
    if (worker === thread) worker = undefined;
  });
  // The waiting thread does not keep the process alive.
  thread.unref();
  return thread;
}

async function ask(query: string, dialect: Dialect | 'json'): Promise<Answer> {
  worker ??= startWorker();
  const asked = worker;
  // A busy machine takes time to load the code; the time limit of the text starts afterwards.
  await started.get(asked);
  const id = ++count;
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const onMessage = (answer: Answer) => answer.id === id && resolve(answer);
  const onExit = () => resolve({ id, fault: 'it is too complicated.' });
  const timer = setTimeout(() => {
    resolve({ id, fault: 'it takes too long.' });
    if (worker === asked) worker = undefined;
    void asked.terminate();
  }, timeoutMs);
  asked.on('message', onMessage).on('exit', onExit);
  asked.postMessage({ id, query, dialect });
  return promise.finally(() => {
    clearTimeout(timer);
    asked.off('message', onMessage).off('exit', onExit);
  });
}

/** The first line of the formatter's error, without its list of expected tokens. */
const shown = (fault = 'it cannot be read.') => (fault.split('\n')[0] ?? '').slice(0, 300);
