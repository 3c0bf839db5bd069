import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import type { SchemaTable, Statement } from '../connectors/connector.ts';
import type { Chunk } from '../wire/chunk.ts';
import type { ResultSize } from '../wire/chunk-writer.ts';
import type { ResultLimits } from '../wire/limits.ts';

/** The source of a task. Tasks with equal keys may share a connection. */
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
  | { kind: 'stop'; source: Source; mark: string }
  /** The same for the statement of a run whose worker is gone, too: its note begins so. */
  | { kind: 'stopNoted'; source: Source; note: string };

interface RunOutcome {
  columns: ResultColumn[];
  size: ResultSize;
  log: string[];
  data_scanned: number | undefined;
}

export interface Failure {
  message: string;
  line?: number | undefined;
  column?: number | undefined;
}

export interface ExecutorSettings {
  filesFolder: string;
  allowPrivate: string[];
}

export type ToExecutor =
  | { kind: 'settings'; settings: ExecutorSettings }
  | { kind: 'task'; task: Task }
  | { kind: 'abort' }
  /** A chunk is stored, so another may follow. */
  | { kind: 'stored' }
  /** A part of the result that was requested with this id. */
  | { kind: 'result'; id: number; columns?: { name: string; type: string | null }[]; chunk?: Chunk; isEnd?: boolean; error?: string };

export type FromExecutor =
  | { kind: 'ready' }
  /** The task runs on the connection with this mark (`Connection.mark`). */
  | { kind: 'runsOn'; mark: string }
  /** The bytes arrive through the pipe (chunk-pipe.ts). */
  | { kind: 'chunk'; chunk: Omit<Chunk, 'data'>; bytes: number }
  | { kind: 'needResult'; id: number; name: string }
  /** A chunk of the result has been read, so another may follow. */
  | { kind: 'resultTaken'; id: number }
  | { kind: 'done'; outcome?: RunOutcome; schema?: SchemaTable[]; databases?: string[]; warning?: string | undefined }
  /** `isEnding`: the process exits as well and takes no other task. */
  | { kind: 'failed'; failure: Failure; isEnding?: boolean };

/** The file descriptor of the pipe, after the three standard ones and the message channel. */
export const pipeFd = 4;
