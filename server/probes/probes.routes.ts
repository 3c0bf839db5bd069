import { hasPermission } from '@telltale/domain/access/permissions.ts';
import type { FastifyRequest } from 'fastify';
import { forbidden } from '../platform/errors.ts';
import type { Http, PageRoute } from '../platform/http/http.ts';
import { metrics } from '../platform/http/metrics.ts';
import { openApiDocument } from '../platform/http/openapi.ts';
import { readUplinkMetrics } from '../uplinks/metrics.ts';
import { version } from '../version.ts';
import { apiPage } from './api-page.ts';
import { readiness } from './readiness.ts';

const probe = (path: string, summary: string, needs: PageRoute['needs'] = 'anyone'): PageRoute => ({ method: 'GET', path, needs, summary });

/** design 8: loopback itself, not something a proxy on this machine passes on. */
function isLoopback(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? '';
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => request.headers[name] !== undefined);
  return !isForwarded && /^(127\.|::1$|::ffff:127\.)/.test(address);
}

/** What machines ask: is it there, is it ready, how is it doing, what can it do. */
export function probeRoutes(http: Http): void {
  http.page(probe('/ping', 'Answers PONG.'), (_ctx, _request, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain').send('PONG.'),
  );
  http.page(probe('/healthz', 'This process is alive.'), (_ctx, _request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );
  http.page(probe('/readyz', 'Everything that is needed works.'), async (ctx, _request, reply) => {
    const { ready, checks } = await readiness(ctx);
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, checks });
  });
  http.page(probe('/metrics', 'Prometheus figures, for loopback or an administrator’s key.'), async (ctx, request, reply) => {
    if (!isLoopback(request) && !hasPermission(ctx.identity.permissions, 'admin')) throw forbidden();
    // The process's own figures are told without the database, too.
    await readUplinkMetrics(ctx.db).catch(() => {});
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.metrics());
  });
  const document = () => openApiDocument(http.routes, 'Telltale', version);
  http.page(probe('/api/openapi.json', 'This API as an OpenAPI document.', 'signed_in'), (_ctx, _request, reply) => reply.send(document()));
  http.page(probe('/api/docs', 'This API as a readable page.', 'signed_in'), (_ctx, _request, reply) =>
    reply.type('text/html; charset=utf-8').send(apiPage(http.routes)),
  );
}
