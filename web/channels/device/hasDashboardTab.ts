import { hasPermission } from '@telltale/domain/access/permissions.ts';

/** D2: the Dashboard tab is for the user named admin; and, ours, for all administrators. */
export const hasDashboardTab = ({ name, permissions }: { name: string; permissions: readonly string[] }): boolean =>
  name === 'admin' || hasPermission(permissions, 'admin');
