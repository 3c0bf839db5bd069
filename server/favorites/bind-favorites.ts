import type { FavoriteType, favoriteApi } from '@telltale/domain/favorites/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import type { Http } from '../platform/http/http.ts';
import { addFavorite, removeFavorite } from './favorites.ts';

/** Binds the two routes of a kind of object that can be starred; `seen` returns the object when the caller may see it. */
export function bindFavorites(
  http: Http,
  api: ReturnType<typeof favoriteApi>,
  type: FavoriteType,
  seen: (ctx: UserCtx, id: number) => Promise<{ id: number }>,
): void {
  http.on(api.add, async (ctx, { params }) => addFavorite(ctx, type, (await seen(ctx, params.id)).id));
  http.on(api.remove, async (ctx, { params }) => removeFavorite(ctx, type, (await seen(ctx, params.id)).id));
}
