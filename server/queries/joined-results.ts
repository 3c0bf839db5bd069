import type { Person } from '@telltale/domain/access/identity.ts';
import { findQueryNames, type NamedResult } from '@telltale/domain/queries/query-names.ts';
import { type DataSourceRow, findSourceRow, findSourceRows, getSourceRow } from '../data-sources/data-sources.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { builtInType } from '../policy/facts.ts';
import { may } from '../policy/policy.ts';
import { type Principal, together } from '../policy/principals.ts';
import { findPeople, listChannelsOf } from '../session/people.ts';
import { findResultOrigin, type QueryRow, type ResultOrigin } from './queries.store.ts';
import { findQueryRow } from './query-access.ts';
import { finalText, runZone, savedValues } from './query-text.ts';
import { responsibleFor } from './runs.ts';

/** server-behaviour 19 and W10: the type of the source that joins results of other queries, and the rules for reading through it. */
export const resultsType = 'results';
const deepest = 5;
/** The limit of names, on all levels together. */
const mostNames = 500;

/**
 * The users in whose name a query is requested: the user, or for a key or token the users that it acts for and those responsible for the
 * query. All of them must be allowed to read everything; with no users, nothing is allowed.
 */
export async function peopleAsking(ctx: Ctx, query: QueryRow | undefined): Promise<Person[]> {
  const { identity } = ctx;
  if (identity.kind === 'user') return [identity];
  if (!query || identity.kind === 'nobody') return [];
  const ids = [...identity.acts_for.map(({ id }) => id), ...(await responsibleFor(ctx, query))];
  return findPeople(ctx, [...new Set(ids)]);
}

/**
 * The meaning of a name: the text that runs on a source, or a stored result. Otherwise `refusal` says which right is missing, `problem`
 * what cannot be done.
 */
export type Joined =
  | { refusal: string }
  | { problem: string }
  | { query: QueryRow; source: DataSourceRow; text: string; below: JoinedInto }
  | { query: QueryRow; source: DataSourceRow; stored: ResultOrigin };

/**
 * The context of a name. `above`: the queries that its text is joined into; no query may be built on its own result. `writers`: the users
 * responsible for those queries, so that changing a query that others join gives nobody more rights.
 */
export interface JoinedInto {
  readers: readonly Person[];
  writers: readonly Person[];
  above: readonly number[];
}

export async function resolveNamed(ctx: Ctx, { readers, writers, above }: JoinedInto, named: NamedResult): Promise<Joined> {
  const { kind, query_id } = named;
  const refusalOf = (isAllowed: (who: Principal) => boolean): { refusal: string } | undefined => {
    if (!isAllowed(together(readers))) return notYours;
    return writers.length === 0 || isAllowed(together(writers)) ? undefined : { refusal: notTheirs(above.at(-1)) };
  };
  if (above.includes(query_id)) return { refusal: `Query ${query_id} is built on its own result.` };
  if (above.length >= deepest) return { refusal: 'Results are joined over too many levels.' };
  const notYours = { refusal: `You do not have access to query id ${query_id}.` };
  const query = await findQueryRow(ctx, query_id);
  if (!query || query.is_archived || query.data_source_id === null) return notYours;
  const unseen = refusalOf((who) => may(who, 'view', 'query', query));
  if (unseen) return unseen;
  const source = await getSourceRow(ctx, query.data_source_id);
  const notGiven = kind === 'param_query' ? refusalOf((who) => may(who, 'run', 'data_source', source)) : undefined;
  if (notGiven) return notGiven;
  const authors = source.type === resultsType ? await responsibleFor(ctx, query) : [];
  const behind = await findPeople(ctx, authors);
  if (behind.length < authors.length) return { refusal: notAnybodys(query_id) };
  if (kind !== 'cached_query') {
    const below = { readers, writers: [...writers, ...behind], above: [...above, query_id] };
    return { query, source, below, ...(await textOf(ctx, query, source, named)) };
  }
  const stored = await findResultOrigin(ctx.db, query.latest_query_data_id);
  if (!stored) return { problem: `Query ${query_id} has no stored result yet. Run it first, or use query_${query_id}.` };
  const facts = await joinedFacts(ctx, stored);
  if (!may(together(readers), 'view_joined', 'result', facts)) return notYours;
  const everybody = together([...readers, ...writers, ...behind]);
  return may(everybody, 'view_joined', 'result', facts) ? { query, source, stored } : { refusal: notTheirs(query_id) };
}

const notTheirs = (id: number | undefined) => `Query ${id} joins results that those responsible for it may not read.`;

const notAnybodys = (id: number) =>
  `Whoever wrote query ${id} has no account any more, so nobody answers for what it joins. Save its text anew to do so.`;

/** The text that actually runs for a name, or for the query itself, with its values bound. */
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
    // Joined results are shared by viewers of all zones, so their dates follow the organisation's zone.
    timeZone: await runZone(ctx, null),
    dropdowns: 'unchecked',
  });
  return 'sql' in bound ? { text: bound.sql } : { problem: `Query ${query.id}: ${bound.error}` };
}

export const notShared = 'This query joins results that are not shared.';

/**
 * Returns the first fault, if any: everybody in whose name results are joined must be allowed to read each of them, also those that a
 * joined query joins itself.
 */
