import { dashboardIdOf } from '@telltale/domain/dashboards/address.ts';
import { type PageOptions, page } from './layout/pageRoute.ts';

const home = () => import('./home/HomePage.tsx').then((m) => m.HomePage);
const logout = () => import('./account/LogoutPage.tsx').then((m) => m.LogoutPage);
const users = () => import('./users/UsersPage.tsx').then((m) => m.UsersPage);
const user = () => import('./users/UserPage.tsx').then((m) => m.UserPage);
const general = () => import('./settings/GeneralPage.tsx').then((m) => m.GeneralPage);
const groups = () => import('./groups/GroupsPage.tsx').then((m) => m.GroupsPage);
const dataSources = () => import('./data-sources/DataSourcesPage.tsx').then((m) => m.DataSourcesPage);
const dataSource = () => import('./data-sources/DataSourcePage.tsx').then((m) => m.DataSourcePage);
const group = () => import('./groups/GroupPage.tsx').then((m) => m.GroupPage);
const queries = () => import('./queries/list/QueriesPage.tsx').then((m) => m.QueriesPage);
const query = () => import('./queries/QueryViewPage.tsx').then((m) => m.QueryViewPage);
const querySource = () => import('./queries/QuerySourcePage.tsx').then((m) => m.QuerySourcePage);
const dashboards = () => import('./dashboards/list/DashboardsPage.tsx').then((m) => m.DashboardsPage);
const dashboard = () => import('./dashboards/DashboardPage.tsx').then((m) => m.DashboardPage);
const legacyDashboard = () => import('./dashboards/DashboardPage.tsx').then((m) => m.LegacyDashboardPage);
const channels = () => import('./channels/ChannelsPage.tsx').then((m) => m.ChannelsPage);
const channel = () => import('./channels/ChannelPage.tsx').then((m) => m.ChannelPage);
const device = () => import('./channels/device/DevicePage.tsx').then((m) => m.DevicePage);
const alerts = () => import('./alerts/AlertsPage.tsx').then((m) => m.AlertsPage);
const alert = () => import('./alerts/AlertPage.tsx').then((m) => m.AlertPage);
const destinations = () => import('./destinations/DestinationsPage.tsx').then((m) => m.DestinationsPage);
const destination = () => import('./destinations/DestinationPage.tsx').then((m) => m.DestinationPage);
const commands = () => import('./commands/CommandsPage.tsx').then((m) => m.CommandsPage);
const command = () => import('./commands/CommandPage.tsx').then((m) => m.CommandPage);
const lorawanChannels = () => import('./channels/lorawan/LorawanChannelsPage.tsx').then((m) => m.LorawanChannelsPage);
const networks = () => import('./networks/NetworksPage.tsx').then((m) => m.NetworksPage);
const network = () => import('./networks/NetworkPage.tsx').then((m) => m.NetworkPage);
const systemStatus = () => import('./admin/SystemStatusPage.tsx').then((m) => m.SystemStatusPage);
const jobs = () => import('./admin/JobsPage.tsx').then((m) => m.JobsPage);
const outdated = () => import('./admin/OutdatedQueriesPage.tsx').then((m) => m.OutdatedQueriesPage);
const auditLog = () => import('./admin/AuditPage.tsx').then((m) => m.AuditPage);
const access = () => import('./admin/AccessPage.tsx').then((m) => m.AccessPage);
const move = () => import('./admin/MovePage.tsx').then((m) => m.MovePage);
const querySnippets = () => import('./queries/snippets/SnippetsPage.tsx').then((m) => m.SnippetsPage);

const shownDevice = { shape: 'object', title: 'Device' } as const;
const shownDashboard = {
  title: 'Dashboard',
  shape: 'dashboard',
  canBeFullscreen: true,
  reads: ({ dashboardId = '' }) => {
    const id = dashboardIdOf(dashboardId);
    return id === undefined ? undefined : `/api/dashboards/${id}`;
  },
} satisfies PageOptions;

