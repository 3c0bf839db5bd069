import type { Duplex } from 'node:stream';
import type pg from 'pg';

/**
 * The only file that uses members of `pg` which its types leave out (tests/architecture.test.ts). pg-internals.test.ts checks each of them
 * on a real connection, so that a new version of the driver without them fails there, by name.
 */
interface Internals {
  connection: Wire;
  processID: number;
  secretKey: number;
}

/** The connection below a client: writes messages of the protocol. */
interface Wire {
  stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

const internalsOf = (client: pg.ClientBase) => client as unknown as Internals;

/** The socket of a client; TLS included where it is used. */
export const streamOf = (client: pg.ClientBase): Duplex => internalsOf(client).connection.stream;

/** Destroys the socket of a client, because `end` would wait for an answer. */
export const hangUp = (client: pg.ClientBase): void => void streamOf(client).destroy();

/** Identifies the server process of a client, as a cancel request needs it. */
export function backendOf(client: pg.ClientBase): { processID: number; secretKey: number } {
  const { processID, secretKey } = internalsOf(client);
  return { processID, secretKey };
}

/** Messages that bypass the driver's own queries, and the answers to them. Exactly one of `done` and `failed` is called. */
export interface Exchange {
  send(wire: Wire): void;
  /** Called with each message of a COPY to us. The driver reuses the memory. */
  copied?(chunk: Buffer): void;
  done(): void;
  /** `isLost`: the connection cannot be used any more. Otherwise the server reported a fault and has rolled back. */
  failed(error: Error, isLost: boolean): void;
}

/** Sends an exchange when all queries before it are answered. After a fault the driver reports no further message of the exchange. */
export function submit(client: pg.ClientBase, { send, copied, done, failed }: Exchange): void {
  const nothing = () => {};
  const query = {
    /** Set by the driver where it has a time-out: stops its timer. */
    callback: undefined as (() => void) | undefined,
    submit: send,
    handleRowDescription: nothing,
    handleDataRow: nothing,
    handleEmptyQuery: nothing,
    handleCommandComplete: nothing,
    handleCopyInResponse: nothing,
    handleCopyData: ({ chunk }: { chunk: Buffer }) => copied?.(chunk),
    handleReadyForQuery() {
      query.callback?.();
      done();
    },
    handleError(error: Error & { severity?: string }) {
      query.callback?.();
      failed(error, error.severity !== 'ERROR');
    },
  };
  client.query(query as unknown as pg.Submittable);
}
