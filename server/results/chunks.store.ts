import { sql } from 'kysely';
import type pg from 'pg';
import { copyOut } from '../platform/copy-out.ts';
import type { Db } from '../platform/database.ts';
import type { Chunk } from '../wire/chunk.ts';
import type { ObjectPart, StoredChunk } from './object-reader.ts';

type Head = Omit<Chunk, 'data'> & { seq: number };
type ChunkRow = (Head & { data: Buffer } & Record<keyof ObjectPart, null>) | (Head & { data: null } & ObjectPart);

export async function readChunkRows(db: Db, resultId: number, seq: number, count: number): Promise<StoredChunk[]> {
  const { rows } = await sql<ChunkRow>`
    select seq, rows, length, crc32, data, object_key, object_offset, object_bytes, object_size from query_result_chunks
    where result_id = ${resultId} and seq >= ${seq} and seq < ${seq + count} order by seq`.execute(db);
  return rows;
}

/** Reads by COPY: half as many bytes cross the connection, and no digits are printed or parsed. */
export async function copyChunks(pool: pg.Pool, resultId: number, seq: number, count: number): Promise<StoredChunk[]> {
  const [id, from, to] = [resultId, seq, seq + count].map(Math.trunc);
  const rows = await copyOut(
    pool,
    `select rows, length, crc32, data, object_key, object_offset, object_bytes, object_size from query_result_chunks
     where result_id = ${id} and seq >= ${from} and seq < ${to} order by seq`,
  );
  return rows.map(([rows, length, crc32, data, key, offset, bytes, size]) => {
    const head = { rows: int(rows), length: int(length), crc32: Number(crc32?.readBigInt64BE() ?? 0) };
    if (!key) return { ...head, data: data ?? Buffer.alloc(0) };
    return { ...head, data: null, object_key: String(key), object_offset: int(offset), object_bytes: int(bytes), object_size: int(size) };
  });
}

const int = (field: Buffer | null | undefined): number => field?.readInt32BE() ?? 0;
