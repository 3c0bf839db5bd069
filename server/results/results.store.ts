import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { sql } from 'kysely';
import { type Db, lazily } from '../platform/database.ts';
import { type Closed, closing } from '../platform/jobs/queue.ts';
import type { Chunk } from '../wire/chunk.ts';

export interface ResultRow {
  id: number;
  data_source_id: number;
  query_hash: string;
  query: string;
  columns: ResultColumn[];
  log: string[] | null;
  data_scanned: number | null;
  row_count: number;
  byte_count: number;
  runtime: number;
  /** Which sources it was joined from; none when it is the answer of its own source alone. */
  joined_source_ids: number[];
  retrieved_at: string;
  last_used_at: string;
}

/** The rows lie in chunks elsewhere: lists and look-ups never touch them. */
const fields = sql`id, data_source_id, query_hash, query, columns, log, data_scanned, row_count, byte_count, runtime,
  joined_source_ids, retrieved_at, last_used_at`;

export async function findResult(db: Db, id: number): Promise<ResultRow | undefined> {
  const { rows } = await sql<ResultRow>`select ${fields} from query_results where id = ${id} and is_complete`.execute(db);
  return rows[0];
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

export type NewResult = Omit<ResultRow, 'id' | 'retrieved_at' | 'last_used_at'> & { org_id: number };

/** The job that made a result; it ends with it when nothing else is to be done (`closing`). */
export interface MadeBy {
  job_id: string;
  mayEnd: boolean;
}

export type Stored = Closed & { id: number };

/**
 * A small result, its only chunk and mostly the end of its job in one statement: most queries of a console are small. The end of the
 * job brings it to the disk.
 */
export async function insertWholeResult(db: Db, result: NewResult, chunk: Chunk | undefined, { job_id, mayEnd }: MadeBy): Promise<Stored> {
  const { rows } = await sql<Stored>`
    with outcome as (${insertion(result, true)}),
    piece as (
      insert into query_result_chunks (result_id, seq, rows, length, crc32, data)
      select outcome.id, 0, ${chunk?.rows ?? 0}, ${chunk?.length ?? 0}, ${chunk?.crc32 ?? 0}, ${asBuffer(chunk?.data)}
      from outcome where ${chunk !== undefined}),
    ${closing(job_id, mayEnd)}
    ${stored}, ${mayEnd ? sql`null` : lazily(db)} as disk from outcome left join closed on true left join told on true`.execute(db);
  return requireStored(rows[0]);
}

const stored = sql`select outcome.id, wishes, coalesce(has_ended, false) as has_ended, told`;

/** What has gone meanwhile, with its source, is nobody's result. */
function requireStored(row: Stored | undefined): Stored {
  if (!row) throw new Error('A result was gone before it was complete.');
  return row;
}

/** A large one grows chunk by chunk and shows when it is complete. */
export async function insertGrowingResult(db: Db, result: NewResult): Promise<number> {
  const { rows } = await sql<{ id: number }>`${insertion(result, false)}`.execute(db);
  return rows[0]?.id ?? 0;
}

const insertion = (result: NewResult, isComplete: boolean) => sql`
  insert into query_results (org_id, data_source_id, query_hash, query, columns, log, data_scanned, row_count, byte_count, runtime,
    joined_source_ids, is_complete)
  values (${result.org_id}, ${result.data_source_id}, ${result.query_hash}, ${result.query}, ${JSON.stringify(result.columns)}::jsonb,
          ${result.log?.length ? JSON.stringify(result.log) : null}::jsonb, ${result.data_scanned}, ${result.row_count}, ${result.byte_count},
          ${result.runtime}, ${result.joined_source_ids}::int[], ${isComplete})
  returning id`;

/**
 * Several at once, and without waiting for the disk: they count only when the result is complete, and the commit that
 * says so brings all that was written before it to the disk.
 */
export const insertChunks = (db: Db, resultId: number, firstSeq: number, chunks: readonly Chunk[]) =>
  sql`insert into query_result_chunks (result_id, seq, rows, length, crc32, data)
      select ${resultId}, piece.* from (values ${sql.join(chunks.map((chunk, i) => chunkValues(firstSeq + i, chunk)))}) as piece,
        (select ${lazily(db)}) as disk`.execute(db);

/** The driver takes only buffers for bytes; these are the same ones, not a copy. */
const asBuffer = (data: Uint8Array = new Uint8Array()) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

const chunkValues = (seq: number, { rows, length, crc32, data }: Chunk) =>
  sql`(${seq}::int, ${rows}::int, ${length}::int, ${crc32}::bigint, ${asBuffer(data)}::bytea)`;

export async function completeResult(db: Db, id: number, result: NewResult, { job_id, mayEnd }: MadeBy): Promise<Stored> {
  const { rows } = await sql<Stored>`
    with outcome as (
      update query_results set is_complete = true, columns = ${JSON.stringify(result.columns)}::jsonb,
        log = ${result.log?.length ? JSON.stringify(result.log) : null}::jsonb, data_scanned = ${result.data_scanned},
        row_count = ${result.row_count}, byte_count = ${result.byte_count}, runtime = ${result.runtime}, retrieved_at = now()
      where id = ${id} returning id),
    ${closing(job_id, mayEnd)}
    ${stored} from outcome left join closed on true left join told on true`.execute(db);
  return requireStored(rows[0]);
}

export const deleteResult = (db: Db, id: number) => sql`delete from query_results where id = ${id}`.execute(db);

const usedAgainAfterMs = 24 * 3_600_000;

/** W25: what is read stays. Said once a day, so that reading stays reading. */
export async function noteUse(db: Db, { id, last_used_at }: Pick<ResultRow, 'id' | 'last_used_at'>): Promise<void> {
  if (Date.now() - Date.parse(last_used_at) < usedAgainAfterMs) return;
  await sql`update query_results set last_used_at = now() where id = ${id}`.execute(db);
}

/** server-behaviour 8.7 and W25: everything nobody links to or reads goes after a week; what was never finished when no query can still be writing it. */
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

/** How many of the queries that somebody asked for before this one have not ended, and it. */
export async function countUnfinished(db: Db, member: string, until: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from jobs join job_members on job_id = jobs.id
    where member = ${member} and not cancelled and status in (1, 2) and queue = 'queries'
      and (enqueued_at, jobs.id) <= (select enqueued_at, id from jobs where id = ${until})`.execute(db);
  return rows[0]?.count ?? 0;
}