/** Every page, one line each: address, code, title, part of the product, permission. An unknown address is the 404 panel. */
export const pages = [
  page('/', home, { title: 'Telltale', area: 'home' }),
  page('/logout', logout, { title: 'Logout' }),
  page('/users', users, { title: 'Users', area: 'settings', needs: 'list_users' }),
  page('/users/new', users, { title: 'New User', area: 'settings', needs: 'admin' }),
  page('/users/pending', users, { title: 'Pending Invitations', area: 'settings', needs: 'list_users' }),
  page('/users/disabled', users, { title: 'Disabled Users', area: 'settings', needs: 'admin' }),
  page('/users/me', user, { title: 'Account', area: 'settings' }),
  page('/users/:userId', user, { title: 'User', area: 'settings' }),
  page('/settings/general', general, { title: 'General', area: 'settings', needs: 'admin' }),
  page('/groups', groups, { title: 'Groups', area: 'settings', needs: 'list_users' }),
  page('/groups/:groupId', group, { title: 'Group', area: 'settings', needs: 'list_users' }),
  page('/groups/:groupId/data_sources', group, { title: 'Group', area: 'settings', needs: 'admin' }),
  page('/data_sources', dataSources, { title: 'Data Sources', area: 'settings', needs: 'admin' }),
  page('/data_sources/new', dataSources, { title: 'New Data Source', area: 'settings' }),
  page('/data_sources/:dataSourceId', dataSource, { title: 'Data Source', area: 'settings', needs: 'admin' }),
  page('/queries', queries, { title: 'Queries', area: 'queries', needs: 'view_query' }),
  page('/queries/favorites', queries, { title: 'Favorite Queries', area: 'queries', needs: 'view_query' }),
  page('/queries/my', queries, { title: 'My Queries', area: 'queries', needs: 'create_query' }),
  page('/queries/archive', queries, { title: 'Archived Queries', area: 'queries', needs: 'view_query' }),
  page('/queries/from_devices', queries, { title: 'New Query', area: 'queries', needs: 'create_query' }),
  page('/queries/new', querySource, { shape: 'editor', title: 'New Query', area: 'queries' }),
  page('/queries/:queryId/source', querySource, { shape: 'editor', title: 'Query', area: 'queries' }),
  page('/queries/:queryId', query, { shape: 'answer', title: 'Query', area: 'queries', needs: 'view_query', canBeFullscreen: true }),
  page('/dashboards', dashboards, { title: 'Dashboards', area: 'dashboards', needs: 'list_dashboards' }),
  page('/dashboards/favorites', dashboards, { title: 'Favorite Dashboards', area: 'dashboards', needs: 'list_dashboards' }),
  page('/dashboards/my', dashboards, { title: 'My Dashboards', area: 'dashboards', needs: 'create_dashboard' }),
  page('/dashboards/new', dashboards, { title: 'New Dashboard', area: 'dashboards', needs: 'create_dashboard' }),
  page('/dashboards/:dashboardId', dashboard, { ...shownDashboard, area: 'dashboards', needs: 'list_dashboards' }),
  page('/dashboard/:dashboardSlug', legacyDashboard, { title: 'Dashboard', area: 'dashboards', needs: 'list_dashboards' }),
  page('/alerts', alerts, { title: 'Alerts', area: 'alerts', needs: 'list_alerts' }),
  page('/alerts/new', alert, { title: 'New Alert', area: 'alerts' }),
  page('/alerts/:alertId', alert, { title: 'Alert', area: 'alerts' }),
  page('/alerts/:alertId/edit', alert, { title: 'Alert', area: 'alerts' }),
  page('/destinations', destinations, { title: 'Alert Destinations', area: 'settings', needs: 'admin' }),
  page('/destinations/new', destinations, { title: 'New Alert Destination', area: 'settings', needs: 'admin' }),
  page('/destinations/:destinationId', destination, { title: 'Alert Destination', area: 'settings', needs: 'admin' }),
  page('/destination', destinations, { title: 'Alert Destinations', area: 'settings', needs: 'admin' }),
  page('/destination/new', destinations, { title: 'New Alert Destination', area: 'settings', needs: 'admin' }),
  page('/destination/:destinationId', destination, { title: 'Alert Destination', area: 'settings', needs: 'admin' }),
  page('/sql', querySource, { shape: 'editor', title: 'New Query', area: 'queries' }),
  page('/sql/:queryId/source', querySource, { shape: 'editor', title: 'Query', area: 'queries' }),
  page('/mqtt', channels, { title: 'Mqtt Channels', area: 'mqtt', needs: 'view_channel' }),
  page('/channels/new', channels, { title: 'New Channel', area: 'mqtt', needs: 'manage_channel' }),
  page('/devices/new', channels, { title: 'New Device', area: 'mqtt', needs: 'manage_channel' }),
  page('/mqtt/:channelId', channel, { shape: 'object', title: 'Channel', area: 'mqtt', needs: 'view_channel' }),
  page('/mqtt/:channelId/devices/:deviceId', device, { ...shownDevice, area: 'mqtt', needs: 'view_channel' }),
  page('/commands', commands, { title: 'Commands', area: 'commands', needs: 'view_channel' }),
  page('/commands/new', commands, { title: 'New Command', area: 'commands', needs: 'send_command' }),
  page('/commands/:commandId', command, { title: 'Command', area: 'commands', needs: 'view_channel' }),
  page('/console/channels', lorawanChannels, { title: 'LoRaWAN Channels', area: 'lorawan', needs: 'view_channel' }),
  page('/console/channels/:channelId', channel, { shape: 'object', title: 'Channel', area: 'lorawan', needs: 'view_channel' }),
  page('/console/channels/:channelId/devices/:deviceId', device, { ...shownDevice, area: 'lorawan', needs: 'view_channel' }),
  page('/networks', networks, { title: 'Networks', area: 'settings', needs: 'admin' }),
  page('/networks/new', networks, { title: 'New Network', area: 'settings', needs: 'admin' }),
  page('/networks/:networkId', network, { title: 'Network', area: 'settings', needs: 'admin' }),
  page('/query_snippets', querySnippets, { title: 'Query Snippets', area: 'settings', needs: 'create_query' }),
  page('/query_snippets/new', querySnippets, { title: 'New Query Snippet', area: 'settings', needs: 'create_query' }),
  page('/query_snippets/:querySnippetId', querySnippets, { title: 'Query Snippets', area: 'settings', needs: 'create_query' }),
  page('/admin/status', systemStatus, { title: 'System Status', area: 'admin', needs: 'super_admin' }),
  page('/admin/queries/jobs', jobs, { title: 'RQ Status', area: 'admin', needs: 'super_admin' }),
  page('/admin/audit', auditLog, { title: 'Audit Log', area: 'admin', needs: 'admin' }),
  page('/admin/access', access, { title: 'Access', area: 'admin', needs: 'admin' }),
  page('/admin/access/:userId', access, { title: 'Access', area: 'admin', needs: 'admin' }),
  page('/admin/move', move, { title: 'Export and Import', area: 'admin', needs: 'admin' }),
  page('/admin/queries/outdated', outdated, { title: 'Outdated Queries', area: 'admin', needs: 'super_admin' }),
];

const publicDashboard = () => import('./dashboards/public/PublicDashboardPage.tsx').then((m) => m.PublicDashboardPage);
const embed = () => import('./embed/EmbedPage.tsx').then((m) => m.EmbedPage);

/** Pages for key readers: no account, no navigation, and they may stand inside other sites (server/pages). */
export const sharedPages = [
  page('/embed/query/:queryId/visualization/:visualizationId', embed, { title: 'Query' }),
  page('/public/dashboards/:token', publicDashboard, { title: 'Dashboard', shape: 'dashboard' }),
];
