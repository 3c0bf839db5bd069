import type { Permission } from '@telltale/domain/access/permissions.ts';
import type { CountedObject, ObjectCounters } from '@telltale/domain/organization/contract.ts';

interface Step {
  counter: CountedObject;
  text: string;
  path: string;
  needs: Permission;
  /** The text for users who lack the permission. */
  otherwise?: string;
  /** The initial number of objects. */
  given?: number;
}

export interface OfferedStep {
  text: string;
  /** Undefined where this user cannot do it themselves. */
  path?: string;
  isDone: boolean;
}

/** Q2 and screens 3. */
const steps: readonly Step[] = [
  {
    counter: 'data_sources',
    text: 'Connect a Data Source',
    path: '/data_sources/new',
    needs: 'admin',
    otherwise: 'Ask an account admin to connect a data source',
  },
  { counter: 'queries', text: 'Create your first Query', path: '/queries/new', needs: 'create_query' },
  { counter: 'alerts', text: 'Create your first Alert', path: '/alerts/new', needs: 'list_alerts' },
  { counter: 'dashboards', text: 'Create your first Dashboard', path: '/dashboards/new', needs: 'create_dashboard' },
  { counter: 'users', text: 'Invite your team members', path: '/users/new', needs: 'admin', given: 1 },
];

/** The steps that this user can take; steps without a page are not offered. */
export function offeredSteps(
  counters: ObjectCounters,
  hasPage: (path: string) => boolean,
  can: (permission: Permission) => boolean,
): OfferedStep[] {
  return steps
    .filter(({ path, needs, otherwise }) => hasPage(path) && (can(needs) || otherwise))
    .map(({ counter, text, path, needs, otherwise, given = 0 }) => {
      const isDone = counters[counter] > given;
      return can(needs) ? { text, path, isDone } : { text: otherwise ?? text, isDone };
    });
}
