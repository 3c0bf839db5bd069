import type { Chunk } from '../chunk.ts';
import { ChunkWriter, type ChunkWriterOptions } from '../chunk-writer.ts';

/** Serialized rows as stored chunks. */
export async function chunksOf(rows: Iterable<string>, options?: ChunkWriterOptions): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  const writer = new ChunkWriter((chunk) => void chunks.push(chunk), options);
  for (const row of rows) if (!writer.push(row)) await writer.ready();
  await writer.finish();
  return chunks;
}
