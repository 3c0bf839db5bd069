import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Marks the routes whose answers pages of other sites may read. */
interface CorsConfig {
  cors?: boolean;
}

/**
 * server-behaviour 1.6: pages of the listed sites may read these answers, but only with a key. Browsers withhold answers to requests with
 * cookies; otherwise such a page could read everything that its signed-in visitor may see.
 */
export function answerOtherSites(server: FastifyInstance, origins: readonly string[]): (path: string) => void {
  const isListed = (origin: string | undefined): origin is string =>
    origin !== undefined && (origins.includes(origin) || origins.includes('*'));
  const setHeaders = (request: FastifyRequest, reply: FastifyReply) => {
    const { origin } = request.headers;
    const vary = reply.getHeader('vary');
    reply.header('vary', vary ? `${String(vary)}, Origin` : 'Origin');
    if (isListed(origin)) reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'false' });
  };
  if (origins.length === 0) return () => {};
  server.addHook('onSend', (request, reply, payload, done) => {
    if ((request.routeOptions.config as CorsConfig).cors) setHeaders(request, reply);
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
