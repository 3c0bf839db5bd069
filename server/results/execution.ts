import { Id } from '@telltale/domain/endpoint.ts';
import { savedValueOf } from '@telltale/domain/parameters/contract.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import { isSameValue } from '@telltale/domain/parameters/same-value.ts';
import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { type AdHocRun, SavedRun } from '@telltale/domain/results/contract.ts';
import { accessTo, type DataSourceRow, findSourceRow, getSourceRow, mayRunAnything } from '../data-sources/data-sources.ts';
import type { Ctx, ReaderCtx, UserCtx } from '../platform/context.ts';
import { AppError, invalid } from '../platform/errors.ts';
import { joinsOthers, notShared, resultsType } from '../queries/joined-results.ts';
import { getQuery, type QueryRow } from '../queries/queries.ts';
import { databaseFor, finalText, runHash, savedValues } from '../queries/query-text.ts';
import { mayAskWith } from '../queries/shared-queries.ts';
import { dropdownOptions } from './dropdowns.ts';
import { requireGuestPatience } from './guests.ts';
import { refused } from './refused.ts';
import type { ResultRow } from './results.store.ts';
import { type RunAnswer, submit } from './submission.ts';

/** Q5: ad hoc text needs full access to the source. */
export async function runAdHoc(ctx: UserCtx, given: AdHocRun, fromQueryString: Record<string, unknown>): Promise<RunAnswer> {
  if (!given.data_source_id) throw refused(400, 'Please select data source to run this query.');
  const source = isId(given.data_source_id) ? await findSourceRow(ctx, given.data_source_id) : undefined;
  if (!source || accessTo(source, ctx.user) === 'none')
    throw refused(source ? 403 : 400, source ? noPermission : 'Target data source not available.');
  if (!mayRunAnything(source, ctx.user)) throw refused(403, noPermission);
  const saved = await savedQueryOf(ctx, given.query_id);
  const options = saved?.options ?? { parameters: [] };
  const values = given.parameters ?? fromUrl(fromQueryString);
  const applyAutoLimit = given.apply_auto_limit ?? false;
  const query = await textOrRefusal(ctx, {
    query: given.query,
    options,
    values,
    type: source.type,
    applyAutoLimit,
    undeclared: 'text',
    dropdowns: 'unchecked',
  });
  // The same text elsewhere is another question.
  const database = databaseFor(source.type, given.database);
  const isAtHome = saved?.data_source_id === source.id && database === databaseFor(source.type, databaseOf(saved.options));
  const links = saved !== undefined && isAtHome && isSavedRun(saved, given.query, values, applyAutoLimit);
  return submit(ctx, source, query, {
    maxAge: given.max_age,
    saved,
    links,
    database,
  });
}

const isId = (id: unknown): id is number => typeof id === 'number' && Id.safeParse(id).success;

const notShown = () => refused(403, 'This dashboard does not show this query with these values.');

const noPermission = 'You do not have permission to run queries with this data source.';

/** Q5 and server-behaviour 8.1: a safe query runs with view access, an unsafe one (free text) only for those who may run anything. */
export async function runSaved(ctx: ReaderCtx, id: number, given: SavedRun, fromQueryString: Record<string, unknown>): Promise<RunAnswer> {
  const query = await getQuery(ctx, id);
  await requireGuestPatience(ctx);
  const { source, text, database, isOwn } = await savedText(ctx, query, given, given.parameters ?? fromUrl(fromQueryString));
  // Somebody who only holds a key does not choose whose day the query shows to everybody.
  const links = isOwn && (ctx.identity.kind === 'user' || !given.time_zone);
  return submit(ctx, source, text, { maxAge: given.max_age, saved: query, links, database });
}

