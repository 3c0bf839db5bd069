import type { FavoriteType } from '@telltale/domain/favorites/contract.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { deleteStar, hasStar, insertStar } from './favorites.store.ts';

/** server-behaviour 17: each user has their own stars, and starring twice has no effect. Callers check access to the object first. */
export async function addFavorite(ctx: UserCtx, type: FavoriteType, id: number): Promise<null> {
  await insertStar(ctx.db, ctx.user.org_id, { user_id: ctx.user.id, type, id });
  await recordEvent(ctx, 'favorite', type.toLowerCase(), id);
  return null;
}

export async function removeFavorite(ctx: UserCtx, type: FavoriteType, id: number): Promise<null> {
  await deleteStar(ctx.db, { user_id: ctx.user.id, type, id });
  await recordEvent(ctx, 'unfavorite', type.toLowerCase(), id);
  return null;
}

export const isFavorite = (ctx: UserCtx, type: FavoriteType, id: number): Promise<boolean> =>
  hasStar(ctx.db, { user_id: ctx.user.id, type, id });
