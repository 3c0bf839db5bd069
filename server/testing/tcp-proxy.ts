import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../start/ports.ts';

export interface TcpProxy {
  /** The same database URL, by way of the proxy. */
  url: string;
  /** Cuts every connection and takes no new one. */
  cut(): Promise<void>;
  /** Keeps the connections but forwards nothing any more, like a network that drops packets. */
  freeze(): void;
  mend(): Promise<void>;
}

/** A connection to the database that a test can cut. */
export async function tcpProxy(databaseUrl: string): Promise<TcpProxy & { stop(): Promise<void> }> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  // No outgoing connection may take the port while it is cut.
  const port = await freePort();
  let server: Server | undefined;

  const accept = (near: Socket) => {
    const far = connect(Number(target.port), target.hostname);
    const pipe = (from: Socket, to: Socket) => {
      sockets.add(from);
      from.on('data', (data) => !isFrozen && to.write(data));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    };
    pipe(near, far);
    pipe(far, near);
  };
  const open = async () => {
    server = createServer(accept);
    await new Promise<void>((resolve, reject) => server?.once('error', reject).listen(port, '127.0.0.1', resolve));
  };
  const cut = async () => {
    const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
    server = undefined;
  };
  await open();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.toString(),
    cut,
    freeze() {
      isFrozen = true;
    },
    async mend() {
      isFrozen = false;
      if (!server) await open();
    },
    stop: cut,
  };
}
