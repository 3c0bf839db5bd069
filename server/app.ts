import { accountRoutes } from './account/account.routes.ts';
import { sessionRoutes } from './account/session.routes.ts';
import { adminRoutes } from './admin/admin.routes.ts';
import { channelRoutes } from './channels/channels.routes.ts';
import { refuseWhileShown, removeWidgetsOf } from './dashboards/dashboard-reactions.ts';
import { dashboardTokens } from './dashboards/dashboard-tokens.ts';
import { dashboardRoutes } from './dashboards/dashboards.routes.ts';
import { countDashboards } from './dashboards/lists.ts';
import { dataSourceRoutes } from './data-sources/data-sources.routes.ts';
import { countDataSources } from './data-sources/data-sources.ts';
import { eventRoutes } from './events/events.routes.ts';
import { groupRoutes } from './groups/groups.routes.ts';
import { jobRoutes } from './jobs/jobs.routes.ts';
import { jobFeed } from './live/job-feed.ts';
import { liveRoutes } from './live/live.routes.ts';
import { uplinkFeed } from './live/uplink-feed.ts';
import { organizationRoutes } from './organizations/organizations.routes.ts';
import { pageRoutes } from './pages/pages.ts';
import type { Services } from './platform/context.ts';
import { createHttp, type Http } from './platform/http/http.ts';
import { on } from './platform/signals.ts';
import { probeRoutes } from './probes/probes.routes.ts';
import { countQueries } from './queries/lists.ts';
import { queryRoutes } from './queries/queries.routes.ts';
import { queryKeys } from './queries/query-keys.ts';
import { queryArchived } from './queries/query-signals.ts';
import { querySnippetRoutes } from './query-snippets/query-snippets.routes.ts';
import { resultRoutes } from './results/results.routes.ts';
import { registerDevice } from './roles/register-device.ts';
import { createDoorkeeper, type KeyResolver } from './session/doorkeeper.ts';
import { mqttBridgeRoutes } from './uplinks/mqtt-bridge.routes.ts';
import { uplinkRoutes } from './uplinks/uplinks.routes.ts';
import { userRoutes } from './users/users.routes.ts';
import { countUsers } from './users/users.ts';
import { visualizationRemoving } from './visualizations/visualization-signals.ts';
import { visualizationRoutes } from './visualizations/visualizations.routes.ts';

/** The floor plan: every room's routes, one line each. What happens in the background: jobs.ts. */

/** Keys that are not a person's, and the rooms that own them. */
const keyResolvers: readonly KeyResolver[] = [queryKeys, dashboardTokens];

export function createApp(services: Services, webRoot: string): Http {
  on(queryArchived, removeWidgetsOf);
  on(visualizationRemoving, refuseWhileShown);
  const doorkeeper = createDoorkeeper(services, keyResolvers);
  const http = createHttp(services, doorkeeper);
  http.server.after(() => {
    probeRoutes(http);
    accountRoutes(http);
    sessionRoutes(http);
    organizationRoutes(http, {
      users: (ctx) => countUsers(ctx.db),
      data_sources: countDataSources,
      queries: countQueries,
      dashboards: countDashboards,
    });
    userRoutes(http);
    groupRoutes(http);
    eventRoutes(http);
    jobRoutes(http);
    channelRoutes(http);
    uplinkRoutes(http, services, registerDevice(services));
    mqttBridgeRoutes(http, services);
    dataSourceRoutes(http);
    queryRoutes(http);
    querySnippetRoutes(http);
    resultRoutes(http);
    visualizationRoutes(http);
    dashboardRoutes(http);
    adminRoutes(http);
    liveRoutes(http, services, doorkeeper, [jobFeed(services), uplinkFeed(services)]);
    pageRoutes(http, webRoot, doorkeeper);
  });
  return http;
}
