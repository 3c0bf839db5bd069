import type { ResultReader } from '../connectors/connector.ts';
import { findConnector } from '../connectors/index.ts';
import type { Chunk } from '../wire/chunk.ts';
import { PipeClosedError } from './chunk-pipe.ts';
import type { ExecutorProcess } from './executor-process.ts';
import type { Failure, FromExecutor, Source, Task } from './protocol.ts';
import { ResultOutbox } from './result-outbox.ts';

export interface Handlers {
  /** Called when an executor has started, so that only its own time counts. */
  begin?(): void;
  chunk?(chunk: Chunk): Promise<void>;
  results?: ResultReader;
}

export type Done = Omit<Extract<FromExecutor, { kind: 'done' }>, 'kind'>;

/** A failure reported by an executor. */
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

/** Runs one task on one executor; when the executor dies, `stopLeft` stops the statement that it left running. */
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
    let isUnstorable = false;
    /** Resolves when all chunks so far are stored. */
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
    /** Waits until the last chunk is stored, so that a clean-up after the failure finds it. */
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
        storing.catch(() => {}); // the handlers below report it
        stored.then(
          () => executor.tell({ kind: 'stored' }),
          (error) => {
            // onGone reports the exit. Chunks that were on their way together fail together: one of them ends the task.
            if (error instanceof PipeClosedError || isUnstorable) return;
            isUnstorable = true;
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
      fail(new ExecutorError({ message: executor.hasFailedToStart ? notStartedMessage : endedMessage }));
    };
    const abort = () => {
      executor.tell({ kind: 'abort' });
      const graceMs = findConnector(task.source.type)?.isBlocking ? 200 : obeyWithinMs;
      killTimer = setTimeout(() => executor.kill(), graceMs);
    };
    executor.on('message', onMessage).on('gone', onGone);
    signal.addEventListener('abort', abort, { once: true });
    executor.sources.add(task.source.key);
    if (!executor.isConnected) return onGone();
    executor.tell({ kind: 'task', task });
  });
}
