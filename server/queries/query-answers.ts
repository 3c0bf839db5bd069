import { isSafe } from '@telltale/domain/parameters/safety.ts';
import type { Query } from '@telltale/domain/queries/contract.ts';
import { readSchedule } from '@telltale/domain/schedules/schedule.ts';
import { isFavorite } from '../favorites/favorites.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { findUsersById, getUserRow, userAnswer } from '../users/users.ts';
import { findColumnDisplay } from './device-queries.store.ts';
import { listVisualizations, type QueryRow } from './queries.store.ts';
import { ownKey } from './query-keys.ts';

/** The members that every reader gets. */
export const sharedAnswer = async (ctx: Ctx, row: QueryRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  latest_query_data_id: row.latest_query_data_id,
  options: row.options,
  tags: row.tags,
  is_archived: row.is_archived,
  is_draft: row.is_draft,
  is_safe: isSafe(row.query, row.options.parameters),
  version: row.version,
  ...(row.device_query && { column_display: await findColumnDisplay(ctx.db, row.device_query) }),
  visualizations: await listVisualizations(ctx.db, row.id),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** server-behaviour 7.1 for users; an allow-list, so that no other member gets into an answer. */
export async function queryAnswer(ctx: UserCtx, row: QueryRow): Promise<Query> {
  const people = await findUsersById(ctx, [row.user_id, row.last_modified_by_id ?? row.user_id]);
  const api_key = await ownKey(ctx, row);
  const { problem } = readSchedule(row.schedule);
  return {
    ...(await sharedAnswer(ctx, row)),
    query: row.query,
    query_hash: row.query_hash,
    ...(api_key === undefined ? {} : { api_key }),
    data_source_id: row.data_source_id,
    schedule: row.schedule,
    next_run_at: row.next_run_at,
    ...(problem ? { schedule_problem: problem } : {}),
    is_from_devices: row.device_query !== null,
    is_favorite: await isFavorite(ctx, 'Query', row.id),
    user: people.get(row.user_id) ?? userAnswer(ctx, await getUserRow(ctx, row.user_id)),
    last_modified_by: (row.last_modified_by_id !== null && people.get(row.last_modified_by_id)) || null,
  };
}
