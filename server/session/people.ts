import type { Person } from '@telltale/domain/access/identity.ts';
import type { Ctx } from '../platform/context.ts';
import { listPersonsById } from './sessions.store.ts';

export { listChannelsOf } from './sessions.store.ts';

/**
 * Users who are not signed in, each with their current rights, in the given order: for actions in their name. Empty when one of them has no
 * account any more, because then not all of them can be checked.
 */
export async function findPeople(ctx: Pick<Ctx, 'db'>, ids: readonly number[]): Promise<Person[]> {
  if (ids.length === 0) return [];
  const rows = await listPersonsById(ctx.db, ids);
  const people = ids.flatMap((id): Person[] => {
    const row = rows.find((person) => person.id === id);
    return row ? [{ kind: 'user', ...row, via: 'key', session_id: null }] : [];
  });
  return people.length === ids.length ? people : [];
}
