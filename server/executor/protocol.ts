import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import type { SchemaTable, Statement } from '../connectors/connector.ts';
import type { Chunk } from '../wire/chunk.ts';
import type { ResultSize } from '../wire/chunk-writer.ts';
import type { ResultLimits } from '../wire/limits.ts';

/** What is asked of an executor process. `source` tells connections apart: equal keys may share one. */
export interface Source {
  key: string;
  type: string;
  options: unknown;
}

export type Task =
  | { kind: 'run'; source: Source; statement: Statement; limits: Partial<ResultLimits> }
  | { kind: 'schema'; source: Source; database?: string | undefined }
  | { kind: 'databases'; source: Source }
  | { kind: 'test'; source: Source }
  /** Ends what another executor, which is gone, left running at the source. */
  | { kind: 'stop'; source: Source; mark: string };

export interface RunOutcome {
  columns: ResultColumn[];
  size: ResultSize;
  log: string[];
  data_scanned: number | undefined;
}

export interface Failure {
  message: string;
  line?: number | undefined;
  column?: number | undefined;
  /** The query's or the source's fault, to be shown; otherwise ours, to be logged. */
  isTold: boolean;
}

export interface ExecutorSettings {
  filesFolder: string;
  allowPrivate: string[];
}

export type ToExecutor =
  | { kind: 'settings'; settings: ExecutorSettings }
  | { kind: 'task'; task: Task }
  | { kind: 'abort' }
  /** A chunk is stored: another may come. */
  | { kind: 'stored' }
  /** A piece of the result that was asked for by this number. */
  | { kind: 'result'; id: number; columns?: { name: string; type: string | null }[]; chunk?: Chunk; isEnd?: boolean; error?: string };

export type FromExecutor =
  | { kind: 'ready' }
  /** The task runs on the connection of this mark (`Connection.mark`). */
  | { kind: 'runsOn'; mark: string }
  /** Its bytes come by the pipe (chunk-pipe.ts). */
  | { kind: 'chunk'; chunk: Omit<Chunk, 'data'>; bytes: number }
  | { kind: 'needResult'; id: number; name: string }
  /** One of its chunks has been read: another may come. */
  | { kind: 'resultTaken'; id: number }
  | { kind: 'done'; outcome?: RunOutcome; schema?: SchemaTable[]; databases?: string[]; warning?: string | undefined }
  /** `isEnding`: the process goes too and takes no other task. */
  | { kind: 'failed'; failure: Failure; isEnding?: boolean };

/** Where an executor finds its pipe: behind the usual three and the channel of messages. */
export const pipeFd = 4;
