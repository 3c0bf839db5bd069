import { accountRoutes } from './account/account.routes.ts';
import { factorRoutes } from './account/factors.routes.ts';
import { createProxySignIn } from './account/proxy-sign-in.ts';
import { sessionRoutes } from './account/session.routes.ts';
import { adminRoutes } from './admin/admin.routes.ts';
import { alertRoutes } from './alerts/alerts.routes.ts';
import { countAlerts } from './alerts/alerts.ts';
import { assistantRoutes } from './assistants/assistants.routes.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { watchChanges } from './audit/audit.ts';
import { channelRoutes } from './channels/channels.routes.ts';
import { commandFeed } from './commands/command-feed.ts';
import { commandRoutes } from './commands/commands.routes.ts';
import { useEncoder } from './commands/encoder.ts';
import { httpDownlinks } from './commands/http-downlinks.ts';
import { keepIotDataIn } from './connectors/iot-data.ts';
import { dashboardTokens } from './dashboards/dashboard-tokens.ts';
import { dashboardRoutes } from './dashboards/dashboards.routes.ts';
import { countDashboards } from './dashboards/lists.ts';
import { dataSourceRoutes } from './data-sources/data-sources.routes.ts';
import { countDataSources } from './data-sources/data-sources.ts';
import { decoderRoutes } from './decoders/decoders.routes.ts';
import { createPayloadDecoder } from './decoders/payload-decoder.ts';
import { destinationRoutes } from './destinations/destinations.routes.ts';
import { eventRoutes } from './events/events.routes.ts';
import { groupRoutes } from './groups/groups.routes.ts';
import { jobRoutes } from './jobs/jobs.routes.ts';
import { jobFeed } from './live/job-feed.ts';
import { liveRoutes } from './live/live.routes.ts';
import { readingFeed } from './live/reading-feed.ts';
import { UplinkFeed } from './live/uplink-feed.ts';
import { moveRoutes } from './move/move.routes.ts';
import { networkRoutes } from './network-servers/network-servers.routes.ts';
import { webhookRoutes } from './network-servers/webhooks.routes.ts';
import { organizationRoutes } from './organizations/organizations.routes.ts';
import { pageRoutes } from './pages/pages.ts';
import type { Services } from './platform/context.ts';
import { createHttp, type Http } from './platform/http/http.ts';
import { refuseOtherMethods } from './platform/http/other-methods.ts';
import { probeRoutes } from './probes/probes.routes.ts';
import { countQueries } from './queries/lists.ts';
import { queryRoutes } from './queries/queries.routes.ts';
import { queryKeys } from './queries/query-keys.ts';
import { querySnippetRoutes } from './query-snippets/query-snippets.routes.ts';
import { bindReactions } from './reactions.ts';
import { resultRoutes } from './results/results.routes.ts';
import { commandEncoder } from './roles/command-encoder.ts';
import { registerDevice } from './roles/register-device.ts';
import { uplinkWatchers } from './roles/uplink-watchers.ts';
import { searchRoutes } from './search/search.routes.ts';
import { createAuthentication, type KeyResolver } from './session/authentication.ts';
import { mqttBridgeRoutes } from './uplinks/mqtt-bridge.routes.ts';
import { uplinkRoutes } from './uplinks/uplinks.routes.ts';
import { userRoutes } from './users/users.routes.ts';
import { countUsers } from './users/users.ts';
import { visualizationRoutes } from './visualizations/visualizations.routes.ts';

/** Registers the routes of every room, one line each. jobs.ts does the same for background work. */

/** Resolvers of keys that do not belong to a user, from the rooms that own them. */
const keyResolvers: readonly KeyResolver[] = [queryKeys, dashboardTokens];

export function createApp(services: Services, webRoot: string): Http {
  bindReactions();
  keepIotDataIn(services.config.clickhouseUrl === undefined ? 'postgres' : 'clickhouse');
  const authentication = createAuthentication(services, keyResolvers, createProxySignIn(services));
  const http = createHttp(services, authentication, watchChanges);
  const decoder = createPayloadDecoder(services);
  useEncoder(services, commandEncoder(decoder));
  http.server.addHook('onClose', () => decoder.stop());
  http.server.after(() => {
    probeRoutes(http);
    accountRoutes(http);
    factorRoutes(http);
    sessionRoutes(http);
    organizationRoutes(http, {
      users: (ctx) => countUsers(ctx.db),
      data_sources: countDataSources,
      queries: countQueries,
      dashboards: countDashboards,
      alerts: countAlerts,
    });
    userRoutes(http);
    groupRoutes(http);
    eventRoutes(http);
    auditRoutes(http);
    jobRoutes(http);
    channelRoutes(http);
    decoderRoutes(http, decoder.pool);
    uplinkRoutes(http, services, {
      register: registerDevice(services),
      watchers: uplinkWatchers,
      downlinks: httpDownlinks(services),
      decoder,
    });
    mqttBridgeRoutes(http, services);
    networkRoutes(http);
    webhookRoutes(http);
    dataSourceRoutes(http);
    queryRoutes(http);
    querySnippetRoutes(http);
    resultRoutes(http);
    visualizationRoutes(http);
    dashboardRoutes(http);
    destinationRoutes(http);
    alertRoutes(http);
    commandRoutes(http);
    moveRoutes(http, decoder.pool);
    searchRoutes(http);
    adminRoutes(http);
    assistantRoutes(http);
    liveRoutes(http, services, authentication, [jobFeed(services), new UplinkFeed(services), readingFeed(services), commandFeed(services)]);
    pageRoutes(http, webRoot, authentication);
    refuseOtherMethods(http.server, http.routes);
  });
  return http;
}
