import type { aclApi, GrantedType } from '@telltale/domain/access/grants.ts';
import type { UserCtx } from '../platform/context.ts';
import type { Http } from '../platform/http/http.ts';
import { grantAccess, hasGrant, listGrants, revokeAccess } from './grants.ts';

type Finder = (ctx: UserCtx, id: number) => Promise<{ id: number }>;

/** Binds the four grant routes of one object type: users who see the object list its grants, its owner changes them. */
export function bindGrants(
  http: Http,
  api: ReturnType<typeof aclApi>,
  type: GrantedType,
  { seen, owned }: { seen: Finder; owned: Finder },
): void {
  const object = async (find: Finder, ctx: UserCtx, id: number) => ({ type, id: (await find(ctx, id)).id });
  http.on(api.list, async (ctx, { params }) => listGrants(ctx, await object(seen, ctx, params.id)));
  http.on(api.check, async (ctx, { params }) => ({ response: await hasGrant(ctx, await object(seen, ctx, params.id), params.accessType) }));
  http.on(api.grant, async (ctx, { params, body }) => grantAccess(ctx, await object(owned, ctx, params.id), body));
  http.on(api.revoke, async (ctx, { params, body }) => revokeAccess(ctx, await object(owned, ctx, params.id), body));
}
