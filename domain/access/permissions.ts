import { z } from 'zod';

/** Q6, A6 and server-behaviour 4.1, with ours at the end. */
export const permissions = [
  'admin',
  'super_admin',
  'create_dashboard',
  'create_query',
  'edit_dashboard',
  'edit_query',
  'view_query',
  'view_source',
  'execute_query',
  'list_users',
  'schedule_query',
  'list_dashboards',
  'list_alerts',
  'list_data_sources',
  'view_channel',
  'manage_channel',
  'send_command',
] as const;

export const Permission = z.enum(permissions);
export type Permission = z.infer<typeof Permission>;

/** The permissions of the built-in group `default` and of every new group. */
export const defaultPermissions: readonly Permission[] = permissions.filter((p) => p !== 'admin' && p !== 'super_admin');

/** An administrator holds every ordinary permission, so that being in `admin` alone is enough (4.2, decided once). */
export function hasPermission(held: readonly string[], needed: Permission): boolean {
  if (held.includes(needed)) return true;
  return needed !== 'super_admin' && held.includes('admin');
}

export function hasAnyPermission(held: readonly string[], needed: readonly Permission[]): boolean {
  return needed.some((permission) => hasPermission(held, permission));
}

/** Q6: an item may be edited by its owner and by administrators. */
export function isOwnerOrAdmin(user: { id: number; permissions: readonly string[] }, ownerId: number | null): boolean {
  return user.id === ownerId || hasPermission(user.permissions, 'admin');
}
