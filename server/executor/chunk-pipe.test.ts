import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ChunkPipe, PipeClosedError } from './chunk-pipe.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the pipe of chunks', () => {
  test('hands over what was asked for, whether it comes before or after, however it is cut', async () => {
    const stream = new PassThrough();
    const pipe = new ChunkPipe(stream);
    const sent = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
    const lengths = [1, 0, 99_999, 70_000, 130_000];
    const early = [pipe.take(1), pipe.take(0), pipe.take(99_999)];
    for (const [from, to] of [
      [0, 7],
      [7, 65_543],
      [65_543, 300_000],
    ])
      stream.write(Buffer.from(sent.subarray(from, to)));
    await turn();
    const taken = await Promise.all([...early, pipe.take(70_000), pipe.take(130_000)]);
    expect(taken.map(({ length }) => length)).toEqual(lengths);
    expect(Buffer.concat(taken).equals(sent)).toBe(true);
    expect(pipe.isEmpty).toBe(true);
  });

  test('is not empty while something is left or asked for', async () => {
    const stream = new PassThrough();
    const pipe = new ChunkPipe(stream);
    stream.write('more than asked for');
    await turn();
    await pipe.take(4);
    expect(pipe.isEmpty).toBe(false);
    await pipe.take(15);
    expect(pipe.isEmpty).toBe(true);
    const never = pipe.take(1);
    expect(pipe.isEmpty).toBe(false);
    stream.destroy();
    await expect(never).rejects.toThrow(PipeClosedError);
  });

  test('an end in the middle of a chunk fails the waiting reader and later ones', async () => {
    const stream = new PassThrough();
    const pipe = new ChunkPipe(stream);
    const half = pipe.take(10);
    stream.write('half');
    await turn();
    stream.destroy(new Error('killed'));
    await expect(half).rejects.toThrow(PipeClosedError);
    await expect(pipe.take(1)).rejects.toThrow(PipeClosedError);
  });
});
