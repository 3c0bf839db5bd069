import type { DropdownOptions } from '@telltale/domain/parameters/check.ts';
import { type QueryOptions, typeOf } from '@telltale/domain/parameters/contract.ts';
import type { Ctx, ReaderCtx } from '../platform/context.ts';
import { forbidden, invalid } from '../platform/errors.ts';
import { may } from '../policy/policy.ts';
import { hasReadableLatest, hasShownLatest } from '../queries/joined-results.ts';
import { findQueryRow, getQuery, type QueryRow } from '../queries/queries.ts';
import { savedValues } from '../queries/query-text.ts';
import { choiceFacts, valueFacts } from '../queries/shared-queries.ts';
import { readRows } from '../wire/read-rows.ts';
import { readChunks } from './chunk-reader.ts';
import { rateLimitGuest } from './rate-limits.ts';
import { findResult } from './results.store.ts';

/** The limit of choices in a dropdown; more would not be readable. */
const mostChoices = 10_000;

type Choices = { name: unknown; value: string }[];

/** server-behaviour 7.18: name and value of each row of a query's latest result; none while it has none. */
async function dropdownValues(ctx: Ctx, queryId: number): Promise<Choices> {
  return (await choicesOf(ctx, await findQueryRow(ctx, queryId))) ?? [];
}

export const readDropdown = async (ctx: ReaderCtx, id: number): Promise<Choices> => limitedChoices(ctx, id, await getReadable(ctx, id));

/** The query, if the reader may see its latest result. */
async function getReadable(ctx: ReaderCtx, id: number): Promise<QueryRow> {
  const query = await getQuery(ctx, id);
  const isAsked = may(ctx.identity, 'choose_values', 'query', await valueFacts(ctx, query, savedValues(query.options)));
  if (!isAsked || !(await hasReadableLatest(ctx, query))) throw forbidden();
  return query;
}

/**
 * Readers of a query may read the choices of its parameters without access to the query that offers them; any other query is read by its
 * own rules (security 23).
 */
export async function readDropdownOf(ctx: ReaderCtx, id: number, dropdownId: number): Promise<Choices> {
  const query = await getQuery(ctx, id);
  const { isOffered, ...facts } = await choiceFacts(ctx, query, dropdownId);
  const isChosen = isOffered && may(ctx.identity, 'choose_values', 'query', { ...query, ...facts });
  return limitedChoices(ctx, dropdownId, isChosen ? await getOffered(ctx, query, dropdownId) : await getReadable(ctx, dropdownId));
}

/** W10: a joined result is offered only if the reader, or the query's owner and authors, may read all of it. */
async function getOffered(ctx: ReaderCtx, { user_id }: QueryRow, dropdownId: number): Promise<QueryRow | undefined> {
  const offered = await findQueryRow(ctx, dropdownId);
  if (!offered || (ctx.identity.kind === 'user' && (await hasReadableLatest(ctx, offered)))) return offered;
  if (!(await hasShownLatest(ctx, user_id, offered))) throw forbidden();
  return offered;
}

/** Explains why there are no choices: an empty list would not (complaint 19). */
async function limitedChoices(ctx: ReaderCtx, id: number, query: QueryRow | undefined): Promise<Choices> {
  await rateLimitGuest(ctx);
  if (!query || query.data_source_id === null) throw invalid(`The dropdown query ${id} does not exist or has no data source any more.`);
  const choices = await choicesOf(ctx, query);
  if (!choices) throw invalid(`The dropdown query ${id} has no result yet. Execute it once to fill the list.`);
  return choices;
}

async function choicesOf(ctx: Ctx, query: QueryRow | undefined): Promise<Choices | undefined> {
  const result = query?.latest_query_data_id ? await findResult(ctx.db, query.latest_query_data_id) : undefined;
  if (!result) return undefined;
  const named = (name: string) =>
    result.columns.find((column) => column.name.toLowerCase() === name)?.name ?? result.columns[0]?.name ?? '';
  const [nameColumn, valueColumn] = [named('name'), named('value')];
  const choices: Choices = [];
  for await (const rows of readRows(readChunks(ctx, result), { limit: mostChoices })) {
    for (const row of rows) choices.push({ name: row[nameColumn], value: String(row[valueColumn] ?? '') });
  }
  return choices;
}

/** The values offered by the query-driven parameters: callers without full access may send only these. */
export async function dropdownOptions(ctx: Ctx, options: QueryOptions): Promise<DropdownOptions> {
  const driven = options.parameters.filter((parameter) => typeOf(parameter) === 'query' && parameter.queryId);
  const offered = await Promise.all(
    driven.map(async ({ name, queryId }) => [name, (await dropdownValues(ctx, queryId ?? 0)).map(({ value }) => value)] as const),
  );
  return Object.fromEntries(offered);
}
