import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import type { NewSnippet, QuerySnippet, SnippetChanges } from '@telltale/domain/query-snippets/contract.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { invalid, notFound, notYours } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { may } from '../policy/policy.ts';
import { findUsersById, getUserRow, userAnswer } from '../users/users.ts';
import { deleteSnippet, findSnippet, insertSnippet, listSnippetRows, type SnippetRow, updateSnippet } from './query-snippets.store.ts';

async function answers(ctx: UserCtx, rows: SnippetRow[]): Promise<QuerySnippet[]> {
  const people = await findUsersById(
    ctx,
    rows.map(({ user_id }) => user_id),
  );
  return Promise.all(
    rows.map(async ({ user_id, ...row }) => ({ ...row, user: people.get(user_id) ?? userAnswer(ctx, await getUserRow(ctx, user_id)) })),
  );
}

async function getRow(ctx: UserCtx, id: number): Promise<SnippetRow> {
  const row = await findSnippet(ctx.db, id);
  if (!row) throw notFound('Query snippet');
  return row;
}

/** server-behaviour 12.2: all users see all snippets. */
export async function listSnippets(ctx: UserCtx, params: ArrayListParams) {
  return arrayOrPage(
    await answers(ctx, await listSnippetRows(ctx.db)),
    params,
    (one) => `${one.trigger} ${one.description} ${one.snippet}`,
  );
}

export async function getSnippet(ctx: UserCtx, id: number): Promise<QuerySnippet> {
  const [snippet] = await answers(ctx, [await getRow(ctx, id)]);
  return snippet as QuerySnippet;
}

const taken = () => invalid('Snippet trigger already exists.');

export async function createSnippet(ctx: UserCtx, given: NewSnippet): Promise<QuerySnippet> {
  const row = await insertSnippet(ctx.db, { ...given, org_id: ctx.user.org_id, user_id: ctx.user.id });
  if (!row) throw taken();
  await recordEvent(ctx, 'create', 'query_snippet', row.id);
  return getSnippet(ctx, row.id);
}

/** Q6: only its author and administrators may change a snippet. */
async function getOwnRow(ctx: UserCtx, id: number): Promise<SnippetRow> {
  const row = await getRow(ctx, id);
  if (!may(ctx.user, 'edit', 'snippet', row)) throw notYours();
  return row;
}

export async function saveSnippet(ctx: UserCtx, id: number, changes: SnippetChanges): Promise<QuerySnippet> {
  const before = await getOwnRow(ctx, id);
  try {
    await updateSnippet(ctx.db, id, { ...before, ...changes });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505') throw taken();
    throw error;
  }
  await recordEvent(ctx, 'edit', 'query_snippet', id);
  return getSnippet(ctx, id);
}

export async function removeSnippet(ctx: UserCtx, id: number): Promise<null> {
  await getOwnRow(ctx, id);
  await deleteSnippet(ctx.db, id);
  await recordEvent(ctx, 'delete', 'query_snippet', id);
  return null;
}
