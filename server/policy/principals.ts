import type { Identity, Person } from '@telltale/domain/access/identity.ts';

/** A query that runs by schedule, in the name of the users responsible for it. */
interface Schedule {
  kind: 'schedule';
  object_id: number;
  acts_for: readonly Person[];
}

/** Several users together: an action in their name must be allowed to each of them. */
interface Together {
  kind: 'together';
  acts_for: readonly Person[];
}

/**
 * The acting party: a user, the key of a query, the token of a dashboard (which is what a public reader holds), a schedule, several users
 * together, or nobody. Everything but a user acts in the name of users and never has more rights than they.
 */
export type Principal = Identity | Schedule | Together;

export const together = (people: readonly Person[]): Principal => ({ kind: 'together', acts_for: people });

export const scheduleOf = (queryId: number, people: readonly Person[]): Principal => ({
  kind: 'schedule',
  object_id: queryId,
  acts_for: people,
});
