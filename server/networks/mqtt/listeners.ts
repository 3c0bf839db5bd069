import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type SecureContextOptions } from 'node:tls';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { Logger } from '../../platform/log.ts';

export type Accept = (socket: Duplex, address: string) => void;

export interface Listener {
  port: number;
  /** Refuses new connections. Open ones stay, so that they can be sent the reason why they are closed. */
  refuse(): void;
  close(): Promise<void>;
}

const backlog = 4096;
const certificatesEveryMs = 30_000;
/** One frame may hold several packets. */
const largestFrame = 1024 * 1024;

/** Plain MQTT; on loopback unless the operator opened it (iot-behaviour 1.1). */
export function listenPlain(host: string, port: number, accept: Accept): Promise<Listener> {
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => accept(quiet(socket), addressOf(socket)));
  return listening(server, host, port);
}

/** MQTT over TLS. A renewed certificate is taken up without a restart. */
export async function listenTls(
  host: string,
  { port, cert, key }: { port: number; cert: string; key: string },
  accept: Accept,
  log: Logger,
): Promise<Listener> {
  const read = (): SecureContextOptions => ({ cert: readFileSync(cert), key: readFileSync(key), minVersion: 'TLSv1.2' });
  const server = createTlsServer({ ...read(), handshakeTimeout: 10_000, noDelay: true }, (socket) =>
    accept(quiet(socket), addressOf(socket)),
  );
  server.on('tlsClientError', () => {});
  const renew = () => {
    try {
      server.setSecureContext(read());
      log.info({ cert }, 'the certificate of the MQTT listener was read again');
    } catch (error) {
      log.warn({ err: error instanceof Error ? error.message : String(error) }, 'the new certificate cannot be used; the old one stays');
    }
  };
  for (const file of [cert, key]) watchFile(file, { interval: certificatesEveryMs, persistent: false }, renew);
  const listener = await listening(server, host, port);
  return {
    port: listener.port,
    refuse: () => listener.refuse(),
    close() {
      for (const file of [cert, key]) unwatchFile(file, renew);
      return listener.close();
    },
  };
}

/** The listener to which the console forwards web sockets byte for byte: on loopback only, at a port of its own. */
export function listenPrivate(accept: Accept): Promise<Listener> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestFrame,
    perMessageDeflate: false,
    handleProtocols: (offered) => [...offered].find((name) => name === 'mqtt' || name === 'mqttv3.1') ?? false,
  });
  const server = createHttpServer((_request, response) => response.writeHead(426).end());
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {});
    sockets.handleUpgrade(request, socket, head, (ws) => {
      ws.on('error', () => {});
      accept(createWebSocketStream(ws, { readableHighWaterMark: 65_536 }), String(request.headers['x-forwarded-for'] ?? ''));
    });
  });
  return listening(server, '127.0.0.1', 0);
}

/** The broker handles a socket that breaks; without a listener the error would end the process. */
function quiet(socket: Socket): Socket {
  return socket.on('error', () => {});
}

const addressOf = ({ remoteAddress = '' }: Socket) => remoteAddress.replace(/^::ffff:/, '');

export function listening(server: Server, host: string, port: number): Promise<Listener> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog }, () => {
      server.off('error', reject);
      resolve({
        port: (server.address() as AddressInfo).port,
        refuse: () => void server.close(),
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            for (const socket of open) socket.destroy();
          }),
      });
    });
  });
}
