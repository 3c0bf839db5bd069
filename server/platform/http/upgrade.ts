import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A connection that has left HTTP, and what it sent already. */
export interface Upgrade {
  socket: Socket;
  head: Buffer;
}

const pathsOf = new WeakMap<Server, Set<string>>();
const waiting = new WeakMap<IncomingMessage, Upgrade>();

/**
 * A request at this path may ask to become a web socket. It goes through the same routes, hooks and doorkeeper as every
 * other one, and is refused by the same answers; the handler of the route takes the socket out. Asked for anywhere else,
 * the wish is ignored, as HTTP allows.
 */
export function allowUpgrade(server: FastifyInstance, path: string): void {
  const known = pathsOf.get(server.server);
  if (known) return void known.add(path);
  const paths = new Set([path]);
  pathsOf.set(server.server, paths);
  const isWanted = ({ url = '', headers, method }: IncomingMessage) =>
    method === 'GET' && paths.has(url.split('?', 1)[0] ?? '') && headers.upgrade?.toLowerCase() === 'websocket';
  Object.assign(server.server, { shouldUpgradeCallback: isWanted });
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    waiting.set(request, { socket, head });
    server.routing(request, response);
  });
}

/** From here on the socket is the caller's; undefined when the request did not ask for an upgrade. */
export function takeSocket(request: FastifyRequest, reply: FastifyReply): Upgrade | undefined {
  const upgrade = waiting.get(request.raw);
  if (!upgrade) return undefined;
  waiting.delete(request.raw);
  reply.hijack();
  reply.raw.detachSocket(upgrade.socket);
  return upgrade;
}
