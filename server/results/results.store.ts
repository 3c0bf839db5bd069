import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { sql } from 'kysely';
import { type Columns, type Db, type Effects, lazily } from '../platform/database.ts';
import { type Closed, closing } from '../platform/jobs/queue.ts';
import type { QueryFacts } from '../policy/facts.ts';
import { sourceFacts } from '../policy/query-facts.ts';
import type { Chunk } from '../wire/chunk.ts';
import type { StoredChunk } from './object-reader.ts';

export interface ResultRow
  extends Columns<
    'query_results',
    | 'id'
    | 'data_source_id'
    | 'query_hash'
    | 'query'
    | 'data_scanned'
    | 'row_count'
    | 'byte_count'
    | 'runtime'
    | 'retrieved_at'
    | 'last_used_at'
  > {
  columns: ResultColumn[];
  log: string[] | null;
  /** The sources it was joined from; empty when it is the answer of its own source alone. */
  joined_source_ids: number[];
  /** The channels that its rows were read from; null is all, empty where it was not read from IoT data. */
  channel_pks: number[] | null;
  /** The users who ran it; runs of a saved query are recorded in query_ids instead. */
  user_ids: number[];
  /** The saved queries that it is or was a result of, beside those whose latest it is. */
  query_ids: number[];
  /** Where the objects with its further chunks are; null where all are in the database. */
  object_folder: string | null;
}

/** Rows are stored as chunks in another table: lists and look-ups never touch them. */
const fields = sql`id, data_source_id, query_hash, query, columns, log, data_scanned, row_count, byte_count, runtime,
  joined_source_ids, channel_pks, user_ids, query_ids, retrieved_at, last_used_at, object_folder`;

export async function findResult(db: Db, id: number): Promise<ResultRow | undefined> {
  const { rows } = await sql<ResultRow>`select ${fields} from query_results where id = ${id} and is_complete`.execute(db);
  return rows[0];
}

/** The saved queries through which a user may read the result. */
export async function listQueriesOfResult(db: Db, { id, query_ids }: Pick<ResultRow, 'id' | 'query_ids'>): Promise<QueryFacts[]> {
  const { rows } = await sql<QueryFacts>`
    select id, user_id, ${sourceFacts} from queries where id = any(${query_ids}::int[]) or latest_query_data_id = ${id}`.execute(db);
  return rows;
}

type Origin = Pick<ResultRow, 'user_ids' | 'query_ids'>;

/** Records another user or query that got the stored result, or joined its run; once for each. */
export async function noteOrigin(db: Db, row: Origin & { id: number }, origin: Origin): Promise<void> {
  const user_ids = origin.user_ids.filter((id) => !row.user_ids.includes(id));
  const query_ids = origin.query_ids.filter((id) => !row.query_ids.includes(id));
  if (user_ids.length + query_ids.length === 0) return;
  await sql`
    update query_results
    set user_ids = array(select distinct unnest(user_ids || ${user_ids}::int[])),
        query_ids = array(select distinct unnest(query_ids || ${query_ids}::int[]))
    where id = ${row.id}`.execute(db);
}

/** A result with what decides who may read it. */
export type KeptResult = Pick<ResultRow, 'id' | 'retrieved_at' | 'joined_source_ids' | 'channel_pks'>;

/** The results, oldest first; only the newest ones when there are more. */
export async function listResultsSince(
  db: Db,
  { data_source_id, query_hash }: Pick<ResultRow, 'data_source_id' | 'query_hash'>,
  since: Date,
  limit: number,
): Promise<KeptResult[]> {
  const { rows } = await sql<KeptResult>`
    select id, retrieved_at, joined_source_ids, channel_pks from query_results
    where data_source_id = ${data_source_id} and query_hash = ${query_hash} and is_complete and retrieved_at >= ${since}
    order by retrieved_at desc, id desc limit ${limit}`.execute(db);
  return rows.reverse();
}

