import type { FavoriteType } from '@telltale/domain/favorites/contract.ts';
import { sql } from 'kysely';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';

/** server-behaviour 17: stars are one's own, and giving one twice is giving it once. Who may see the object is asked before. */
export async function addFavorite(ctx: UserCtx, type: FavoriteType, id: number): Promise<null> {
  await sql`
    insert into favorites (org_id, object_type, object_id, user_id) values (${ctx.user.org_id}, ${type}, ${id}, ${ctx.user.id})
    on conflict do nothing`.execute(ctx.db);
  await recordEvent(ctx, 'favorite', type.toLowerCase(), id);
  return null;
}

export async function removeFavorite(ctx: UserCtx, type: FavoriteType, id: number): Promise<null> {
  await sql`delete from favorites where object_type = ${type} and object_id = ${id} and user_id = ${ctx.user.id}`.execute(ctx.db);
  await recordEvent(ctx, 'unfavorite', type.toLowerCase(), id);
  return null;
}

export async function isFavorite(ctx: UserCtx, type: FavoriteType, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from favorites where object_type = ${type} and object_id = ${id} and user_id = ${ctx.user.id}`.execute(ctx.db);
  return rows.length > 0;
}
