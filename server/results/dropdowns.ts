import type { DropdownOptions } from '@telltale/domain/parameters/check.ts';
import { type QueryOptions, typeOf } from '@telltale/domain/parameters/contract.ts';
import type { Ctx } from '../platform/context.ts';
import { findQueryRow } from '../queries/queries.ts';
import { findResult, readChunks } from './results.store.ts';
import { readRows } from './wire/read-rows.ts';

/** More choices than anybody can read are no dropdown any more. */
const mostChoices = 10_000;

/** server-behaviour 7.18: name and value of each row of a query's latest result. */
export async function dropdownValues(ctx: Ctx, queryId: number): Promise<{ name: unknown; value: string }[]> {
  const query = await findQueryRow(ctx, queryId);
  const result = query?.latest_query_data_id ? await findResult(ctx.db, query.latest_query_data_id) : undefined;
  if (!result) return [];
  const named = (name: string) =>
    result.columns.find((column) => column.name.toLowerCase() === name)?.name ?? result.columns[0]?.name ?? '';
  const [nameColumn, valueColumn] = [named('name'), named('value')];
  const choices: { name: unknown; value: string }[] = [];
  for await (const rows of readRows(readChunks(ctx.db, result.id), { limit: mostChoices })) {
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