/** server-behaviour 8.3: −1 any age, otherwise not older than so many seconds. */
export async function findCached(db: Db, dataSourceId: number, hash: string, maxAge: number): Promise<ResultRow | undefined> {
  const { rows } = await sql<ResultRow>`
    select ${fields} from query_results
    where data_source_id = ${dataSourceId} and query_hash = ${hash} and is_complete
      and (${maxAge}::int = -1 or retrieved_at >= now() - make_interval(secs => ${maxAge}))
    order by retrieved_at desc limit 1`.execute(db);
  return rows[0];
}

/** `charged_to` is the user whose quota it counts for, `stored_bytes` the size of its chunks (quota.ts). */
export type NewResult = Omit<ResultRow, 'id' | 'retrieved_at' | 'last_used_at' | 'object_folder'> & {
  org_id: number;
  charged_to: number | null;
  stored_bytes: number;
};

/** The job that made a result; it ends with it when nothing else is left to do (`closing`). */
export interface MadeBy {
  job_id: string;
  mayEnd: boolean;
}

export type Stored = Closed & { id: number };

/**
 * Stores a small result, its only chunk and mostly the end of its job in one statement: most queries of a console are small. The end of the
 * job makes it durable.
 */
export async function insertWholeResult(db: Db, result: NewResult, chunk: Chunk | undefined, { job_id, mayEnd }: MadeBy): Promise<Stored> {
  const { rows } = await sql<Stored & Effects>`
    with outcome as (${insertion(result, true)}),
    piece as (
      insert into query_result_chunks (result_id, seq, rows, length, crc32, data)
      select outcome.id, 0, ${chunk?.rows ?? 0}, ${chunk?.length ?? 0}, ${chunk?.crc32 ?? 0}, ${asBuffer(chunk?.data)}
      from outcome where ${chunk !== undefined}),
    ${closing(job_id, mayEnd)}
    ${stored}, ${mayEnd ? sql`null` : lazily(db)} as disk from outcome left join closed on true left join told on true`.execute(db);
  return requireStored(rows[0]);
}

const stored = sql`select outcome.id, requests, coalesce(has_ended, false) as has_ended, told`;

/** Throws when the result was deleted meanwhile, together with its source. */
function requireStored(row: Stored | undefined): Stored {
  if (!row) throw new Error('A result was gone before it was complete.');
  return row;
}

/** Inserts a large result, which grows chunk by chunk and becomes visible when it is complete. */
export async function insertGrowingResult(db: Db, result: NewResult): Promise<number> {
  const { rows } = await sql<{ id: number }>`${insertion(result, false)}`.execute(db);
  return rows[0]?.id ?? 0;
}

const insertion = (result: NewResult, isComplete: boolean) => sql`
  insert into query_results (org_id, data_source_id, query_hash, query, columns, log, data_scanned, row_count, byte_count, runtime,
    joined_source_ids, channel_pks, user_ids, query_ids, charged_to, stored_bytes, is_complete)
  values (${result.org_id}, ${result.data_source_id}, ${result.query_hash}, ${result.query}, ${JSON.stringify(result.columns)}::jsonb,
          ${result.log?.length ? JSON.stringify(result.log) : null}::jsonb, ${result.data_scanned}, ${result.row_count}, ${result.byte_count},
          ${result.runtime}, ${result.joined_source_ids}::int[], ${result.channel_pks}::int[], ${result.user_ids}::int[], ${result.query_ids}::int[],
          ${result.charged_to}, ${result.stored_bytes}, ${isComplete})
  returning id`;

/**
 * Inserts several chunks at once, without waiting for the disk: they count only when the result is complete, and the commit that completes
 * it makes all earlier ones durable.
 */
