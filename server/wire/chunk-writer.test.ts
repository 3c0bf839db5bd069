import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Chunk, inflateChunk, isWhole } from './chunk.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { chunksOf } from './testing/chunks-of.ts';

const inflated = async (chunks: Chunk[]) => (await Promise.all(chunks.map(inflateChunk))).map(String);

test('W34: chunks join into the inside of a JSON array', async () => {
  const chunks = await chunksOf(['{"a":1}', '{"a":2}', '{"a":3}', '{"a":4}', '{"a":5}'], { chunkRows: 2 });
  expect(await inflated(chunks)).toEqual(['{"a":1},{"a":2}', ',{"a":3},{"a":4}', ',{"a":5}']);
  expect(chunks.map((chunk) => chunk.rows)).toEqual([2, 2, 1]);
  expect(chunks.every(isWhole)).toBe(true);
});

test('a chunk closes at its number of bytes, and a huge row is one chunk', async () => {
  const rows = [...Array.from({ length: 100 }, (_, i) => `{"a":"${'x'.repeat(90)}${i}"}`), `{"a":"${'y'.repeat(300_000)}"}`, '{"a":1}'];
  const chunks = await chunksOf(rows, { chunkBytes: 1000 });
  expect(chunks.length).toBeGreaterThan(9);
  expect(JSON.parse(`[${(await inflated(chunks)).join('')}]`)).toEqual(rows.map((row) => JSON.parse(row)));
});

test('no rows are no chunks; text of any script and bytes are taken', async () => {
  expect(await chunksOf([])).toEqual([]);
  const chunks: Chunk[] = [];
  const writer = new ChunkWriter((chunk) => void chunks.push(chunk));
  writer.push('{"a":"żółć 温度 🌡"}');
  writer.push(Buffer.from('{"a":"bytes"}'));
  expect(await writer.finish()).toMatchObject({ rows: 2, chunks: 1, storedBytes: chunks[0]?.data.length, bytes: chunks[0]?.length });
  expect(await inflated(chunks)).toEqual(['{"a":"żółć 温度 🌡"},{"a":"bytes"}']);
});

test('a slow store holds the writer back, keeps the order and gets one chunk at a time', async () => {
  let open = 0;
  let most = 0;
  let ahead = 0;
  const stored: Chunk[] = [];
  const writer = new ChunkWriter(
    async (chunk) => {
      most = Math.max(most, ++open);
      await sleep(1);
      open--;
      stored.push(chunk);
    },
    { chunkRows: 1, inFlight: 3 },
  );
  for (let i = 0; i < 40; i++) {
    if (!writer.push(`{"i":${i}}`)) await writer.ready();
    ahead = Math.max(ahead, i + 1 - stored.length);
  }
  await writer.finish();
  expect(most).toBe(1);
  expect(ahead).toBeLessThanOrEqual(3);
  expect((await inflated(stored)).join('')).toBe(Array.from({ length: 40 }, (_, i) => `{"i":${i}}`).join(','));
});

test('what the store throws reaches the writer, once and everywhere', async () => {
  const writer = new ChunkWriter(() => Promise.reject(new Error('disk full')), { chunkRows: 1, inFlight: 1 });
  writer.push('{"a":1}');
  await expect(writer.ready()).rejects.toThrow('disk full');
  expect(() => writer.push('{"a":2}')).toThrow('disk full');
  await expect(writer.finish()).rejects.toThrow('disk full');
});

test('after an abort nothing more is stored', async () => {
  const stored: Chunk[] = [];
  const writer = new ChunkWriter((chunk) => void stored.push(chunk), { chunkRows: 1 });
  writer.push('{"a":1}');
  await writer.abort(new Error('cancelled'));
  expect(stored).toEqual([]);
  await expect(writer.finish()).rejects.toThrow('cancelled');
});

test.each([
  [{ rows: 2 }, 'The result has more than 2 rows. Add a LIMIT or aggregate.'],
  [{ bytes: 20 }, 'The result is larger than 20 bytes. Add a LIMIT or select fewer columns.'],
  [{ rowBytes: 8 }, 'A row of the result is larger than 8 bytes. Select fewer columns or cut long values.'],
])('W35: the limit %j is said clearly', async (limits, message) => {
  const writer = new ChunkWriter(() => {}, { limits });
  const fill = () => {
    for (let i = 1; i <= 3; i++) writer.push(`{"a":${'1'.repeat(i)}}`);
  };
  expect(fill).toThrow(message);
  await expect(writer.finish()).rejects.toThrow(message);
});
