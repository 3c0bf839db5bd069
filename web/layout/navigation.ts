import type { Permission } from '@telltale/domain/access/permissions.ts';
import { useCan } from '../api/session.ts';
import { usePages } from './Pages.tsx';
import type { Area, PageRoute } from './pageRoute.ts';

export interface NavEntry {
  title: string;
  /** The path of a page; the entry is hidden while no such page is registered. */
  path: string;
  needs?: Permission;
  area?: Area;
  /** Other addresses of the same page. */
  alsoAt?: readonly string[];
}

/** Q2: the top bar. */
export const topEntries: readonly NavEntry[] = [
  { title: 'LoRaWAN', path: '/console/channels', area: 'lorawan' },
  { title: 'Dashboards', path: '/dashboards', area: 'dashboards', needs: 'list_dashboards' },
  { title: 'Queries', path: '/queries', area: 'queries', needs: 'view_query' },
  { title: 'Alerts', path: '/alerts', area: 'alerts', needs: 'list_alerts' },
  { title: 'Commands', path: '/commands', area: 'commands' },
  { title: 'Mqtt', path: '/mqtt', area: 'mqtt', needs: 'view_channel' },
];

/** Screens 1.3 */
export const createEntries: readonly NavEntry[] = [
  { title: 'New Query', path: '/queries/new', needs: 'create_query' },
  { title: 'From device data…', path: '/queries/from_devices', needs: 'create_query' },
  { title: 'New Dashboard', path: '/dashboards/new', needs: 'create_dashboard' },
  { title: 'New Alert', path: '/alerts/new', needs: 'list_alerts' },
  { title: 'New Command', path: '/commands/new', needs: 'send_command' },
  { title: 'New Channel', path: '/channels/new', needs: 'manage_channel' },
  { title: 'New Device', path: '/devices/new', needs: 'manage_channel' },
];

/** Screens 12, in this order. */
export const settingsEntries: readonly NavEntry[] = [
  { title: 'Data Sources', path: '/data_sources', needs: 'admin' },
  { title: 'Users', path: '/users', needs: 'list_users' },
  { title: 'Groups', path: '/groups', needs: 'list_users' },
  { title: 'Alert Destinations', path: '/destinations', alsoAt: ['/destination'], needs: 'admin' },
  { title: 'Networks', path: '/networks', needs: 'admin' },
  { title: 'Query Snippets', path: '/query_snippets', needs: 'create_query' },
  { title: 'General', path: '/settings/general', needs: 'admin' },
  { title: 'Account', path: '/users/me' },
];

export const systemStatusEntry: NavEntry = { title: 'System Status', path: '/admin/status', needs: 'super_admin', area: 'admin' };

/** Q2 and screens 13: the admin tabs; ours at the end. */
export const adminEntries: readonly NavEntry[] = [
  systemStatusEntry,
  { title: 'RQ Status', path: '/admin/queries/jobs', needs: 'super_admin', area: 'admin' },
  { title: 'Outdated Queries', path: '/admin/queries/outdated', needs: 'super_admin', area: 'admin' },
  { title: 'Audit Log', path: '/admin/audit', needs: 'admin', area: 'admin' },
  { title: 'Access', path: '/admin/access', needs: 'admin', area: 'admin' },
  { title: 'Export and Import', path: '/admin/move', needs: 'admin', area: 'admin' },
];

/** Avoids dead links: returns only entries whose page exists and which this user may open. */
export function offeredEntries<E extends { path: string; needs?: Permission }>(
  entries: readonly E[],
  pages: readonly PageRoute[],
  can: (permission: Permission) => boolean,
): E[] {
  return entries.filter(({ path, needs }) => pages.some((page) => page.path === path) && (!needs || can(needs)));
}

export function useOffered<E extends { path: string; needs?: Permission }>(entries: readonly E[]): E[] {
  return offeredEntries(entries, usePages(), useCan());
}

/** Screens 12: active by path prefix, but the own account does not count as one of the users. */
export function activeSettingsPath(entries: readonly NavEntry[], pathname: string): string | undefined {
  const isAt = (path: string) => pathname === path || pathname.startsWith(`${path}/`);
  const matching = entries.filter(({ path, alsoAt = [] }) => [path, ...alsoAt].some(isAt));
  return matching.sort((a, b) => b.path.length - a.path.length)[0]?.path;
}
