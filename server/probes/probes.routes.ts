import type { FastifyRequest } from 'fastify';
import { readHistoryMetrics } from '../history/history.ts';
import { forbidden } from '../platform/errors.ts';
import type { Http, PageRoute } from '../platform/http/http.ts';
import { metrics } from '../platform/http/metrics.ts';
import { openApiDocument } from '../platform/http/openapi.ts';
import { may } from '../policy/policy.ts';
import { readUplinkMetrics } from '../uplinks/metrics.ts';
import { version } from '../version.ts';
import { apiPage } from './api-page.ts';
import { readFigures } from './figures.ts';
import { readiness } from './readiness.ts';
import { schemaNames } from './schema-names.ts';

const probe = (path: string, summary: string, needs: PageRoute['needs'] = 'anyone'): PageRoute => ({ method: 'GET', path, needs, summary });

/** design 8: the request comes from loopback itself, not through a proxy on this machine. */
function isLoopback(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? '';
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => request.headers[name] !== undefined);
  return !isForwarded && /^(127\.|::1$|::ffff:127\.)/.test(address);
}

/** Routes for machines: liveness, readiness, metrics, API description. */
export function probeRoutes(http: Http): void {
  http.page(probe('/ping', 'Answers PONG.'), (_ctx, _request, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain').send('PONG.'),
  );
  http.page(probe('/healthz', 'This process is alive.'), (_ctx, _request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );
  http.page(probe('/readyz', 'Everything that is needed works; with ?only=database only that.'), async (ctx, request, reply) => {
    const { ready: isAllReady, checks } = await readiness(ctx);
    // A balancer wants to know whether this process can answer, not whether there are workers.
    const only = new URL(request.url, 'http://localhost').searchParams.get('only');
    const ready = only === null ? isAllReady : checks[only] === 'ok';
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, checks });
  });
  http.page(probe('/metrics', 'Prometheus figures, for loopback or an administrator’s key.'), async (ctx, request, reply) => {
    if (!isLoopback(request) && !may(ctx.identity, 'read_metrics', 'organization')) throw forbidden();
    // The process's own figures are answered without the database, too.
    await readUplinkMetrics(ctx.db).catch(() => {});
    await readHistoryMetrics(ctx).catch(() => {});
    const runs = await readFigures(ctx.db).catch(() => '');
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(`${(await metrics.metrics()).trimEnd()}\n\n${runs}`);
  });
  const documents = new Map<string, ReturnType<typeof openApiDocument>>();
  const documentAt = (origin: string) => {
    const known = documents.get(origin) ?? openApiDocument(http.routes, { title: 'Telltale', version, origin, names: schemaNames() });
    if (documents.size > 20) documents.clear();
    documents.set(origin, known);
    return known;
  };
  http.page(probe('/api/openapi.json', 'This API as an OpenAPI document.', 'signed_in'), (ctx, _request, reply) =>
    reply.send(documentAt(ctx.config.publicUrl?.replace(/\/$/, '') ?? ctx.request.origin)),
  );
  http.page(probe('/api/docs', 'This API as a readable page.', 'signed_in'), (_ctx, _request, reply) =>
    reply.type('text/html; charset=utf-8').send(apiPage(http.routes)),
  );
}