export const insertChunks = (db: Db, resultId: number, firstSeq: number, chunks: readonly StoredChunk[]) =>
  sql`insert into query_result_chunks (result_id, seq, rows, length, crc32, data, object_key, object_offset, object_bytes, object_size)
      select ${resultId}, piece.* from (values ${sql.join(chunks.map((chunk, i) => chunkValues(firstSeq + i, chunk)))}) as piece,
        (select ${lazily(db)}) as disk`.execute(db);

/** The driver accepts only buffers; this is a view, not a copy. */
const asBuffer = (data: Uint8Array = new Uint8Array()) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

function chunkValues(seq: number, chunk: StoredChunk) {
  const head = sql`${seq}::int, ${chunk.rows}::int, ${chunk.length}::int, ${chunk.crc32}::bigint`;
  if (chunk.data !== null) return sql`(${head}, ${asBuffer(chunk.data)}::bytea, null::text, null::int, null::int, null::int)`;
  const { object_key, object_offset, object_bytes, object_size } = chunk;
  return sql`(${head}, null::bytea, ${object_key}::text, ${object_offset}::int, ${object_bytes}::int, ${object_size}::int)`;
}

/** Names the folder of the result's objects before the first of them is stored, so that each can be found by its result. */
export async function assignObjectFolder(db: Db, id: number): Promise<string> {
  const { rows } = await sql<{ object_folder: string }>`
    update query_results set object_folder = installation || '/results/' || id || '-' || gen_random_uuid() from object_store where id = ${id}
    returning object_folder`.execute(db);
  if (!rows[0]) throw new Error('A result was gone before it was complete.');
  return rows[0].object_folder;
}

export async function completeResult(db: Db, id: number, result: NewResult, { job_id, mayEnd }: MadeBy): Promise<Stored> {
  const { rows } = await sql<Stored & Effects>`
    with outcome as (
      update query_results set is_complete = true, columns = ${JSON.stringify(result.columns)}::jsonb,
        log = ${result.log?.length ? JSON.stringify(result.log) : null}::jsonb, data_scanned = ${result.data_scanned},
        row_count = ${result.row_count}, byte_count = ${result.byte_count}, runtime = ${result.runtime}, stored_bytes = ${result.stored_bytes},
        retrieved_at = now()
      where id = ${id} returning id),
    ${closing(job_id, mayEnd)}
    ${stored} from outcome left join closed on true left join told on true`.execute(db);
  return requireStored(rows[0]);
}

export const deleteResult = (db: Db, id: number) => sql`delete from query_results where id = ${id}`.execute(db);

const usedAgainAfterMs = 24 * 3_600_000;

/** W25: results in use stay. The use is noted at most once a day, so that most reads do not write. */
export async function noteUse(db: Db, { id, last_used_at }: Pick<ResultRow, 'id' | 'last_used_at'>): Promise<void> {
  if (Date.now() - Date.parse(last_used_at) < usedAgainAfterMs) return;
  await sql`update query_results set last_used_at = now() where id = ${id}`.execute(db);
}

/**
 * server-behaviour 8.7 and W25: deletes unlinked and unread results after a week, and unfinished ones once no query can still be writing
 * them.
 */
export async function deleteUnusedResults(db: Db, longestSeconds: number): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from query_results where id in (
        select id from query_results
        where (not is_complete and retrieved_at < now() - make_interval(secs => ${longestSeconds + 3600}))
           or (retrieved_at < now() - interval '7 days' and last_used_at < now() - interval '7 days' and not exists (select from queries where latest_query_data_id = query_results.id))
        limit 200)`.execute(db);
    if ((numAffectedRows ?? 0n) < 200n) return;
  }
}

/** The number of the member's unfinished queries up to and including this one. */
export async function countUnfinished(db: Db, member: string, until: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from jobs join job_members on job_id = jobs.id
    where member = ${member} and not cancelled and status in (1, 2) and queue = 'queries'
      and (enqueued_at, jobs.id) <= (select enqueued_at, id from jobs where id = ${until})`.execute(db);
  return rows[0]?.count ?? 0;
}
