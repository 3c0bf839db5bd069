import type { FastifyInstance, HTTPMethods } from 'fastify';
import { AppError } from '../errors.ts';

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Two templates of one address may name its parts differently. */
const shapeOf = (path: string) => path.replace(/:\w+/g, ':');

/** RFC 9110: an API address refuses other methods and names those that it has. Call after all routes are registered. */
export function refuseOtherMethods(server: FastifyInstance, routes: readonly { method: string; path: string }[]): void {
  const known = new Map<string, { path: string; allowed: Set<string> }>();
  for (const { method, path } of routes) {
    if (!path.startsWith('/api/')) continue;
    const entry = known.get(shapeOf(path)) ?? { path, allowed: new Set<string>() };
    entry.allowed.add(method);
    known.set(shapeOf(path), entry);
  }
  for (const { path, allowed } of known.values()) {
    const allow = methods.flatMap((method) => (allowed.has(method) ? (method === 'GET' ? [method, 'HEAD'] : [method]) : [])).join(', ');
    server.route({
      method: methods.filter((method) => !allowed.has(method)),
      url: path,
      onRequest: (_request, reply, done) => {
        reply.header('allow', allow);
        done(new AppError(405, 'method_not_allowed', `This address answers ${allow}.`));
      },
      handler: () => null,
    });
  }
}
