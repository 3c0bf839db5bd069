import { Id } from '@telltale/domain/endpoint.ts';
import { savedValueOf } from '@telltale/domain/parameters/contract.ts';
import { isSafe } from '@telltale/domain/parameters/safety.ts';
import { isSameValue } from '@telltale/domain/parameters/same-value.ts';
import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { type AdHocRun, SavedRun } from '@telltale/domain/results/contract.ts';
import { type DataSourceRow, findSourceRow, getSourceRow } from '../data-sources/data-sources.ts';
import type { Ctx, ReaderCtx, UserCtx } from '../platform/context.ts';
import { AppError, invalid } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';
import { channelsAsked, hasChannels, joinsOthers, notShared, resultsType } from '../queries/joined-results.ts';
import { getQuery, type QueryRow } from '../queries/queries.ts';
import { databaseFor, finalText, runHash, runZone, savedValues } from '../queries/query-text.ts';
import { valueFacts } from '../queries/shared-queries.ts';
import { dropdownOptions } from './dropdowns.ts';
import { rateLimitGuest } from './rate-limits.ts';
import { refused } from './refused.ts';
import type { ResultRow } from './results.store.ts';
import { type RunAnswer, submit } from './submission.ts';

/** Q5: ad hoc text needs full access to the source. */
export async function runAdHoc(ctx: UserCtx, given: AdHocRun, fromQueryString: Record<string, unknown>): Promise<RunAnswer> {
  if (!given.data_source_id) throw refused(400, 'Please select data source to run this query.');
  const source = isId(given.data_source_id) ? await findSourceRow(ctx, given.data_source_id) : undefined;
  if (!source) throw refused(400, 'Target data source not available.');
  if (!may(ctx.user, 'run', 'data_source', source)) throw refused(403, noPermission);
  const saved = await savedQueryOf(ctx, given.query_id);
  const options = saved?.options ?? { parameters: [] };
  const values = given.parameters ?? fromUrl(fromQueryString);
  const applyAutoLimit = given.apply_auto_limit ?? false;
  const zone = await runZone(ctx, given.time_zone);
  const query = await textOrRefusal(ctx, {
    query: given.query,
    options,
    values,
    type: source.type,
    applyAutoLimit,
    timeZone: zone,
    undeclared: 'text',
    dropdowns: 'unchecked',
  });
  // The same text in another database is another query.
  const database = databaseFor(source.type, given.database);
  const isAtHome = saved?.data_source_id === source.id && database === databaseFor(source.type, databaseOf(saved.options));
  const links = saved !== undefined && isAtHome && isSavedRun(saved, given.query, values, applyAutoLimit);
  return submit(ctx, source, query, {
    maxAge: given.max_age,
    saved,
    links,
    isOfQuery: links,
    database,
    zone,
    readOnly: given.read_only === true,
  });
}

const isId = (id: unknown): id is number => typeof id === 'number' && Id.safeParse(id).success;

const notShown = () => refused(403, 'This dashboard does not show this query with these values.');

const noPermission = 'You do not have permission to run queries with this data source.';

/** Q8: who asks for a run reads the refusal from a job, also when the query itself is out of sight. */
const getQueryToRun = (ctx: ReaderCtx, id: number): Promise<QueryRow> =>
  getQuery(ctx, id).catch((error: unknown) => {
    throw error instanceof AppError && error.status === 403 ? refused(403, noPermission) : error;
  });

/** Q5 and server-behaviour 8.1: a safe query runs with view access, an unsafe one (free text) only for users who may run anything. */
export async function runSaved(ctx: ReaderCtx, id: number, given: SavedRun, fromQueryString: Record<string, unknown>): Promise<RunAnswer> {
  const query = await getQueryToRun(ctx, id);
  await rateLimitGuest(ctx);
  const { source, text, database, isOwn, isSafeRun, zone } = await savedText(
    ctx,
    query,
    given,
    given.parameters ?? fromUrl(fromQueryString),
  );
  // Key readers do not choose the dates that the query shows to everybody: only runs in the organisation's zone become its latest result.
  const links = isOwn && (may(ctx.identity, 'choose_form', 'query') || zone === (await runZone(ctx, null)));
  return submit(ctx, source, text, {
    maxAge: given.max_age,
    saved: query,
    links,
    isOfQuery: isOwn || isSafeRun,
    database,
    zone,
    readOnly: given.read_only === true,
  });
}

