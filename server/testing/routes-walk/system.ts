import { randomUUID } from 'node:crypto';
import { admins, type Expectations, everybody, signedIn, withBody } from './callers.ts';

/** Probes, documents, logs, export and import, jobs, and routes with a protocol of their own. */
export const systemRoutes: Expectations = {
  'GET /ping': everybody(200),
  'GET /healthz': everybody(200),
  // No role has registered in this test, and the answer is the same for all.
  'GET /readyz': everybody(503),
  // The calls come from loopback; probes.test.ts calls from elsewhere.
  'GET /metrics': everybody(200),
  'GET /api/openapi.json': signedIn(200),
  'GET /api/docs': signedIn(200),
  'POST /api/events': signedIn(
    200,
    withBody(() => ({}), [{ action: 'view', object_type: 'page', object_id: 'home' }]),
  ),
  'GET /api/events': admins(200),
  'GET /api/export': admins(200),
  'POST /api/import': admins(
    200,
    withBody(() => ({}), { objects: { format: 'telltale objects 1' }, preview: true }),
  ),
  'POST /api/import/upstream': admins(
    200,
    withBody(() => ({}), { url: 'https://upstream.example', api_key: 'x', preview: true }),
  ),
  'GET /api/audit': admins(200),
  'GET /api/audit/choices': admins(200),
  'GET /api/search': signedIn(200),
  'GET /status.json': admins(200),
  'GET /api/admin/queries/rq_status': admins(200),
  'GET /api/admin/queries/outdated': admins(200),
  // The route has a protocol of its own; assistants.test.ts tests it.
  'POST /mcp': { answers: [401, 406, 406, 406] },
  'GET /mcp': { answers: [401, 405, 405, 405] },
  'DELETE /mcp': { answers: [401, 405, 405, 405] },
  // The socket needs an upgrade; live.test.ts tests it.
  'GET /api/live': { answers: [401, 426, 426, 426] },
  // No such job exists: jobs.routes.test.ts uses real ones.
  'GET /api/jobs/:id': signedIn(404, () => ({ params: { id: randomUUID() } })),
  'DELETE /api/jobs/:id': signedIn(404, () => ({ params: { id: randomUUID() } })),
  'POST /api/jobs/:id/retry': admins(404, () => ({ params: { id: randomUUID() } })),
};
