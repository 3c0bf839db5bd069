import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that may be in the middle of a request, or before their first one, at the same time. */
const mostArriving = 1000;

export interface ArrivalLimits {
  /** A request has arrived completely within this time. */
  requestTimeout: number;
  headersTimeout: number;
  connectionsCheckingInterval: number;
}

const longestHeadersMs = 20_000;
const usualCheckMs = 5000;

export const arrivalLimits = (requestSeconds: number): ArrivalLimits => ({
  requestTimeout: requestSeconds * 1000,
  headersTimeout: Math.min(longestHeadersMs, requestSeconds * 1000),
  connectionsCheckingInterval: Math.min(usualCheckMs, requestSeconds * 250),
});

/**
 * security 32: idle or slow connections must not use up the limit. Beyond it the connection is cut whose request has been arriving for the
 * longest time, so a client that sends its request at once is never cut.
 */
export function boundArrivals(server: Server, most = mostArriving): void {
  const arriving = new Set<Socket>();
  const arrived = (socket: Socket) => arriving.delete(socket);
  server.on('connection', (socket: Socket) => {
    arriving.add(socket);
    socket.once('close', () => arrived(socket));
    if (arriving.size <= most) return;
    const [oldest] = arriving;
    if (oldest) {
      arrived(oldest);
      oldest.destroy();
    }
  });
  server.on('request', (request: IncomingMessage) => {
    request.once('end', () => arrived(request.socket));
    request.once('close', () => arrived(request.socket));
  });
  server.on('upgrade', (request: IncomingMessage) => arrived(request.socket));
}
