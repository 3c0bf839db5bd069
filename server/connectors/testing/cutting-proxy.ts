import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Endpoint {
  host: string;
  port: number;
}

/** A proxy to a server that cuts the connection after a number of answered bytes. */
export async function cuttingProxy(
  target: Endpoint,
  cutAfterBytes: number,
): Promise<Endpoint & { wasCut(): boolean; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let passed = 0;
  const destroyAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((near) => {
    const far = connect(target.port, target.host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    near.on('close', () => far.destroy());
    far.on('close', () => near.end());
    near.pipe(far);
    far.on('data', (bytes) => {
      passed += bytes.length;
      if (passed > cutAfterBytes) destroyAll();
      else near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      destroyAll();
    });
  return { host: '127.0.0.1', port, wasCut: () => passed > cutAfterBytes, close };
}

/** Returns a port without a listener. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
