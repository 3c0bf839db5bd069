import { Worker } from 'node:worker_threads';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { AppError, invalid } from '../../platform/errors.ts';

const patienceMs = 3000;
const mostWaiting = 20;
/** Beyond this nobody reads it any more, and it would only keep others waiting. */
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

/** One at a time in a thread that is ended when it takes too long, so that no text can hold up the server. */
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

/** Resolves with the thread's first word, or when it has ended without one. */
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
  // Waiting for the next text it does not keep the process alive.
  thread.unref();
  return thread;
}

async function ask(query: string, dialect: Dialect | 'json'): Promise<Answer> {
  worker ??= startWorker();
  const asked = worker;
  // A busy machine takes its time to load the code; that is not the text's fault, so its clock starts afterwards.
  await started.get(asked);
  const id = ++count;
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const onMessage = (answer: Answer) => answer.id === id && resolve(answer);
  const onExit = () => resolve({ id, fault: 'it is too complicated.' });
  const timer = setTimeout(() => {
    resolve({ id, fault: 'it takes too long.' });
    if (worker === asked) worker = undefined;
    void asked.terminate();
  }, patienceMs);
  asked.on('message', onMessage).on('exit', onExit);
  asked.postMessage({ id, query, dialect });
  return promise.finally(() => {
    clearTimeout(timer);
    asked.off('message', onMessage).off('exit', onExit);
  });
}

/** The first line of what the formatter says, without the list of all that it would have liked instead. */
const shown = (fault = 'it cannot be read.') => (fault.split('\n')[0] ?? '').slice(0, 300);