export const namedResultsFault = (ctx: Ctx, readers: readonly Person[], text: string): Promise<string | undefined> =>
  faultBelow(ctx, { readers, writers: [], above: [] }, text, { texts: new Set(), names: 0 });

/** The texts and names that were visited so far. */
interface Seen {
  texts: Set<string>;
  names: number;
}

async function faultBelow(ctx: Ctx, into: JoinedInto, text: string, seen: Seen): Promise<string | undefined> {
  // A text that was visited before has no fault: a circle would have been found then.
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

type JoinedResult = Omit<ResultOrigin, 'id'>;

/** The sources that a result was joined from, undefined for a deleted one; and the channels it was read from. */
export async function joinedFacts(
  ctx: Ctx,
  { joined_source_ids, channel_pks }: JoinedResult,
): Promise<{ joined: (DataSourceRow | undefined)[]; channel_pks: number[] | null }> {
  return { joined: await findSourceRows(ctx, joined_source_ids), channel_pks };
}

/**
 * Finds these facts by the id of a result. Which channels a deleted result was read from is no longer known, so its values in evaluations are
 * shown only to users who see all channels.
 */
export async function factsOfResult(ctx: Ctx, id: number): ReturnType<typeof joinedFacts> {
  const result = await findResultOrigin(ctx.db, id);
  return result ? joinedFacts(ctx, result) : { joined: [], channel_pks: null };
}

/** Checks the access to a result that may have been joined from others. Most were not, and need no look-up. */
async function isOpenTo(ctx: Ctx, people: () => Promise<Person[]>, result: JoinedResult): Promise<boolean> {
  if (result.joined_source_ids.length === 0 && result.channel_pks?.length === 0) return true;
  return may(together(await people()), 'view_joined', 'result', await joinedFacts(ctx, result));
}

/** Whether the answers of a source depend on the channels that the caller sees. */
export const hasChannels = ({ type }: Pick<DataSourceRow, 'type'>): boolean => type === builtInType || type === resultsType;

/** The channels that all of several users see; null is all channels. */
function sharedChannels(each: readonly (readonly number[] | null)[]): number[] | null {
  return each.reduce<number[] | null>((shared, own) => {
    if (own === null) return shared;
    return shared === null ? [...own] : shared.filter((pk) => own.includes(pk));
  }, null);
}

/** The channels of the caller: the user's own; for a key or a token, those that all users it acts for see. */
export function channelsAsked({ identity }: Pick<Ctx, 'identity'>): number[] | null {
  if (identity.kind === 'user') return identity.channel_pks;
  return identity.kind === 'nobody' || identity.acts_for.length === 0
    ? []
    : sharedChannels(identity.acts_for.map(({ channel_pks }) => channel_pks));
}

/** The channels of the users responsible for a query: the view for everybody is read from these. */
export const channelsOfQuery = async (ctx: Ctx, query: QueryRow): Promise<number[] | null> =>
  sharedChannels(await listChannelsOf(ctx.db, await responsibleFor(ctx, query)));

export const areSameChannels = (a: readonly number[] | null, b: readonly number[] | null): boolean =>
  a === null || b === null ? a === b : a.length === b.length && a.every((pk) => b.includes(pk));

export const isOpen = (ctx: Ctx, result: JoinedResult, query?: QueryRow): Promise<boolean> =>
  isOpenTo(ctx, () => peopleAsking(ctx, query), result);

const joinedIn = async (ctx: Ctx, { latest_query_data_id }: QueryRow): Promise<JoinedResult> =>
  (latest_query_data_id !== null && (await findResultOrigin(ctx.db, latest_query_data_id))) || { joined_source_ids: [], channel_pks: [] };

export const hasReadableLatest = async (ctx: Ctx, query: QueryRow): Promise<boolean> => isOpen(ctx, await joinedIn(ctx, query), query);

/** Whether a user may show the latest result of a query to others: that user and the query's authors may read it. */
export async function hasShownLatest(ctx: Ctx, userId: number, query: QueryRow): Promise<boolean> {
  const people = async () => findPeople(ctx, [...new Set([userId, ...(await responsibleFor(ctx, query))])]);
  return isOpenTo(ctx, people, await joinedIn(ctx, query));
}

/** Whether the user may read the latest result of a query, and the results that a run of it would join. */
export async function hasReadableResults(ctx: UserCtx, query: QueryRow): Promise<boolean> {
  if (query.source?.type !== resultsType || query.data_source_id === null) return true;
  if (!(await hasReadableLatest(ctx, query))) return false;
  const source = await getSourceRow(ctx, query.data_source_id);
  const saved = await textOf(ctx, query, source);
  return (await namedResultsFault(ctx, [ctx.user], 'text' in saved ? saved.text : query.query)) === undefined;
}

/** Whether a value chose which results are joined, on any level: then the text is not the shared one. */
export async function joinsOthers(ctx: Ctx, text: string, template: string): Promise<boolean> {
  const [known, asked] = [await joinedIds(ctx, template), await joinedIds(ctx, text)];
  return [...asked].some((id) => !known.has(id));
}

/** All queries that a text refers to, directly or not; parameters without a value are left as written. */
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
