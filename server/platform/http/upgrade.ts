import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** An upgraded connection, with the bytes that it has sent already. */
export interface Upgrade {
  socket: Socket;
  head: Buffer;
}

type Prepare = (request: IncomingMessage) => void;

const pathsOf = new WeakMap<Server, Map<string, Prepare>>();
const waiting = new WeakMap<IncomingMessage, Upgrade>();
const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0] ?? '';

/**
 * A request at this path may upgrade to a web socket. It goes through the same routes, hooks and authentication as every other one, and is
 * refused by the same answers; the handler of the route takes the socket. At any other path the upgrade is ignored, as HTTP allows.
 * `prepare` sees the request before all of them.
 */
export function allowUpgrade(server: FastifyInstance, path: string, prepare: Prepare = () => {}): void {
  const known = pathsOf.get(server.server);
  if (known) return void known.set(path, prepare);
  const paths = new Map([[path, prepare]]);
  pathsOf.set(server.server, paths);
  const shouldUpgradeCallback = (request: IncomingMessage) =>
    request.method === 'GET' && paths.has(pathOf(request)) && request.headers.upgrade?.toLowerCase() === 'websocket';
  Object.assign(server.server, { shouldUpgradeCallback });
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    waiting.set(request, { socket, head });
    paths.get(pathOf(request))?.(request);
    server.routing(request, response);
  });
}

/** Hands the socket to the caller; undefined when the request did not ask for an upgrade. */
export function takeSocket(request: FastifyRequest, reply: FastifyReply): Upgrade | undefined {
  const upgrade = waiting.get(request.raw);
  if (!upgrade) return undefined;
  waiting.delete(request.raw);
  reply.hijack();
  reply.raw.detachSocket(upgrade.socket);
  return upgrade;
}