/** The final text of a saved query with these values, if the caller may run it that way. */
async function savedText(
  ctx: ReaderCtx,
  query: QueryRow,
  given: Pick<SavedRun, 'apply_auto_limit' | 'time_zone'>,
  values: Record<string, unknown>,
): Promise<{ source: DataSourceRow; text: string; database: string | null; isOwn: boolean; isSafeRun: boolean; zone: string }> {
  if (query.data_source_id === null) throw refused(400, 'Target data source not available.');
  const source = await getSourceRow(ctx, query.data_source_id);
  const isSafeRun = isSafe(query.query, query.options.parameters);
  requireRunAccess(ctx, query, source, isSafeRun);
  // Key readers do not choose whether there is a limit.
  const asked = may(ctx.identity, 'choose_form', 'query') ? given.apply_auto_limit : undefined;
  const applyAutoLimit = asked ?? query.options.apply_auto_limit ?? false;
  const all = Object.keys(values).length === 0 ? savedValues(query.options) : values;
  if (!may(ctx.identity, 'choose_values', 'query', await valueFacts(ctx, query, all))) throw notShown();
  const zone = await runZone(ctx, given.time_zone);
  const text = await textOrRefusal(ctx, {
    query: query.query,
    options: query.options,
    values: all,
    type: source.type,
    applyAutoLimit,
    undeclared: 'refuse',
    timeZone: zone,
    dropdowns: may(ctx.identity, 'run', 'data_source', source) ? 'unchecked' : await dropdownOptions(ctx, query.options),
  });
  const isJoined = ctx.identity.kind !== 'user' && source.type === resultsType;
  if (isJoined && (await joinsOthers(ctx, text, query.query)))
    throw ctx.identity.kind === 'query_key' ? refused(403, notShared) : notShown();
  const isOwn = isSavedRun(query, query.query, all, applyAutoLimit);
  return { source, text, database: databaseFor(source.type, databaseOf(query.options)), isOwn, isSafeRun, zone };
}

/** server-behaviour 11.2: whether a result answers a request that this reader may make; then they may read it, also an older one. */
export async function isAnswerTo(
  ctx: ReaderCtx,
  query: QueryRow,
  row: Pick<ResultRow, 'data_source_id' | 'query_hash'>,
  asked: Record<string, unknown>,
): Promise<boolean> {
  if (row.data_source_id !== query.data_source_id) return false;
  try {
    const { time_zone } = SavedRun.parse({ time_zone: asked.time_zone });
    const { source, text, database, zone } = await savedText(ctx, query, { time_zone, apply_auto_limit: null }, fromUrl(asked));
    // W10: joined results depend on the current rights of each reader, so a stored one is never an answer here.
    return (
      source.type !== resultsType &&
      row.query_hash === runHash(ctx, source, { text, database, zone, channel_pks: hasChannels(source) ? channelsAsked(ctx) : null })
    );
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** server-behaviour 7.16: runs now, ignoring stored results; for users who may run anything on its source. */
export async function refreshQuery(ctx: UserCtx, id: number, fromQueryString: Record<string, unknown>): Promise<RunAnswer> {
  const query = await getQueryToRun(ctx, id);
  const source = query.data_source_id === null ? undefined : await getSourceRow(ctx, query.data_source_id);
  if (source && !may(ctx.user, 'run', 'data_source', source)) throw refused(403, noPermission);
  return runSaved(ctx, id, { parameters: null, max_age: 0, apply_auto_limit: null, time_zone: null }, fromQueryString);
}

/** Throws with the reason why the run is not allowed. */
function requireRunAccess({ identity }: ReaderCtx, query: QueryRow, source: DataSourceRow, is_safe: boolean): void {
  if (may(identity, 'run', 'query', { ...query, is_safe })) return;
  const isShared = identity.kind !== 'user' && !is_safe;
  if (isShared) throw refused(403, 'This query contains text parameters, which cannot be used on a shared dashboard or in an embed.');
  if (!may(identity, 'view', 'data_source', source)) throw refused(403, noPermission);
  const isFull = may(identity, 'save_queries', 'data_source', source);
  const need = isFull ? 'permission to run queries of your own' : 'full access to its data source';
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

/** The values of an address: `p_name`, or `p_name.start` and `p_name.end` of a range (server-behaviour 10.1). */
function fromUrl(query: Record<string, unknown>): Record<string, unknown> {
  const values = new Map(Object.entries(query).flatMap(([name, value]) => (name.startsWith('p_') ? [[name.slice(2), value]] : [])));
  const ranges = [...values.keys()]
    .filter((name) => name.endsWith('.start'))
    .map((name) => name.slice(0, -'.start'.length))
    .filter((name) => values.has(`${name}.end`) && !values.has(name));
  for (const name of ranges) {
    values.set(name, { start: values.get(`${name}.start`), end: values.get(`${name}.end`) });
    values.delete(`${name}.start`);
    values.delete(`${name}.end`);
  }
  return Object.fromEntries(values);
}

async function textOrRefusal(ctx: Ctx, input: Parameters<typeof finalText>[1]): Promise<string> {
  if (input.query.trim() === '') throw refused(400, "Can't execute empty query.");
  const text = await finalText(ctx, input);
  if ('sql' in text) return text.sql;
  throw text.reason === 'missing' ? refused(400, text.error) : invalid(text.error);
}
