import { hasPermission, isOwnerOrAdmin } from '@telltale/domain/access/permissions.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import type { NewQuery, Query, QueryChanges } from '@telltale/domain/queries/contract.ts';
import { accessTo, getDataSource, getSourceForJob, reachableSourceIds } from '../data-sources/data-sources.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, ReaderCtx, UserCtx } from '../platform/context.ts';
import { conflict, forbidden, notFound, notYours } from '../platform/errors.ts';
import { randomKey } from '../platform/secrets.ts';
import { getUserRow, userAnswer } from '../users/users.ts';
import {
  countQueries as countRows,
  findQuery,
  insertQuery,
  insertVisualization,
  listVisualizations,
  type QueryFields,
  type QueryRow,
  updateQuery,
} from './queries.store.ts';
import { savedHash } from './query-text.ts';

export type { QueryRow } from './queries.store.ts';
export { linkResult } from './queries.store.ts';

/** Without asking who wants to know: for what a query that may be read refers to. */
export const findQueryRow = (ctx: Ctx, id: number): Promise<QueryRow | undefined> => findQuery(ctx.db, id);

/** The query for whoever may view its source, or holds its key. Drafts are no secret (server-behaviour 7.11). */
export async function getQuery(ctx: Ctx, id: number): Promise<QueryRow> {
  const query = await findQuery(ctx.db, id);
  if (!query) throw notFound('Query');
  if (!(await mayView(ctx, query))) throw forbidden();
  return query;
}

async function mayView(ctx: Ctx, query: QueryRow): Promise<boolean> {
  const { identity } = ctx;
  if (identity.kind === 'query_key') return identity.object_id === query.id;
  if (hasPermission(identity.permissions, 'admin')) return true;
  if (query.data_source_id === null) return identity.kind === 'user' && identity.id === query.user_id;
  return accessTo(await getSourceForJob(ctx, query.data_source_id), identity) !== 'none';
}

export async function countQueries(ctx: UserCtx): Promise<number> {
  return countRows(ctx.db, await reachableSourceIds(ctx));
}

const canEdit = (ctx: UserCtx, query: QueryRow) => isOwnerOrAdmin(ctx.user, query.user_id);

const shared = async (ctx: Ctx, row: QueryRow) => ({
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
  visualizations: await listVisualizations(ctx.db, row.id),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

async function answer(ctx: UserCtx, row: QueryRow): Promise<Query> {
  const modifier = row.last_modified_by_id === null ? null : await getUserRow(ctx, row.last_modified_by_id);
  return {
    ...(await shared(ctx, row)),
    query: row.query,
    query_hash: row.query_hash,
    api_key: ctx.secrets.open(row.api_key_sealed),
    data_source_id: row.data_source_id,
    schedule: row.schedule,
    user: userAnswer(await getUserRow(ctx, row.user_id)),
    last_modified_by: modifier && userAnswer(modifier),
  };
}

/** A reader by key never receives the text, other keys or e-mail addresses (design 8). */
export async function readQuery(ctx: ReaderCtx, id: number) {
  const row = await getQuery(ctx, id);
  if (ctx.identity.kind !== 'user') return { ...(await shared(ctx, row)), can_edit: false };
  const asUser = ctx as UserCtx;
  return { ...(await answer(asUser, row)), can_edit: canEdit(asUser, row) };
}

/** Full access is asked for the source that it will run on, at every save that sets it (security 21). */
async function requireFullAccess(ctx: UserCtx, dataSourceId: number): Promise<void> {
  const source = await getDataSource(ctx, dataSourceId);
  if (accessTo(source, ctx.user) !== 'full') throw forbidden("You don't have permission to create queries on this data source.");
}

export async function createQuery(ctx: UserCtx, given: NewQuery): Promise<Query> {
  await requireFullAccess(ctx, given.data_source_id);
  return ctx.transaction(async (tx) => {
    const key = randomKey();
    const fields: QueryFields = {
      name: given.name,
      description: given.description ?? null,
      query: given.query,
      data_source_id: given.data_source_id,
      schedule: given.schedule ?? null,
      options: given.options ?? { parameters: [] },
      tags: given.tags ?? [],
      is_draft: true,
      query_hash: await savedHash(tx, given),
    };
    const id = await insertQuery(tx.db, {
      ...fields,
      org_id: tx.user.org_id,
      user_id: tx.user.id,
      api_key_hash: tx.secrets.hash('api key', key),
      api_key_sealed: tx.secrets.seal(key),
    });
    await insertVisualization(tx.db, id, 'TABLE', 'Table');
    await recordEvent(tx, 'create', 'query', id);
    return answer(tx, await getQuery(tx, id));
  });
}

/** Only sent keys change; without a version the caller means to overwrite (Q8). */
export async function saveQuery(ctx: UserCtx, id: number, { version, ...changes }: QueryChanges): Promise<Query> {
  const before = await getQuery(ctx, id);
  if (!canEdit(ctx, before)) throw notYours();
  if (changes.data_source_id !== undefined) await requireFullAccess(ctx, changes.data_source_id);
  return ctx.transaction(async (tx) => {
    const next = { ...before, ...changes };
    const isSaved = await updateQuery(tx.db, id, { ...next, query_hash: await savedHash(tx, next) }, tx.user.id, version);
    if (!isSaved) throw conflict('The query has been modified by another user.');
    await recordEvent(tx, 'edit', 'query', id);
    return answer(tx, await getQuery(tx, id));
  });
}
