import { accountRoutes } from './account/account.routes.ts';
import { sessionRoutes } from './account/session.routes.ts';
import { sourceJobs } from './data-sources/data-sources.jobs.ts';
import { dataSourceRoutes } from './data-sources/data-sources.routes.ts';
import { countDataSources } from './data-sources/data-sources.ts';
import { refreshStaleSchemas } from './data-sources/schemas.ts';
import { eventRoutes } from './events/events.routes.ts';
import { forgetOldEvents } from './events/events.ts';
import type { ExecutorPool } from './executor/pool.ts';
import { groupRoutes } from './groups/groups.routes.ts';
import { jobRoutes } from './jobs/jobs.routes.ts';
import { organizationRoutes } from './organizations/organizations.routes.ts';
import { pageRoutes } from './pages/pages.ts';
import type { Ctx, Services } from './platform/context.ts';
import { createHttp, type Http } from './platform/http/http.ts';
import type { JobDefinition } from './platform/jobs/define.ts';
import { forgetOldJobs } from './platform/jobs/upkeep.ts';
import { probeRoutes } from './probes/probes.routes.ts';
import { queryRoutes } from './queries/queries.routes.ts';
import { countQueries } from './queries/queries.ts';
import { queryKeys } from './queries/query-keys.ts';
import { resultJobs } from './results/results.jobs.ts';
import { resultRoutes } from './results/results.routes.ts';
import { forgetUnusedResults } from './results/upkeep.ts';
import { createDoorkeeper, type KeyResolver } from './session/doorkeeper.ts';
import { forgetOldSessions } from './session/upkeep.ts';
import { sendLetter } from './users/letters.ts';
import { userRoutes } from './users/users.routes.ts';
import { countUsers } from './users/users.ts';

/** The floor plan: every room's routes and jobs, one line each. */

/** Keys that are not a person's, and the rooms that own them. */
const keyResolvers: readonly KeyResolver[] = [queryKeys];

export function createApp(services: Services, webRoot: string): Http {
  const doorkeeper = createDoorkeeper(services, keyResolvers);
  const http = createHttp(services, doorkeeper);
  http.server.after(() => {
    probeRoutes(http);
    accountRoutes(http);
    sessionRoutes(http);
    organizationRoutes(http, { users: (ctx) => countUsers(ctx.db), data_sources: countDataSources, queries: countQueries });
    userRoutes(http);
    groupRoutes(http);
    eventRoutes(http);
    jobRoutes(http);
    dataSourceRoutes(http);
    queryRoutes(http);
    resultRoutes(http);
    pageRoutes(http, webRoot, doorkeeper);
  });
  return http;
}

/** Everything a worker can be asked to do. */
export const jobDefinitions = (executors: ExecutorPool): JobDefinition[] => [
  sendLetter as JobDefinition,
  ...sourceJobs(executors),
  ...resultJobs(executors),
];

/** What is tidied up once in a while, by one process at a time. */
export const upkeep: { name: string; everyMs: number; run(ctx: Ctx): Promise<unknown> }[] = [
  { name: 'sessions.upkeep', everyMs: 10 * 60_000, run: forgetOldSessions },
  { name: 'jobs.upkeep', everyMs: 10 * 60_000, run: forgetOldJobs },
  { name: 'results.upkeep', everyMs: 5 * 60_000, run: forgetUnusedResults },
  { name: 'schemas.upkeep', everyMs: 10 * 60_000, run: refreshStaleSchemas },
  { name: 'events.upkeep', everyMs: 60 * 60_000, run: forgetOldEvents },
];
