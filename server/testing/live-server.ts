import type { Kysely } from 'kysely';
import { afterAll } from 'vitest';
import type { Feed } from '../live/feed.ts';
import { jobFeed } from '../live/job-feed.ts';
import { liveRoutes } from '../live/live.routes.ts';
import type { LiveTiming } from '../live/live.ts';
import type { Services } from '../platform/context.ts';
import type { DB } from '../platform/database-types.ts';
import { createHttp } from '../platform/http/http.ts';
import { createAuthentication } from '../session/authentication.ts';
import type { TestApp } from './test-app.ts';

export const servicesOf = ({ ctx }: TestApp): Services => ({ ...ctx, db: ctx.db as Kysely<DB> });

/** A second live socket of an app, with other feeds and a faster clock. */
export async function liveServer(app: TestApp, timing: Partial<LiveTiming>, feeds?: Feed[]) {
  const services = servicesOf(app);
  const authentication = createAuthentication(services, []);
  const http = createHttp(services, authentication);
  http.server.after(() => liveRoutes(http, services, authentication, feeds ?? [jobFeed(services)], timing));
  const origin = await http.server.listen({ host: '127.0.0.1', port: 0 });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await http.server.close();
    isClosed = true;
  };
  afterAll(close);
  return { origin, close };
}
