import { dashboardIdOf } from '@telltale/domain/dashboards/address.ts';
import { type PageOptions, page } from './layout/pageRoute.ts';

const home = () => import('./home/HomePage.tsx').then((m) => m.HomePage);
const logout = () => import('./account/LogoutPage.tsx').then((m) => m.LogoutPage);
const users = () => import('./users/UsersPage.tsx').then((m) => m.UsersPage);
const user = () => import('./users/UserPage.tsx').then((m) => m.UserPage);
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
const querySnippets = () => import('./queries/snippets/SnippetsPage.tsx').then((m) => m.SnippetsPage);

const shownDashboard = {
  title: 'Dashboard',
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
  page('/users/disabled', users, { title: 'Disabled Users', area: 'settings', needs: 'list_users' }),
  page('/users/me', user, { title: 'Account', area: 'settings' }),
  page('/users/:userId', user, { title: 'User', area: 'settings' }),
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
  page('/queries/new', querySource, { title: 'New Query', area: 'queries' }),
  page('/queries/:queryId/source', querySource, { title: 'Query', area: 'queries' }),
  page('/queries/:queryId', query, { title: 'Query', area: 'queries', needs: 'view_query', canBeFullscreen: true }),
  page('/dashboards', dashboards, { title: 'Dashboards', area: 'dashboards', needs: 'list_dashboards' }),
  page('/dashboards/favorites', dashboards, { title: 'Favorite Dashboards', area: 'dashboards', needs: 'list_dashboards' }),
  page('/dashboards/my', dashboards, { title: 'My Dashboards', area: 'dashboards', needs: 'create_dashboard' }),
  page('/dashboards/new', dashboards, { title: 'New Dashboard', area: 'dashboards', needs: 'create_dashboard' }),
  page('/dashboards/:dashboardId', dashboard, { ...shownDashboard, area: 'dashboards', needs: 'list_dashboards' }),
  page('/dashboard/:dashboardSlug', legacyDashboard, { title: 'Dashboard', area: 'dashboards', needs: 'list_dashboards' }),
  page('/sql', querySource, { title: 'New Query', area: 'queries' }),
  page('/sql/:queryId/source', querySource, { title: 'Query', area: 'queries' }),
  page('/mqtt', channels, { title: 'Mqtt Channels', area: 'mqtt', needs: 'view_channel' }),
  page('/mqtt/:channelId', channel, { title: 'Channel', area: 'mqtt', needs: 'view_channel' }),
  page('/mqtt/:channelId/devices/:deviceId', device, { title: 'Device', area: 'mqtt', needs: 'view_channel' }),
  page('/query_snippets', querySnippets, { title: 'Query Snippets', area: 'settings', needs: 'create_query' }),
  page('/query_snippets/new', querySnippets, { title: 'New Query Snippet', area: 'settings', needs: 'create_query' }),
  page('/query_snippets/:querySnippetId', querySnippets, { title: 'Query Snippets', area: 'settings', needs: 'create_query' }),
];

const publicDashboard = () => import('./dashboards/public/PublicDashboardPage.tsx').then((m) => m.PublicDashboardPage);
const embed = () => import('./embed/EmbedPage.tsx').then((m) => m.EmbedPage);

/** Pages for readers by key: no account, no navigation, and they may stand inside other sites (server/pages). */
export const sharedPages = [
  page('/embed/query/:queryId/visualization/:visualizationId', embed, { title: 'Query' }),
  page('/public/dashboards/:token', publicDashboard, { title: 'Dashboard' }),
];
