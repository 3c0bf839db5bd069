import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { type Order, pageFault, parseOrder } from '@telltale/domain/lists/paging.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { AppError } from './errors.ts';

/** W42: the typed term is text, not a pattern. Null for an empty term. */
export function substringPattern(q: string | undefined): string | null {
  const term = q?.trim();
  return term ? `%${term.replace(/[\\%_]/g, '\\$&')}%` : null;
}

/** Sorts by listed keys only; an unknown one falls back. Nulls are last both ways (server-behaviour 1.2). */
export function nullsLast(
  orders: Record<string, RawBuilder<unknown>>,
  order: Order,
  fallback: RawBuilder<unknown> | undefined,
): RawBuilder<unknown> {
  const known = Object.hasOwn(orders, order.key);
  const key = known ? orders[order.key] : fallback;
  const descending = known ? order.descending : true;
  return sql`${key} ${descending ? sql`desc` : sql`asc`} nulls last`;
}

interface PageQuery<Row> {
  /** The selected columns, and by its type what they are. */
  fields: RawBuilder<Row>;
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

/** One page and the count of all, with the refusals of server-behaviour 1.2. */
export async function listPage<Row>(db: Db, params: ListParams, query: PageQuery<Row>): Promise<Page<Row>> {
  const { page, page_size } = params;
  const counted = await sql<{ count: number }>`select count(*) as count from ${query.from} where ${query.where}`.execute(db);
  const count = counted.rows[0]?.count ?? 0;
  requirePage(params, count);
  const { rows } = await sql<Row>`
    select ${query.fields} from ${query.from} where ${query.where} order by ${query.order}
    limit ${page_size} offset ${(page - 1) * page_size}`.execute(db);
  return { count, page, page_size, results: rows };
}

function requirePage(params: Pick<ListParams, 'page' | 'page_size'>, count: number): void {
  const fault = pageFault(params, count);
  if (fault) throw new AppError(fault.status, 'page', fault.message);
}

/** design 8: a bare array, or one page on request; these lists are short by nature. */
export function arrayOrPage<T extends object>(
  items: T[],
  params: Omit<ListParams, 'page'> & { page: number | undefined },
  text: (item: T) => string,
): T[] | Page<T> {
  const term = params.q?.trim().toLowerCase();
  const found = term ? items.filter((item) => text(item).toLowerCase().includes(term)) : items;
  const order = parseOrder(params.order);
  const sorted = order && found.some((item) => order.key in item) ? [...found].sort((a, b) => compare(a, b, order)) : found;
  if (params.page === undefined) return sorted;
  const { page, page_size } = { ...params, page: params.page };
  requirePage({ page, page_size }, sorted.length);
  return { count: sorted.length, page, page_size, results: sorted.slice((page - 1) * page_size, page * page_size) };
}

function compare(a: object, b: object, { key, descending }: Order): number {
  const [left, right] = [a, b].map((item) => (item as Record<string, unknown>)[key]);
  if (left == null || right == null) return left == null ? (right == null ? 0 : 1) : -1;
  const way =
    typeof left === 'number' && typeof right === 'number'
      ? left - right
      : String(left).localeCompare(String(right), 'en', { sensitivity: 'base' });
  return descending ? -way : way;
}
