import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Endpoint } from './cutting-proxy.ts';

const sslRequest = 80_877_103;

/** A proxy that gives PostgreSQL a certificate: it ends encryption when the client requests it. Everything else goes to the real server. */
export async function tlsFront(
  target: Endpoint,
  certificate: { key: string; cert: string },
): Promise<Endpoint & { encrypted(): number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let encrypted = 0;
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => {});
    near.once('data', (first: Buffer) => {
      const isAsked = first.length === 8 && first.readInt32BE(4) === sslRequest;
      const far = connect(target.port, target.host);
      far.on('error', () => {});
      if (isAsked) near.write('S');
      else far.write(first);
      const line = isAsked ? new TLSSocket(near, { isServer: true, ...certificate }) : near;
      line.once('secure', () => encrypted++);
      line.on('error', () => far.destroy());
      line.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      line.pipe(far);
      far.pipe(line);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, encrypted: () => encrypted, close };
}
