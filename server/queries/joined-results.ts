import type { Person } from '@telltale/domain/access/identity.ts';
import { findQueryNames, type NamedResult } from '@telltale/domain/queries/query-names.ts';
import { accessTo, type DataSourceRow, findSourceForJob, getSourceForJob } from '../data-sources/data-sources.ts';
import type { Ctx } from '../platform/context.ts';
import { findAbsentPerson } from '../session/absent.ts';
import { findJoinedSources, type QueryRow } from './queries.store.ts';
import { findQueryRow, mayView } from './query-access.ts';
import { finalText, savedValues } from './query-text.ts';
import { responsibleFor } from './runs.ts';

/** server-behaviour 19 and W10: the source that joins results of other queries, and who may read what through it. */
export const resultsType = 'results';
const deepest = 5;
/** More names than this, on all levels together, are not looked through. */
const mostNames = 500;

/**
 * In whose name somebody asks: their own, that of whoever shared the dashboard, or, for a query's key, of those who are
 * responsible for the query. All of them must be allowed what is read; nobody is allowed anything when there is none.
 */
export async function askersOf(ctx: Ctx): Promise<Person[]> {
  const { identity } = ctx;
  if (identity.kind === 'user') return [identity];
  if (identity.kind === 'dashboard_token') return findAskers(ctx, [identity.in_name_of ?? 0]);
  const query = identity.kind === 'query_key' ? await findQueryRow(ctx, identity.object_id) : undefined;
  return query ? findAskers(ctx, await responsibleFor(ctx, query)) : [];
}

/** With what they may do now; none when one of them has no account any more. */
export async function findAskers(ctx: Ctx, ids: readonly number[]): Promise<Person[]> {
  const people = await Promise.all(ids.map((id) => findAbsentPerson(ctx, id)));
  return people.every((person) => person !== undefined) ? people : [];
}

const all = async (people: readonly Person[], may: (person: Person) => boolean | Promise<boolean>): Promise<boolean> =>
  people.length > 0 && (await Promise.all(people.map(may))).every(Boolean);

/**
 * What a name stands for: the text that runs on a source, or a result that is stored. Otherwise `refusal` says what somebody
 * may not do, `problem` what cannot be done.
 */
export type Joined =
  | { refusal: string }
  | { problem: string }
  | { query: QueryRow; source: DataSourceRow; text: string }
  | { query: QueryRow; source: DataSourceRow; stored: { id: number; joined_source_ids: number[] } };

/** `above` are the queries that this one is joined into: no query may be built on its own result. */
export async function resolveNamed(ctx: Ctx, askers: readonly Person[], named: NamedResult, above: readonly number[]): Promise<Joined> {
  const { kind, query_id } = named;
  if (above.includes(query_id)) return { refusal: `Query ${query_id} is built on its own result.` };
  if (above.length >= deepest) return { refusal: 'Results are joined over too many levels.' };
  const notYours = { refusal: `You do not have access to query id ${query_id}.` };
  const query = await findQueryRow(ctx, query_id);
  if (!query || query.is_archived || query.data_source_id === null) return notYours;
  if (!(await all(askers, (identity) => mayView({ ...ctx, identity }, query)))) return notYours;
  const source = await getSourceForJob(ctx, query.data_source_id);
  if (kind === 'param_query' && !(await all(askers, (person) => accessTo(source, person) === 'full'))) return notYours;
  if (kind !== 'cached_query') return { query, source, ...(await textOf(ctx, query, source, named)) };
  const stored = await findJoinedSources(ctx.db, query.latest_query_data_id);
  if (!stored) return { problem: `Query ${query_id} has no stored result yet. Run it first, or use query_${query_id}.` };
  return (await mayReadAll(ctx, askers, stored)) ? { query, source, stored } : notYours;
}

/** What really runs for a name, or for the query itself, its values bound. */
async function textOf(
  ctx: Ctx,
  query: QueryRow,
  source: DataSourceRow,
  named?: NamedResult,
): Promise<{ text: string } | { problem: string }> {
  const isGiven = named?.kind === 'param_query';
  const bound = await finalText(ctx, {
    query: query.query,
    options: query.options,
    values: { ...savedValues(query.options), ...(isGiven ? Object.fromEntries(named.parameters) : {}) },
    type: source.type,
    applyAutoLimit: false,
    undeclared: isGiven ? 'text' : 'refuse',
    dropdowns: 'unchecked',
  });
  return 'sql' in bound ? { text: bound.sql } : { problem: `Query ${query.id}: ${bound.error}` };
}

