import type { Page } from '@telltale/domain/lists/contract.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import type { ListedQuery, QueryListParams, RecentQuery } from '@telltale/domain/queries/contract.ts';
import type { TagsReply } from '@telltale/domain/tags/contract.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { UserCtx } from '../platform/context.ts';
import { findUsersById, getUserRow, userAnswer } from '../users/users.ts';
import {
  countQueryRows,
  countQueryTags,
  type ListedRow,
  listOutdatedRows,
  listQueryRows,
  listRecentRows,
  type QueryChoice,
} from './lists.store.ts';

async function list(ctx: UserCtx, params: QueryListParams, choice: QueryChoice): Promise<Page<ListedQuery>> {
  const { multi_byte_search_enabled: isMultiByte } = params.q ? await getSettings(ctx) : { multi_byte_search_enabled: false };
  const page = await listQueryRows(ctx.db, params, { user: ctx.user, choice, isMultiByte });
  return { ...page, results: await listedAnswers(ctx, page.results) };
}

export const listQueries = async (ctx: UserCtx, params: QueryListParams) => list(ctx, params, 'all');

export const listMyQueries = async (ctx: UserCtx, params: QueryListParams) => list(ctx, params, 'own');

/** server-behaviour 7.4: all published ones and own drafts; administrators may have to find any. */
export async function listArchivedQueries(ctx: UserCtx, params: QueryListParams) {
  return list(ctx, params, 'archived');
}

export const listFavoriteQueries = async (ctx: UserCtx, params: QueryListParams) => list(ctx, params, 'favorite');

export async function listRecentQueries(ctx: UserCtx): Promise<RecentQuery[]> {
  return (await listRecentRows(ctx.db, ctx.user)).map((row) => {
    const { query = '', query_hash = '', options = { parameters: [] }, starred_at, retrieved_at: _, runtime: __, ...rest } = row;
    return { ...rest, query, query_hash, options, is_safe: isSafe(query, options.parameters), is_favorite: starred_at !== null };
  });
}

export const listQueryTags = async (ctx: UserCtx): Promise<TagsReply> => ({ tags: await countQueryTags(ctx.db, ctx.user) });

export const countQueries = async (ctx: UserCtx): Promise<number> => countQueryRows(ctx.db, ctx.user);

/** server-behaviour 23.3, as it is now: queries that are due, or wait for the end of a run. */
export const listOutdatedQueries = async (ctx: UserCtx): Promise<ListedQuery[]> =>
  listedAnswers(ctx, await listOutdatedRows(ctx.db, ctx.user.id));

/** design 8: lists contain no key. The users of a page are looked up once (W38). */
async function listedAnswers(ctx: UserCtx, rows: ListedRow[]): Promise<ListedQuery[]> {
  const people = await findUsersById(
    ctx,
    rows.flatMap(({ user_id, last_modified_by_id }) => [user_id, last_modified_by_id ?? user_id]),
  );
  return Promise.all(
    rows.map(async ({ user_id, starred_at, query, query_hash, options, ...row }) => ({
      ...row,
      ...(query !== undefined && options ? { query, query_hash, options, is_safe: isSafe(query, options.parameters) } : {}),
      user: people.get(user_id) ?? userAnswer(ctx, await getUserRow(ctx, user_id)),
      last_modified_by: (row.last_modified_by_id !== null && people.get(row.last_modified_by_id)) || null,
      is_favorite: starred_at !== null,
      ...(starred_at ? { starred_at } : {}),
    })),
  );
}
