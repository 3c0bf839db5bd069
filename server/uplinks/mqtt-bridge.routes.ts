import { connect } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../platform/context.ts';
import type { Http } from '../platform/http/http.ts';
import { allowUpgrade, takeSocket, type Upgrade } from '../platform/http/upgrade.ts';
import { findBrokerPort } from './brokers.ts';

const path = '/mqtt';
const connectMs = 5000;

/** MQTT over web socket on the console's port: forwarded to the broker byte for byte. A plain GET here is the page (design 2). */
export function mqttBridgeRoutes(http: Http, { db }: Services): void {
  allowUpgrade(http.server, path);
  http.page(
    { method: 'GET', path, needs: 'anyone', summary: 'MQTT over web socket, with the sub-protocol mqtt; without one, the page.' },
    async (_ctx, request, reply) => {
      const upgrade = takeSocket(request, reply);
      if (!upgrade) return reply.callNotFound();
      const port = await findBrokerPort(db).catch(() => undefined);
      if (port === undefined) upgrade.socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      else pass(request, upgrade, port);
      return reply as FastifyReply;
    },
  );
}

function pass(request: FastifyRequest, { socket, head }: Upgrade, port: number): void {
  const broker = connect({ host: '127.0.0.1', port, noDelay: true });
  const timer = setTimeout(() => broker.destroy(), connectMs);
  const end = () => {
    clearTimeout(timer);
    broker.destroy();
    socket.destroy();
  };
  broker.once('connect', () => {
    clearTimeout(timer);
    broker.write(requestHead(request));
    if (head.length > 0) broker.write(head);
    socket.pipe(broker).pipe(socket);
  });
  for (const side of [socket, broker]) side.once('close', end).on('error', end);
  socket.setNoDelay(true);
  socket.setTimeout(0);
}

/** The head of the request as it came, but with the client address that we determined. */
function requestHead({ raw, ip }: FastifyRequest): string {
  const lines: string[] = [];
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [raw.rawHeaders[i], raw.rawHeaders[i + 1]];
    if (!/^(x-forwarded-for|cookie|authorization)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nX-Forwarded-For: ${ip}\r\n\r\n`;
}
