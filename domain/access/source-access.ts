import type { Identity } from './identity.ts';
import { hasPermission } from './permissions.ts';

export type SourceAccess = 'none' | 'view' | 'full';
export interface SourceGroup {
  group_id: number;
  view_only: boolean;
}

/**
 * server-behaviour 4.2 and 27.5: administrators may do everything; other users get the best access of the groups they share with the
 * source, and only a group that is not view-only gives full access.
 */
export function sourceAccess(groups: readonly SourceGroup[], who: Identity): SourceAccess {
  if (hasPermission(who.permissions, 'admin')) return 'full';
  if (who.kind !== 'user') return 'none';
  const shared = groups.filter(({ group_id }) => who.group_ids.includes(group_id));
  if (shared.length === 0) return 'none';
  return shared.every(({ view_only }) => view_only) ? 'view' : 'full';
}
