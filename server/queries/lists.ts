import { hasPermission } from '@telltale/domain/access/permissions.ts';
import type { Page } from '@telltale/domain/lists/contract.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import type { ListedQuery, QueryListParams, RecentQuery } from '@telltale/domain/queries/contract.ts';
import type { TagsReply } from '@telltale/domain/tags/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import { reachableSourceIds } from '../data-sources/data-sources.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { UserCtx } from '../platform/context.ts';
import { countTags } from '../tags/tags.ts';
import { findUsersById, getUserRow, userAnswer } from '../users/users.ts';
import { countQueryRows, type ListedRow, listOutdatedRows, listQueryRows, listRecentRows } from './lists.store.ts';

/**
 * server-behaviour 7.2: queries on the sources somebody can reach, drafts of everybody included, and their own that have
 * lost their source; for administrators all (4.2, decided once). The same rule as for a single query.
 */
async function visible(ctx: UserCtx): Promise<RawBuilder<unknown>> {
  if (hasPermission(ctx.user.permissions, 'admin')) return sql`true`;
  const ids = await reachableSourceIds(ctx);
  return sql`(queries.data_source_id = any(${ids}::int[]) or (queries.data_source_id is null and queries.user_id = ${ctx.user.id}))`;
}

const live = async (ctx: UserCtx): Promise<RawBuilder<unknown>> => sql`not is_archived and ${await visible(ctx)}`;

async function list(ctx: UserCtx, params: QueryListParams, where: RawBuilder<unknown>): Promise<Page<ListedQuery>> {
  const { multi_byte_search_enabled: isMultiByte } = params.q ? await getSettings(ctx) : { multi_byte_search_enabled: false };
  const page = await listQueryRows(ctx.db, params, { userId: ctx.user.id, where, isMultiByte });
  return { ...page, results: await listedAnswers(ctx, page.results) };
}

export const listQueries = async (ctx: UserCtx, params: QueryListParams) => list(ctx, params, await live(ctx));

export const listMyQueries = async (ctx: UserCtx, params: QueryListParams) =>
  list(ctx, params, sql`${await live(ctx)} and queries.user_id = ${ctx.user.id}`);

/** server-behaviour 7.4: published ones of anybody and one's own drafts; administrators may have to find any. */
export async function listArchivedQueries(ctx: UserCtx, params: QueryListParams) {
  const isAdmin = hasPermission(ctx.user.permissions, 'admin');
  return list(ctx, params, sql`is_archived and ${await visible(ctx)} and (not is_draft or queries.user_id = ${ctx.user.id} or ${isAdmin})`);
}

export const listFavoriteQueries = async (ctx: UserCtx, params: QueryListParams) =>
  list(ctx, params, sql`${await live(ctx)} and star.user_id is not null`);

export async function listRecentQueries(ctx: UserCtx): Promise<RecentQuery[]> {
  const where = sql`${await live(ctx)} and queries.user_id = ${ctx.user.id}`;
  return (await listRecentRows(ctx.db, { userId: ctx.user.id, where })).map((row) => {
    const { query = '', query_hash = '', options = { parameters: [] }, starred_at, retrieved_at: _, runtime: __, ...rest } = row;
    return { ...rest, query, query_hash, options, is_safe: isSafe(query, options.parameters), is_favorite: starred_at !== null };
  });
}

export const listQueryTags = async (ctx: UserCtx): Promise<TagsReply> => countTags(ctx, sql`queries`, await live(ctx));

export const countQueries = async (ctx: UserCtx): Promise<number> => countQueryRows(ctx.db, await live(ctx));

/** server-behaviour 23.3, as it is now: due, or waiting for the end of a run. */
export const listOutdatedQueries = async (ctx: UserCtx): Promise<ListedQuery[]> =>
  listedAnswers(ctx, await listOutdatedRows(ctx.db, ctx.user.id));

/** design 8: no key in a list. The people of a page are looked up once (W38). */
async function listedAnswers(ctx: UserCtx, rows: ListedRow[]): Promise<ListedQuery[]> {
  const people = await findUsersById(
    ctx,
    rows.map(({ user_id }) => user_id),
  );
  return Promise.all(
    rows.map(async ({ user_id, starred_at, query, query_hash, options, ...row }) => ({
      ...row,
      ...(query !== undefined && options ? { query, query_hash, options, is_safe: isSafe(query, options.parameters) } : {}),
      user: people.get(user_id) ?? userAnswer(await getUserRow(ctx, user_id)),
      is_favorite: starred_at !== null,
      ...(starred_at ? { starred_at } : {}),
    })),
  );
}
