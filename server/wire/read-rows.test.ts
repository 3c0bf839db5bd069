import { expect, test } from 'vitest';
import type { Chunk } from './chunk.ts';
import { collect } from './collect.ts';
import { readRows } from './read-rows.ts';
import { chunksOf } from './testing/chunks-of.ts';

const stored = await chunksOf(
  Array.from({ length: 25 }, (_, i) => `{"i":${i}}`),
  { chunkRows: 10 },
);
const numbers = async (range?: { from?: number; limit?: number }, chunks: Chunk[] = stored) =>
  (await collect(readRows(chunks, range))).flat().map((row) => row.i);
const count = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

test('rows come in batches, chunk by chunk', async () => {
  expect((await collect(readRows(stored))).map((batch) => batch.length)).toEqual([10, 10, 5]);
});

test.each([
  [{ from: 0, limit: 3 }, count(0, 3)],
  [{ from: 8, limit: 4 }, count(8, 12)],
  [{ from: 10, limit: 10 }, count(10, 20)],
  [{ from: 24 }, [24]],
  [{ from: 25 }, []],
  [{ limit: 0 }, []],
])('the range %j is read exactly', async (range, expected) => {
  expect(await numbers(range)).toEqual(expected);
});

test('chunks before the range are not inflated, those behind it not asked for', async () => {
  const [first, second] = stored as [Chunk, Chunk];
  const asked: number[] = [];
  async function* source() {
    for (const [i, chunk] of [{ ...first, data: new Uint8Array() }, second].entries()) {
      asked.push(i);
      yield chunk;
    }
    throw new Error('asked for too much');
  }
  expect((await collect(readRows(source(), { from: 12, limit: 3 }))).flat()).toHaveLength(3);
  expect(asked).toEqual([0, 1]);
});

test('the first row costs one chunk', async () => {
  async function* source() {
    yield stored[0] as Chunk;
    throw new Error('asked for too much');
  }
  for await (const rows of readRows(source(), { limit: 1 })) {
    expect(rows).toEqual([{ i: 0 }]);
    break;
  }
});
