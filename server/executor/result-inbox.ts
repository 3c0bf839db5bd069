import type { ResultReader } from '../connectors/connector.ts';
import type { Chunk } from '../results/wire/chunk.ts';
import type { ToExecutor } from './protocol.ts';

type Message = Extract<ToExecutor, { kind: 'result' }>;

/** Results of other queries, asked for by name and sent by the worker piece by piece. */
export class ResultInbox {
  readonly #ask: (name: string) => void;
  readonly #waiting = new Map<string, (message: Message) => void>();

  constructor(ask: (name: string) => void) {
    this.#ask = ask;
  }

  receive(message: Message): void {
    this.#waiting.get(message.name)?.(message);
  }

  read: ResultReader = (name) =>
    new Promise((resolve, reject) => {
      const queue: Message[] = [];
      let wake: (() => void) | undefined;
      this.#waiting.set(name, (message) => {
        if (message.error !== undefined && !message.columns) return reject(new Error(message.error));
        if (message.columns) return resolve({ columns: message.columns, chunks: chunks() });
        queue.push(message);
        wake?.();
      });
      const waiting = this.#waiting;
      async function* chunks(): AsyncGenerator<Chunk> {
        for (;;) {
          const next = queue.shift();
          if (!next) {
            await new Promise<void>((go) => {
              wake = go;
            });
            continue;
          }
          if (next.error !== undefined) throw new Error(next.error);
          if (next.chunk) yield next.chunk;
          if (next.isEnd) break;
        }
        waiting.delete(name);
      }
      this.#ask(name);
    });
}
