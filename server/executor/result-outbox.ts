import type { ResultReader } from '../connectors/connector.ts';
import type { ToExecutor } from './protocol.ts';

/** The number of chunks of one result in transit, which limits the executor's memory. */
const window = 4;

/** Sends results of other queries to the executor of a task, no faster than it reads them (result-inbox.ts). */
export class ResultOutbox {
  readonly #read: ResultReader | undefined;
  readonly #tell: (message: ToExecutor) => void;
  readonly #room = new Map<number, { left: number; wake: (() => void) | undefined }>();
  #isClosed = false;

  constructor(read: ResultReader | undefined, tell: (message: ToExecutor) => void) {
    this.#read = read;
    this.#tell = tell;
  }

  async send(id: number, name: string): Promise<void> {
    const room: { left: number; wake: (() => void) | undefined } = { left: window, wake: undefined };
    this.#room.set(id, room);
    try {
      if (!this.#read) throw new Error(`There is no result named ${name}.`);
      const { columns, chunks } = await this.#read(name);
      this.#tell({ kind: 'result', id, columns });
      for await (const chunk of chunks) {
        while (room.left === 0 && !this.#isClosed) {
          await new Promise<void>((go) => {
            room.wake = go;
          });
        }
        if (this.#isClosed) return;
        room.left--;
        this.#tell({ kind: 'result', id, chunk });
      }
      this.#tell({ kind: 'result', id, isEnd: true });
    } catch (error) {
      this.#tell({ kind: 'result', id, error: error instanceof Error ? error.message : String(error) });
    } finally {
      this.#room.delete(id);
    }
  }

  taken(id: number): void {
    const room = this.#room.get(id);
    if (!room) return;
    room.left++;
    room.wake?.();
  }

  /** Stops sending, because the task has ended. */
  close(): void {
    this.#isClosed = true;
    for (const { wake } of this.#room.values()) wake?.();
  }
}