/** What a saved query means with these values, for somebody who may ask for it so. */
async function savedText(
  ctx: ReaderCtx,
  query: QueryRow,
  given: Pick<SavedRun, 'apply_auto_limit' | 'time_zone'>,
  values: Record<string, unknown>,
): Promise<{ source: DataSourceRow; text: string; database: string | null; isOwn: boolean }> {
  if (query.data_source_id === null) throw refused(400, 'Target data source not available.');
  const source = await getSourceRow(ctx, query.data_source_id);
  requireRunAccess(ctx, query, source);
  // Whether there is a limit is not for somebody who only holds a key to say.
  const asked = ctx.identity.kind === 'user' ? given.apply_auto_limit : undefined;
  const applyAutoLimit = asked ?? query.options.apply_auto_limit ?? false;
  const all = Object.keys(values).length === 0 ? savedValues(query.options) : values;
  if (!(await mayAskWith(ctx, query, all))) throw notShown();
  const text = await textOrRefusal(ctx, {
    query: query.query,
    options: query.options,
    values: all,
    type: source.type,
    applyAutoLimit,
    undeclared: 'refuse',
    timeZone: given.time_zone ?? undefined,
    dropdowns: mayRunAnything(source, ctx.identity) ? 'unchecked' : await dropdownOptions(ctx, query.options),
  });
  const isJoined = ctx.identity.kind !== 'user' && source.type === resultsType;
  if (isJoined && (await joinsOthers(ctx, text, query.query)))
    throw ctx.identity.kind === 'query_key' ? refused(403, notShared) : notShown();
  const isOwn = isSavedRun(query, query.query, all, applyAutoLimit);
  return { source, text, database: databaseFor(source.type, databaseOf(query.options)), isOwn };
}

/** server-behaviour 11.2: whether a result answers the very question that this reader may ask; then it is theirs to read, also an older one. */
export async function isAnswerTo(
  ctx: ReaderCtx,
  query: QueryRow,
  row: Pick<ResultRow, 'data_source_id' | 'query_hash'>,
  asked: Record<string, unknown>,
): Promise<boolean> {
  if (row.data_source_id !== query.data_source_id) return false;
  try {
    const { time_zone } = SavedRun.parse({ time_zone: asked.time_zone });
    const { source, text, database } = await savedText(ctx, query, { time_zone, apply_auto_limit: null }, fromUrl(asked));
    // W10: what was joined from results is for whoever may read each of them at that moment.
    return source.type !== resultsType && row.query_hash === runHash(source, text, database);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** server-behaviour 7.16: now, whatever is stored; for people who may run anything on its source. */
export async function refreshQuery(ctx: UserCtx, id: number, fromQueryString: Record<string, unknown>): Promise<RunAnswer> {
  const query = await getQuery(ctx, id);
  const source = query.data_source_id === null ? undefined : await getSourceRow(ctx, query.data_source_id);
  if (source && !mayRunAnything(source, ctx.user)) throw refused(403, noPermission);
  return runSaved(ctx, id, { parameters: null, max_age: 0, apply_auto_limit: null, time_zone: null }, fromQueryString);
}

function requireRunAccess(ctx: ReaderCtx, query: QueryRow, source: DataSourceRow): void {
  const safe = isSafe(query.query, query.options.parameters);
  if (ctx.identity.kind !== 'user') {
    if (!safe) throw refused(403, 'This query contains text parameters, which cannot be used on a shared dashboard or in an embed.');
    return;
  }
  const access = accessTo(source, ctx.identity);
  if (access === 'none') throw refused(403, noPermission);
  if (safe || mayRunAnything(source, ctx.identity)) return;
  const need = access === 'view' ? 'full access to its data source' : 'permission to run queries of your own';
  throw refused(403, `This query contains text parameters, which need ${need}.`);
}

async function savedQueryOf(ctx: UserCtx, queryId: AdHocRun['query_id']): Promise<QueryRow | undefined> {
  if (!isId(queryId)) return undefined;
  try {
    return await getQuery(ctx, queryId);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined;
    throw error;
  }
}

/** W30: a result becomes the query's latest only when it is what the query itself would have produced. */
function isSavedRun({ query, options }: QueryRow, text: string, values: Record<string, unknown>, applyAutoLimit: boolean): boolean {
  const isSameLimit = applyAutoLimit === (options.apply_auto_limit ?? false);
  const areSame = Object.entries(values).every(([name, value]) => {
    const parameter = options.parameters.find((candidate) => candidate.name === name);
    return parameter !== undefined && isSameValue(parameter, value, savedValueOf(parameter));
  });
  return text === query && isSameLimit && areSame;
}

const fromUrl = (query: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (name.startsWith('p_') ? [[name.slice(2), value]] : [])));

async function textOrRefusal(ctx: Ctx, input: Parameters<typeof finalText>[1]): Promise<string> {
  if (input.query.trim() === '') throw refused(400, "Can't execute empty query.");
  const text = await finalText(ctx, input);
  if ('sql' in text) return text.sql;
  throw text.reason === 'missing' ? refused(400, text.error) : invalid(text.error);
}
