import type { Person } from '@telltale/domain/access/identity.ts';
import { findQueryNames, type NamedResult } from '@telltale/domain/queries/query-names.ts';
import { accessTo, type DataSourceRow, findSourceRow, getSourceRow, mayRunAnything } from '../data-sources/data-sources.ts';
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
 * In whose name somebody asks for a query: their own; for its key that of those who are responsible for it; for a dashboard's
 * token theirs and that of whoever shared it. All of them must be allowed what is read; nobody is allowed anything when there
 * is none.
 */
export async function askersOf(ctx: Ctx, query: QueryRow | undefined): Promise<Person[]> {
  const { identity } = ctx;
  if (identity.kind === 'user') return [identity];
  if (!query || identity.kind === 'nobody') return [];
  const sharer = identity.kind === 'dashboard_token' ? [identity.in_name_of ?? 0] : [];
  return findAskers(ctx, [...new Set([...sharer, ...(await responsibleFor(ctx, query))])]);
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
  | { query: QueryRow; source: DataSourceRow; text: string; below: JoinedInto }
  | { query: QueryRow; source: DataSourceRow; stored: { id: number; joined_source_ids: number[] } };

/**
 * Where a name stands. `above`: the queries that its text is joined into; no query may be built on its own result. `writers`:
 * those responsible for these. Somebody who changes a query that others join gets no more rights by them.
 */
export interface JoinedInto {
  askers: readonly Person[];
  writers: readonly Person[];
  above: readonly number[];
}

export async function resolveNamed(ctx: Ctx, { askers, writers, above }: JoinedInto, named: NamedResult): Promise<Joined> {
  const { kind, query_id } = named;
  const mayAll = async (may: (person: Person) => boolean | Promise<boolean>): Promise<{ refusal: string } | undefined> => {
    if (!(await all(askers, may))) return notYours;
    return (await Promise.all(writers.map(may))).every(Boolean) ? undefined : { refusal: notTheirs(above.at(-1)) };
  };
  if (above.includes(query_id)) return { refusal: `Query ${query_id} is built on its own result.` };
  if (above.length >= deepest) return { refusal: 'Results are joined over too many levels.' };
  const notYours = { refusal: `You do not have access to query id ${query_id}.` };
  const query = await findQueryRow(ctx, query_id);
  if (!query || query.is_archived || query.data_source_id === null) return notYours;
  const unseen = await mayAll((identity) => mayView({ ...ctx, identity }, query));
  if (unseen) return unseen;
  const source = await getSourceRow(ctx, query.data_source_id);
  const notGiven = kind === 'param_query' ? await mayAll((person) => mayRunAnything(source, person)) : undefined;
  if (notGiven) return notGiven;
  const authors = source.type === resultsType ? await responsibleFor(ctx, query) : [];
  const behind = await findAskers(ctx, authors);
  if (behind.length < authors.length) return { refusal: notAnybodys(query_id) };
  if (kind !== 'cached_query') {
    const below = { askers, writers: [...writers, ...behind], above: [...above, query_id] };
    return { query, source, below, ...(await textOf(ctx, query, source, named)) };
  }
  const stored = await findJoinedSources(ctx.db, query.latest_query_data_id);
  if (!stored) return { problem: `Query ${query_id} has no stored result yet. Run it first, or use query_${query_id}.` };
  if (!(await mayReadAll(ctx, askers, stored))) return notYours;
  return (await mayReadAll(ctx, [...askers, ...writers, ...behind], stored)) ? { query, source, stored } : { refusal: notTheirs(query_id) };
}

const notTheirs = (id: number | undefined) => `Query ${id} joins results that those responsible for it may not read.`;

const notAnybodys = (id: number) =>
  `Whoever wrote query ${id} has no account any more, so nobody answers for what it joins. Save its text anew to do so.`;

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
export async function namedResultsFault(ctx: Ctx, text: string, query?: QueryRow): Promise<string | undefined> {
  const into = { askers: await askersOf(ctx, query), writers: [], above: [] };
  const fault = await faultBelow(ctx, into, text, { texts: new Set(), names: 0 });
  return fault && ctx.identity.kind !== 'user' ? notShared : fault;
}

/** What a look through texts has seen so far. */
interface Seen {
  texts: Set<string>;
  names: number;
}

async function faultBelow(ctx: Ctx, into: JoinedInto, text: string, seen: Seen): Promise<string | undefined> {
  // What was looked through once has no fault: a circle would have been found then.
  const key = `${into.writers.map(({ id }) => id).join()} ${text}`;
  if (seen.texts.has(key)) return undefined;
  for (const named of findQueryNames(text).results) {
    if (++seen.names > mostNames) return tooMany;
    const joined = await resolveNamed(ctx, into, named);
    if ('refusal' in joined) return joined.refusal;
    const isDeeper = 'text' in joined && joined.source.type === resultsType;
    const below = isDeeper ? await faultBelow(ctx, joined.below, joined.text, seen) : undefined;
    if (below) return below;
  }
  seen.texts.add(key);
  return undefined;
}

const tooMany = 'Too many results are joined.';

/** A result that was joined from others is for those who may see each source its rows came from. */
export const mayReadJoined = async (ctx: Ctx, result: { joined_source_ids: number[] }, query?: QueryRow): Promise<boolean> =>
  result.joined_source_ids.length === 0 || mayReadAll(ctx, await askersOf(ctx, query), result);

async function mayReadAll(ctx: Ctx, askers: readonly Person[], { joined_source_ids }: { joined_source_ids: number[] }): Promise<boolean> {
  for (const id of joined_source_ids) {
    const source = await findSourceRow(ctx, id);
    if (!source || !(await all(askers, (person) => accessTo(source, person) !== 'none'))) return false;
  }
  return true;
}

const joinedIn = async (ctx: Ctx, { latest_query_data_id }: QueryRow): Promise<{ joined_source_ids: number[] }> =>
  (latest_query_data_id !== null && (await findJoinedSources(ctx.db, latest_query_data_id))) || { joined_source_ids: [] };

export const mayReadLatest = async (ctx: Ctx, query: QueryRow): Promise<boolean> => mayReadJoined(ctx, await joinedIn(ctx, query), query);

/** Whether somebody may show the latest result of a query to others: those who wrote it may read it, too. */
export async function mayShowLatest(ctx: Ctx, userId: number, query: QueryRow): Promise<boolean> {
  return mayReadAll(ctx, await findAskers(ctx, [userId, ...(await responsibleFor(ctx, query))]), await joinedIn(ctx, query));
}

/** The latest result of a query, and what a run of it would join. */
export async function mayReadResultsOf(ctx: Ctx, query: QueryRow): Promise<boolean> {
  const source = query.data_source_id === null ? undefined : await findSourceRow(ctx, query.data_source_id);
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
    const source = query?.data_source_id ? await findSourceRow(ctx, query.data_source_id) : undefined;
    if (!query || source?.type !== resultsType) continue;
    const below = await textOf(ctx, query, source, named);
    const written = 'text' in below ? below.text : query.query;
    for (const id of await joinedIds(ctx, written, level + 1, seen)) found.add(id);
  }
  return found;
}
