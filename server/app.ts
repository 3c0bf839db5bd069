import { accountRoutes } from './account/account.routes.ts';
import { sessionRoutes } from './account/session.routes.ts';
import { eventRoutes } from './events/events.routes.ts';
import { forgetOldEvents } from './events/events.ts';
import { groupRoutes } from './groups/groups.routes.ts';
import { jobRoutes } from './jobs/jobs.routes.ts';
import { organizationRoutes } from './organizations/organizations.routes.ts';
import { pageRoutes } from './pages/pages.ts';
import type { Ctx, Services } from './platform/context.ts';
import { createHttp, type Http } from './platform/http/http.ts';
import type { JobDefinition } from './platform/jobs/define.ts';
import { forgetOldJobs } from './platform/jobs/upkeep.ts';
import { probeRoutes } from './probes/probes.routes.ts';
import { createDoorkeeper, type KeyResolver } from './session/doorkeeper.ts';
import { forgetOldSessions } from './session/upkeep.ts';
import { sendLetter } from './users/letters.ts';
import { userRoutes } from './users/users.routes.ts';
import { countUsers } from './users/users.ts';

/** The floor plan: every room's routes and jobs, one line each. */

/** Keys that are not a person's, and the rooms that own them. */
const keyResolvers: readonly KeyResolver[] = [];

export function createApp(services: Services, webRoot: string): Http {
  const doorkeeper = createDoorkeeper(services, keyResolvers);
  const http = createHttp(services, doorkeeper);
  http.server.after(() => {
    probeRoutes(http);
    accountRoutes(http);
    sessionRoutes(http);
    organizationRoutes(http, { users: (ctx) => countUsers(ctx.db) });
    userRoutes(http);
    groupRoutes(http);
    eventRoutes(http);
    jobRoutes(http);
    pageRoutes(http, webRoot, doorkeeper);
  });
  return http;
}

/** Everything a worker can be asked to do. */
export const jobDefinitions = [sendLetter] as JobDefinition[];

/** What is tidied up once in a while, by one process at a time. */
export const upkeep: { name: string; everyMs: number; run(ctx: Ctx): Promise<unknown> }[] = [
  { name: 'sessions.upkeep', everyMs: 10 * 60_000, run: forgetOldSessions },
  { name: 'jobs.upkeep', everyMs: 10 * 60_000, run: forgetOldJobs },
  { name: 'events.upkeep', everyMs: 60 * 60_000, run: forgetOldEvents },
];
