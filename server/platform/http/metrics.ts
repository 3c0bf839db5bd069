import type { FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** One registry per process; rooms add their own counters to it. */
export const metrics = new Registry();
collectDefaultMetrics({ register: metrics });
// These gauges are named like counters; the same figures exist by type.
for (const name of ['handles', 'requests', 'resources']) metrics.removeSingleMetric(`nodejs_active_${name}_total`);

const duration = new Histogram({
  name: 'telltale_http_request_duration_seconds',
  help: 'Time to answer, by route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
  registers: [metrics],
});

export const requestMetrics = {
  observe(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? 'page';
    duration.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  },
};
