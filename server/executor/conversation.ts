import type { ResultReader } from '../connectors/connector.ts';
import { findConnector } from '../connectors/index.ts';
import type { Chunk } from '../wire/chunk.ts';
import { PipeClosedError } from './chunk-pipe.ts';
import type { ExecutorProcess } from './executor-process.ts';
import type { Failure, FromExecutor, Source, Task } from './protocol.ts';
import { ResultOutbox } from './result-outbox.ts';

export interface Handlers {
  /** An executor is there: now it is its own time. */
  begin?(): void;
  chunk?(chunk: Chunk): Promise<void>;
  results?: ResultReader;
}

export type Done = Omit<Extract<FromExecutor, { kind: 'done' }>, 'kind'>;

/** A failure that came back from an executor. */
export class ExecutorError extends Error {
  override name = 'ExecutorError';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

const endedMessage = 'The query was stopped because it took too much memory or its process ended.';
const notStartedMessage = 'The server could not start a process for this. Please try again in a moment.';

const obeyWithinMs = 2500;
const largestResidentKb = 1024 * 1024;

/** One task with one executor, from the first message to the last; `stopLeft` is told what one that died has left running. */
export function converse(
  executor: ExecutorProcess,
  task: Task,
  handlers: Handlers,
  signal: AbortSignal,
  stopLeft: (source: Source, mark: string | undefined) => void,
): Promise<Done> {
  const results = new ResultOutbox(handlers.results, (message) => executor.tell(message));
  return new Promise((resolve, reject) => {
    let killTimer: NodeJS.Timeout | undefined;
    let mark: string | undefined;
    /** All chunks so far. */
    let storing: Promise<void> = Promise.resolve();
    const memory = setInterval(() => executor.residentKb > largestResidentKb && executor.kill(), 500);
    const settle = (end: () => void) => {
      clearInterval(memory);
      clearTimeout(killTimer);
      signal.removeEventListener('abort', abort);
      executor.off('message', onMessage).off('gone', onGone);
      results.close();
      end();
    };
    /** The last chunk is stored first: whoever clears up after a failure must find it. */
    const fail = (error: ExecutorError) => {
      const end = () => settle(() => reject(signal.aborted ? signal.reason : error));
      storing.then(end, end);
    };
    const onMessage = (message: FromExecutor) => {
      if (message.kind === 'done')
        void storing.then(
          () => settle(() => resolve(message)),
          (error) => settle(() => reject(error)),
        );
      else if (message.kind === 'failed') {
        if (message.isEnding) {
          executor.isLeaving = true;
          executor.kill();
          stopLeft(task.source, mark);
        }
        fail(new ExecutorError(message.failure));
      } else if (message.kind === 'runsOn') mark = message.mark;
      else if (message.kind === 'needResult') void results.send(message.id, message.name);
      else if (message.kind === 'resultTaken') results.taken(message.id);
      else if (message.kind === 'chunk') {
        const stored = executor.pipe.take(message.bytes).then((data) => handlers.chunk?.({ ...message.chunk, data }));
        storing = Promise.all([storing, stored]).then(() => {});
        storing.catch(() => {}); // told below
        stored.then(
          () => executor.tell({ kind: 'stored' }),
          (error) => {
            if (error instanceof PipeClosedError) return; // its exit is told below
            executor.kill();
            stopLeft(task.source, mark);
            settle(() => reject(error));
          },
        );
      }
    };
    const onGone = () => {
      executor.isLeaving = true;
      stopLeft(task.source, mark);
      fail(new ExecutorError({ message: executor.hasFailedToStart ? notStartedMessage : endedMessage, isTold: true }));
    };
    const abort = () => {
      executor.tell({ kind: 'abort' });
      const patience = findConnector(task.source.type)?.isBlocking ? 200 : obeyWithinMs;
      killTimer = setTimeout(() => executor.kill(), patience);
    };
    executor.on('message', onMessage).on('gone', onGone);
    signal.addEventListener('abort', abort, { once: true });
    executor.sources.add(task.source.key);
    if (!executor.isConnected) return onGone();
    executor.tell({ kind: 'task', task });
  });
}
