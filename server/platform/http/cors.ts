import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Marks the routes whose answers pages of other sites may read. */
export interface CorsConfig {
  cors?: boolean;
}

/**
 * server-behaviour 1.6: pages of the listed sites may read these answers. Only with a key: what is asked for with cookies no browser shows them, or
 * whoever is signed in here would hand out what they may see by visiting such a page.
 */
export function answerOtherSites(server: FastifyInstance, origins: readonly string[]): (path: string) => void {
  const isListed = (origin: string | undefined): origin is string =>
    origin !== undefined && (origins.includes(origin) || origins.includes('*'));
  const dress = (request: FastifyRequest, reply: FastifyReply) => {
    const { origin } = request.headers;
    const vary = reply.getHeader('vary');
    reply.header('vary', vary ? `${String(vary)}, Origin` : 'Origin');
    if (isListed(origin)) reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'false' });
  };
  if (origins.length === 0) return () => {};
  server.addHook('onSend', (request, reply, payload, done) => {
    if ((request.routeOptions.config as CorsConfig).cors) dress(request, reply);
    done(null, payload);
  });
  const asked = new Set<string>();
  return (path) => {
    if (asked.has(path)) return;
    asked.add(path);
    server.options(path, { config: { cors: true } satisfies CorsConfig }, (_, reply) =>
      reply
        .code(204)
        .headers({ 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': 'Content-Type, Authorization' })
        .send(),
    );
  };
}
