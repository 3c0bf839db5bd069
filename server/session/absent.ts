import type { Person } from '@telltale/domain/access/identity.ts';
import type { Ctx } from '../platform/context.ts';
import { findPersonById } from './sessions.store.ts';

/** Somebody who is not here just now, with what they may do now: for work that goes on in their name. */
export async function findAbsentPerson(ctx: Pick<Ctx, 'db'>, id: number): Promise<Person | undefined> {
  const person = await findPersonById(ctx.db, id);
  return person && { kind: 'user', ...person, via: 'key', session_id: null };
}
