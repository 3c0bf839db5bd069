import type { DropdownOptions } from '@telltale/domain/parameters/check.ts';
import { type QueryOptions, typeOf } from '@telltale/domain/parameters/contract.ts';
import type { Ctx, ReaderCtx } from '../platform/context.ts';
import { forbidden, invalid } from '../platform/errors.ts';
import { mayReadLatest, mayShowLatest } from '../queries/joined-results.ts';
import { findQueryRow, getQuery, type QueryRow } from '../queries/queries.ts';
import { savedValues } from '../queries/query-text.ts';
import { mayAskWith, mayChooseFrom } from '../queries/shared-queries.ts';
import { readRows } from '../wire/read-rows.ts';
import { readChunks } from './chunk-reader.ts';
import { requireGuestPatience } from './guests.ts';
import { findResult } from './results.store.ts';

/** More choices than anybody can read are no dropdown any more. */
const mostChoices = 10_000;

type Choices = { name: unknown; value: string }[];

/** server-behaviour 7.18: name and value of each row of a query's latest result; none while it has none. */
async function dropdownValues(ctx: Ctx, queryId: number): Promise<Choices> {
  return (await choicesOf(ctx, await findQueryRow(ctx, queryId))) ?? [];
}

export const readDropdown = async (ctx: ReaderCtx, id: number): Promise<Choices> => toldChoices(ctx, id, await getReadable(ctx, id));

/** Whose latest result the reader may see. */
async function getReadable(ctx: ReaderCtx, id: number): Promise<QueryRow> {
  const query = await getQuery(ctx, id);
  if (!(await mayAskWith(ctx, query, savedValues(query.options))) || !(await mayReadLatest(ctx, query))) throw forbidden();
  return query;
}

/**
 * The choices of a parameter come with the query that has it, so its readers need no access to the other one; any other
 * query is read by its own rules (security 23).
 */
export async function readDropdownOf(ctx: ReaderCtx, id: number, dropdownId: number): Promise<Choices> {
  const query = await getQuery(ctx, id);
  const isOffered = await mayChooseFrom(ctx, query, dropdownId);
  return toldChoices(ctx, dropdownId, isOffered ? await getOffered(ctx, query, dropdownId) : await getReadable(ctx, dropdownId));
}

/** W10: what was joined from results is offered by those who may read all of it. */
async function getOffered(ctx: ReaderCtx, { user_id }: QueryRow, dropdownId: number): Promise<QueryRow | undefined> {
  const offered = await findQueryRow(ctx, dropdownId);
  if (!offered || (ctx.identity.kind === 'user' && (await mayReadLatest(ctx, offered)))) return offered;
  if (!(await mayShowLatest(ctx, user_id, offered))) throw forbidden();
  return offered;
}

/** An empty list would not say why (screens 17.19). */
async function toldChoices(ctx: ReaderCtx, id: number, query: QueryRow | undefined): Promise<Choices> {
  await requireGuestPatience(ctx);
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
  for await (const rows of readRows(readChunks(ctx.db, result), { limit: mostChoices })) {
    for (const row of rows) choices.push({ name: row[nameColumn], value: String(row[valueColumn] ?? '') });
  }
  return choices;
}

/** What the query-driven parameters of a query offer: only those values may be sent by people without full access. */
export async function dropdownOptions(ctx: Ctx, options: QueryOptions): Promise<DropdownOptions> {
  const driven = options.parameters.filter((parameter) => typeOf(parameter) === 'query' && parameter.queryId);
  const offered = await Promise.all(
    driven.map(async ({ name, queryId }) => [name, (await dropdownValues(ctx, queryId ?? 0)).map(({ value }) => value)] as const),
  );
  return Object.fromEntries(offered);
}
