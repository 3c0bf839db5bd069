import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { findQueryNames, type NamedResult } from '@telltale/domain/queries/query-names.ts';
import type { ResultReader } from '../connectors/connector.ts';
import { findConnector } from '../connectors/index.ts';
import { accessTo, getSourceForJob } from '../data-sources/data-sources.ts';
import type { Ctx } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { JobError } from '../platform/jobs/define.ts';
import { findQueryRow, getQuery, type QueryRow } from '../queries/queries.ts';
import { databaseFingerprint, databaseFor, finalText, queryHash, savedValues } from '../queries/query-text.ts';
import { findAbsentPerson } from '../session/absent.ts';
import { readChunks } from './chunk-reader.ts';
import { findResult } from './results.store.ts';
import type { RunQuery } from './run-job.ts';

export const resultsType = 'results';
const deepest = 5;

/**
 * server-behaviour 19: whoever joins results must be allowed to read each of them, also those that a joined query joins
 * itself; and no query may be built on its own result. Answers what is wrong, if anything.
 */
export async function namedResultsFault(ctx: Ctx, text: string): Promise<string | undefined> {
  const { identity } = ctx;
  if (identity.kind !== 'dashboard_token') return faultBelow(ctx, text, []);
  // What a shared dashboard joins is for whoever shared it to be allowed to read.
  const sharer = await findAbsentPerson(ctx, identity.in_name_of ?? 0);
  const fault = await faultBelow({ ...ctx, identity: sharer ?? identity }, text, []);
  return fault && 'This query joins results that are not shared.';
}

/** Whether which results are joined was chosen by a value: then it is not what was shared. */
export function joinsOthers(text: string, template: string): boolean {
  const known = new Set(findQueryNames(template).results.map(({ query_id }) => query_id));
  return findQueryNames(text).results.some(({ query_id }) => !known.has(query_id));
}

async function faultBelow(ctx: Ctx, text: string, above: readonly number[]): Promise<string | undefined> {
  for (const { query_id, kind } of findQueryNames(text).results) {
    if (above.includes(query_id)) return `Query ${query_id} is built on its own result.`;
    if (above.length >= deepest) return 'Results are joined over too many levels.';
    const query = await readableQuery(ctx, query_id);
    if (!query || query.is_archived || query.data_source_id === null) return `You do not have access to query id ${query_id}.`;
    const source = await getSourceForJob(ctx, query.data_source_id);
    if (kind === 'param_query' && accessTo(source, ctx.identity) !== 'full') return `You do not have access to query id ${query_id}.`;
    const below = source.type === resultsType ? await faultBelow(ctx, query.query, [...above, query_id]) : undefined;
    if (below) return below;
  }
  return undefined;
}

const readableQuery = (ctx: Ctx, id: number): Promise<QueryRow | undefined> =>
  getQuery(ctx, id).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });

/** Every result that a text names, run or looked up before the text itself runs, so that no run waits inside another. */
export async function prepareNamedResults(ctx: Ctx, text: string, run: (query: RunQuery) => Promise<number>): Promise<ResultReader> {
  const ids = new Map<string, number>();
  for (const named of findQueryNames(text).results) ids.set(named.name, await resultOf(ctx, named, run));
  return async (name) => {
    const row = await findResult(ctx.db, ids.get(name) ?? 0);
    if (!row) throw new Error(`There is no result named ${name}.`);
    return { columns: row.columns, chunks: readChunks(ctx.db, row) };
  };
}

async function resultOf(ctx: Ctx, { kind, query_id, parameters }: NamedResult, run: (query: RunQuery) => Promise<number>): Promise<number> {
  const query = await findQueryRow(ctx, query_id);
  if (!query || query.data_source_id === null) throw new JobError(`There is no query with id ${query_id}.`);
  if (kind === 'cached_query') {
    if (query.latest_query_data_id === null)
      throw new JobError(`Query ${query_id} has no stored result yet. Run it first, or use query_${query_id}.`);
    return query.latest_query_data_id;
  }
  const source = await getSourceForJob(ctx, query.data_source_id);
  const values = kind === 'param_query' ? { ...savedValues(query.options), ...Object.fromEntries(parameters) } : savedValues(query.options);
  const bound = await finalText(ctx, {
    query: query.query,
    options: query.options,
    values,
    type: source.type,
    applyAutoLimit: false,
    undeclared: kind === 'param_query' ? 'text' : 'refuse',
    dropdowns: 'unchecked',
  });
  if (!('sql' in bound)) throw new JobError(`Query ${query_id}: ${bound.error}`);
  const dialect = findConnector(source.type)?.dialect ?? 'generic';
  const database = databaseFor(source.type, databaseOf(query.options));
  const query_hash = queryHash(bound.sql, dialect, `named result ${query_id}${databaseFingerprint(database)}`);
  return run({ data_source_id: source.id, query: bound.sql, query_hash, database, query_id, links: false, user_id: null });
}
