import { getSourceRow } from '../data-sources/data-sources.ts';
import { memberOf } from '../jobs/jobs.ts';
import type { ReaderCtx, UserCtx } from '../platform/context.ts';
import { AppError, forbidden, notFound } from '../platform/errors.ts';
import { isOutcomeOf } from '../platform/jobs/queue.ts';
import { may } from '../policy/policy.ts';
import { isOpen, joinedFacts } from '../queries/joined-results.ts';
import { getQuery, type QueryRow } from '../queries/queries.ts';
import { savedValues } from '../queries/query-text.ts';
import { valueFacts } from '../queries/shared-queries.ts';
import { isAnswerTo } from './execution.ts';
import { rateLimitGuest } from './rate-limits.ts';
import { findResult, listQueriesOfResult, type ResultRow } from './results.store.ts';

/** Finds a result by its id, for users. */
export async function getResult(ctx: UserCtx, id: number): Promise<ResultRow> {
  const row = await findResult(ctx.db, id);
  if (!row) throw notFound('Result');
  const source = await getSourceRow(ctx, row.data_source_id);
  const facts = { source, ...(await joinedFacts(ctx, row)), user_ids: row.user_ids, queries: [] };
  // Most users have full access: for them nothing more is looked up.
  if (may(ctx.user, 'view', 'result', facts)) return row;
  const [queries, isJoiner] = await Promise.all([listQueriesOfResult(ctx.db, row), isOutcomeOf(ctx.db, memberOf(ctx.user), row.id)]);
  const user_ids = isJoiner ? [...row.user_ids, ctx.user.id] : row.user_ids;
  if (!may(ctx.user, 'view', 'result', { ...facts, queries, user_ids })) throw forbidden();
  return row;
}

const noResult = () => new AppError(404, 'not_found', 'No cached result found for this query.');

/** The latest result of a query, or one by its id through the query, for users, keys and tokens. */
export async function getResultOfQuery(
  ctx: ReaderCtx,
  queryId: number,
  resultId: number | undefined,
  asked: Record<string, unknown> = {},
): Promise<{ row: ResultRow; query: QueryRow }> {
  await rateLimitGuest(ctx);
  const query = await getQuery(ctx, queryId);
  const id = resultId ?? query.latest_query_data_id;
  if (id === null) throw noResult();
  if (ctx.identity.kind === 'user') return { row: await getResult(ctx as UserCtx, id), query };
  const row = await findResult(ctx.db, id);
  if (!row || !(await isAnswerToHolder(ctx, query, row, asked))) throw noResult();
  if (!(await isOpen(ctx, row, query))) throw forbidden();
  return { row, query };
}

/** The holder of a key or token reads the query's shown result, results of their own runs and answers to the same request. */
async function isAnswerToHolder(ctx: ReaderCtx, query: QueryRow, row: ResultRow, asked: Record<string, unknown>): Promise<boolean> {
  const isLatest = row.id === query.latest_query_data_id;
  const isShown = isLatest && may(ctx.identity, 'choose_values', 'query', await valueFacts(ctx, query, savedValues(query.options)));
  const answers_holder =
    isShown || (await isOutcomeOf(ctx.db, memberOf(ctx.identity), row.id)) || (await isAnswerTo(ctx, query, row, asked));
  const source = await getSourceRow(ctx, row.data_source_id);
  return may(ctx.identity, 'view', 'result', {
    source,
    joined: [],
    channel_pks: row.channel_pks,
    user_ids: [],
    queries: [query],
    answers_holder,
  });
}