export const notShared = 'This query joins results that are not shared.';

/**
 * Whoever joins results must be allowed to read each of them, also those that a joined query joins itself. Answers what is
 * wrong, if anything; which queries somebody who only holds a key may not read is not told.
 */
export async function namedResultsFault(ctx: Ctx, text: string): Promise<string | undefined> {
  const fault = await faultBelow(ctx, await askersOf(ctx), text, [], { texts: new Set(), names: 0 });
  return fault && ctx.identity.kind !== 'user' ? notShared : fault;
}

/** What a look through texts has seen so far. */
interface Seen {
  texts: Set<string>;
  names: number;
}

async function faultBelow(
  ctx: Ctx,
  askers: readonly Person[],
  text: string,
  above: readonly number[],
  seen: Seen,
): Promise<string | undefined> {
  // What was looked through once has no fault: a circle would have been found then.
  if (seen.texts.has(text)) return undefined;
  for (const named of findQueryNames(text).results) {
    if (++seen.names > mostNames) return tooMany;
    const joined = await resolveNamed(ctx, askers, named, above);
    if ('refusal' in joined) return joined.refusal;
    const isDeeper = 'text' in joined && joined.source.type === resultsType;
    const below = isDeeper ? await faultBelow(ctx, askers, joined.text, [...above, named.query_id], seen) : undefined;
    if (below) return below;
  }
  seen.texts.add(text);
  return undefined;
}

const tooMany = 'Too many results are joined.';

/** A result that was joined from others is for those who may see each source its rows came from. */
export const mayReadJoined = async (ctx: Ctx, result: { joined_source_ids: number[] }): Promise<boolean> =>
  result.joined_source_ids.length === 0 || mayReadAll(ctx, await askersOf(ctx), result);

async function mayReadAll(ctx: Ctx, askers: readonly Person[], { joined_source_ids }: { joined_source_ids: number[] }): Promise<boolean> {
  for (const id of joined_source_ids) {
    const source = await findSourceForJob(ctx, id);
    if (!source || !(await all(askers, (person) => accessTo(source, person) !== 'none'))) return false;
  }
  return true;
}

export async function mayReadLatest(ctx: Ctx, { latest_query_data_id }: Pick<QueryRow, 'latest_query_data_id'>): Promise<boolean> {
  const stored = latest_query_data_id === null ? undefined : await findJoinedSources(ctx.db, latest_query_data_id);
  return stored === undefined || mayReadJoined(ctx, stored);
}

/** The latest result of a query, and what a run of it would join. */
export async function mayReadResultsOf(ctx: Ctx, query: QueryRow): Promise<boolean> {
  const source = query.data_source_id === null ? undefined : await findSourceForJob(ctx, query.data_source_id);
  if (source?.type !== resultsType) return true;
  if (!(await mayReadLatest(ctx, query))) return false;
  const saved = await textOf(ctx, query, source);
  return (await namedResultsFault(ctx, 'text' in saved ? saved.text : query.query)) === undefined;
}

/** Whether which results are joined, on any level, was chosen by a value: then it is not what was shared. */
export async function joinsOthers(ctx: Ctx, text: string, template: string): Promise<boolean> {
  const [known, asked] = [await joinedIds(ctx, template), await joinedIds(ctx, text)];
  return [...asked].some((id) => !known.has(id));
}

/** Every query that a text leads to; where a value is missing, what is written without it. */
async function joinedIds(ctx: Ctx, text: string, level = 0, seen: Seen = { texts: new Set(), names: 0 }): Promise<Set<number>> {
  const found = new Set<number>();
  if (level > deepest || seen.texts.has(text)) return found;
  seen.texts.add(text);
  for (const named of findQueryNames(text).results) {
    if (++seen.names > mostNames) return found;
    found.add(named.query_id);
    const query = named.kind === 'cached_query' ? undefined : await findQueryRow(ctx, named.query_id);
    const source = query?.data_source_id ? await findSourceForJob(ctx, query.data_source_id) : undefined;
    if (!query || source?.type !== resultsType) continue;
    const below = await textOf(ctx, query, source, named);
    const written = 'text' in below ? below.text : query.query;
    for (const id of await joinedIds(ctx, written, level + 1, seen)) found.add(id);
  }
  return found;
}
