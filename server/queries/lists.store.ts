import type { Page } from '@telltale/domain/lists/contract.ts';
import { parseOrder } from '@telltale/domain/lists/paging.ts';
import type { QueryListParams } from '@telltale/domain/queries/contract.ts';
import { searchExpression, searchedId, substringTerms } from '@telltale/domain/queries/search.ts';
import { type RawBuilder, sql } from 'kysely';
import type { UserCtx } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { listPage, nullsLast, substringPattern } from '../platform/lists.ts';
import { whereMay } from '../policy/policy.ts';
import { countTags, hasTags } from '../tags/tags.ts';
import type { QueryRow } from './queries.store.ts';

type ListedFields =
  | 'id'
  | 'name'
  | 'description'
  | 'data_source_id'
  | 'latest_query_data_id'
  | 'schedule'
  | 'tags'
  | 'is_archived'
  | 'is_draft'
  | 'version'
  | 'user_id'
  | 'last_modified_by_id'
  | 'created_at'
  | 'updated_at';

export type ListedRow = Pick<QueryRow, ListedFields> &
  Partial<Pick<QueryRow, 'query' | 'query_hash' | 'options'>> & {
    retrieved_at: string | null;
    runtime: number | null;
    starred_at: string | null;
  };

const fields = sql`
  queries.id, queries.name, queries.description, queries.data_source_id, latest_query_data_id, schedule, tags, is_archived, is_draft,
  queries.version, queries.user_id, last_modified_by_id, queries.created_at, queries.updated_at, latest.retrieved_at, latest.runtime,
  star.created_at as starred_at`;
const texts = sql`queries.query, queries.query_hash, queries.options`;

const from = (userId: number) => sql`
  queries
  left join query_results as latest on latest.id = latest_query_data_id
  left join favorites as star on star.object_type = 'Query' and star.object_id = queries.id and star.user_id = ${userId}`;

/** server-behaviour 1.2. */
const orders: Record<string, RawBuilder<unknown>> = {
  name: sql`lower(queries.name)`,
  created_at: sql`queries.created_at`,
  schedule: sql`case when schedule->>'interval' ~ '^\\d{1,10}$' then (schedule->>'interval')::bigint end`,
  runtime: sql`latest.runtime`,
  executed_at: sql`latest.retrieved_at`,
  created_by: sql`(select lower(users.name) from users where users.id = queries.user_id)`,
  starred_at: sql`star.created_at`,
};

interface Search {
  where: RawBuilder<unknown>;
  /** The order when the caller requests none. */
  order: RawBuilder<unknown>;
}

/** server-behaviour 7.9: words by the index, best first. A term without any word in it finds nothing. */
function wordSearch(q: string): Search {
  const expression = searchExpression(q);
  if (expression === null) return { where: sql`false`, order: sql`queries.id` };
  const asked = sql`to_tsquery('pg_catalog.simple', ${expression})`;
  return { where: sql`search @@ ${asked}`, order: sql`queries.id = ${searchedId(q)} desc nulls last, ts_rank(search, ${asked}) desc` };
}

/** Searches parts of words, for languages without blanks between them; the typed term is text, not a pattern (W42). */
function partSearch(q: string): Search {
  const conditions = substringTerms(q).map(({ key, text }) => {
    const pattern = substringPattern(text);
    const id = searchedId(text);
    const isId = id === null ? sql`false` : sql`queries.id = ${id}`;
    if (key === 'id') return isId;
    if (key === 'query') return sql`queries.query ilike ${pattern}`;
    if (key !== null) return sql`query_search.${sql.ref(key)} ilike ${pattern}`;
    return sql`(query_search.name ilike ${pattern} or query_search.description ilike ${pattern} or ${isId})`;
  });
  return { where: conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`false`, order: sql`queries.id` };
}

type User = UserCtx['user'];

/** server-behaviour 7.2: the queries that the user sees, drafts of everybody included. */
const live = (user: User): RawBuilder<unknown> => sql`not is_archived and ${whereMay(user, 'list', 'query')}`;

const choices = {
  all: live,
  own: (user: User) => sql`${live(user)} and queries.user_id = ${user.id}`,
  archived: (user: User) => sql`is_archived and ${whereMay(user, 'list_archived', 'query')}`,
  favorite: (user: User) => sql`${live(user)} and star.user_id is not null`,
};
export type QueryChoice = keyof typeof choices;

interface QueryScope {
  user: User;
  choice: QueryChoice;
  isMultiByte: boolean;
}

export function listQueryRows(db: Db, params: QueryListParams, { user, choice, isMultiByte }: QueryScope): Promise<Page<ListedRow>> {
  const q = params.q?.trim();
  const search = q ? (isMultiByte ? partSearch(q) : wordSearch(q)) : undefined;
  const asked = parseOrder(params.order);
  const order =
    asked && Object.hasOwn(orders, asked.key)
      ? nullsLast(orders, asked, undefined)
      : (search?.order ?? sql`queries.created_at desc nulls last`);
  return listPage(db, params, {
    fields: sql<ListedRow>`${fields}${params.brief ? sql`` : sql`, ${texts}`}`,
    from: search ? sql`${from(user.id)} join query_search on query_search.query_id = queries.id` : from(user.id),
    where: sql`${choices[choice](user)} and ${hasTags(params.tags)} and ${search?.where ?? sql`true`}`,
    order: sql`${order}, queries.id desc`,
  });
}

/** server-behaviour 7.5: the queries that the user worked on last. */
export async function listRecentRows(db: Db, user: User): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select ${fields}, ${texts} from ${from(user.id)} where ${choices.own(user)} order by queries.updated_at desc, queries.id desc limit 10`.execute(
    db,
  );
  return rows;
}

/** Queries that are due now, or have an unfinished run. */
export async function listOutdatedRows(db: Db, userId: number): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select ${fields}, ${texts} from ${from(userId)}
    where not is_archived and queries.data_source_id is not null and (next_run_at <= now() or scheduled_job_id is not null)
    order by queries.created_at desc, queries.id desc limit 1000`.execute(db);
  return rows;
}

export async function countQueryRows(db: Db, user: User): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from queries where ${live(user)}`.execute(db);
  return rows[0]?.count ?? 0;
}

export const countQueryTags = (db: Db, user: User) => countTags(db, sql`queries`, live(user));
