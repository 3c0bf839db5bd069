import { type AccessType, accessTypes, type Grant, type Grants } from '@telltale/domain/access/grants.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { findUsersById } from '../users/users.ts';
import { deleteGrant, type GrantedObject, hasGrantRow, insertGrant, listGrantRows } from './grants.store.ts';

/**
 * server-behaviour 17: grants to users other than the author and administrators. Callers first check who owns the object and who may see or
 * share it.
 */
export const hasGrant = (ctx: UserCtx, object: GrantedObject, accessType: string): Promise<boolean> =>
  hasGrantRow(ctx.db, object, accessType, ctx.user.id);

export async function listGrants(ctx: UserCtx, object: GrantedObject): Promise<Grants> {
  const grants = await listGrantRows(ctx.db, object);
  const users = await findUsersById(
    ctx,
    grants.map(({ grantee }) => grantee),
  );
  const byType = accessTypes.map((type) => {
    const granted = grants.filter(({ access_type }) => access_type === type);
    return [type, granted.flatMap(({ grantee }) => users.get(grantee) ?? [])] as const;
  });
  return Object.fromEntries(byType.filter(([, people]) => people.length > 0));
}

interface GrantChange {
  access_type: AccessType;
  user_id: number;
}

export async function grantAccess(ctx: UserCtx, object: GrantedObject, { access_type, user_id }: GrantChange): Promise<Grant> {
  const user = (await findUsersById(ctx, [user_id])).get(user_id);
  if (!user || user.is_disabled) throw invalid('User not found.');
  const grant = await insertGrant(ctx.db, object, { access_type, grantor: ctx.user.id, grantee: user_id });
  await recordEvent(ctx, 'grant_permission', object.type, object.id, { access_type, grantee: user_id });
  return grant;
}

export async function revokeAccess(ctx: UserCtx, object: GrantedObject, { access_type, user_id }: GrantChange): Promise<null> {
  await deleteGrant(ctx.db, object, access_type, user_id);
  await recordEvent(ctx, 'revoke_permission', object.type, object.id, { access_type, grantee: user_id });
  return null;
}
