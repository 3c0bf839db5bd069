import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Seen {
  method: string;
  url: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

export interface LocalServer {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  origin: string;
  port: number;
  /** All received requests, with their bodies. */
  requests: Seen[];
  close(): Promise<void>;
}

type Reply = (request: Seen, response: ServerResponse, message: IncomingMessage) => void | Promise<void>;

export interface ServerOptions {
  tls?: { key: string; cert: string };
  host?: string;
}

/** Starts a web server on the loopback, which the caller closes. */
export async function localServer(reply: Reply, { tls, host = '127.0.0.1' }: ServerOptions = {}): Promise<LocalServer> {
  const requests: Seen[] = [];
  const answer = async (message: IncomingMessage, response: ServerResponse) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const { method = '', url = '', headers } = message;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(seen);
    await reply(seen, response, message);
  };
  const handle = (message: IncomingMessage, response: ServerResponse) =>
    void answer(message, response).catch((error: unknown) => response.destroy(error as Error));
  const server = tls ? createTlsServer(tls, handle) : createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`, port, requests, close };
}

/** Starts a web server that closes when the running test ends. */
export async function serverForTest(reply: Reply, options?: ServerOptions): Promise<LocalServer> {
  const server = await localServer(reply, options);
  onTestFinished(() => server.close());
  return server;
}

export const sendJson = (response: ServerResponse, value: unknown): void => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
};

/** The parts of a connector's suite that are the same for all that read a local web server with a password. */
export const localSource = (server: () => LocalServer) => ({
  tearDown: () => server().close(),
  server: () => ({ host: '127.0.0.1', port: server().port }),
  options: (at?: { port: number }) => ({
    base_url: `http://127.0.0.1:${at?.port ?? server().port}`,
    username: 'reader',
    password: 'canary-7f3a',
  }),
});
