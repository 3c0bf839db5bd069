import type { ResultReader } from '../connectors/connector.ts';
import type { Chunk } from '../wire/chunk.ts';
import type { FromExecutor, ToExecutor } from './protocol.ts';

type Message = Extract<ToExecutor, { kind: 'result' }>;

/** Results of other queries, requested by name and sent by the worker in pieces (result-outbox.ts). */
export class ResultInbox {
  readonly #tell: (message: FromExecutor) => void;
  /** By request id, so that late pieces of a finished statement are ignored. */
  readonly #waiting = new Map<number, (message: Message) => void>();
  #lastId = 0;

  constructor(tell: (message: FromExecutor) => void) {
    this.#tell = tell;
  }

  receive(message: Message): void {
    this.#waiting.get(message.id)?.(message);
  }

  read: ResultReader = async (name) => {
    const id = ++this.#lastId;
    const pieces: Message[] = [];
    let wake: (() => void) | undefined;
    this.#waiting.set(id, (message) => {
      pieces.push(message);
      wake?.();
    });
    const next = async (): Promise<Message> => {
      while (pieces.length === 0) {
        await new Promise<void>((go) => {
          wake = go;
        });
      }
      const piece = pieces.shift() as Message;
      if (piece.error === undefined) return piece;
      this.#waiting.delete(id);
      throw new Error(piece.error);
    };
    this.#tell({ kind: 'needResult', id, name });
    const { columns = [] } = await next();
    return { columns, chunks: this.#chunks(id, next) };
  };

  async *#chunks(id: number, next: () => Promise<Message>): AsyncGenerator<Chunk> {
    try {
      for (;;) {
        const { chunk, isEnd } = await next();
        if (isEnd) return;
        if (chunk) yield chunk;
        this.#tell({ kind: 'resultTaken', id });
      }
    } finally {
      this.#waiting.delete(id);
    }
  }
}
